import Testing
import WaybillTesting

@Suite("A gate", .timeLimit(.minutes(10)))
struct GateTests {
    @Test("lets everything through that waits, and everything after")
    func opens() async {
        let gate = Gate()
        let tasks = (1...10).map { _ in Task { await gate.waitUntilOpen() } }
        #expect(!gate.isOpen)
        gate.open()
        gate.open()
        for task in tasks { await task.value }
        await gate.waitUntilOpen()
        #expect(gate.isOpen)
    }

    @Test("lets a cancelled task go")
    func letsGo() async {
        let gate = Gate()
        let task = Task { await gate.waitUntilOpen() }
        task.cancel()
        await task.value
        #expect(!gate.isOpen)
    }
}
