import TestSupport
import Testing
import WaybillTesting

@Suite("Gates", .inTurn, .safetyNet)
struct GateTests {
    @Test("Opening a gate releases all waiting and later tasks")
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

    @Test("A gate releases a cancelled task")
    func letsGo() async {
        let gate = Gate()
        let task = Task { await gate.waitUntilOpen() }
        task.cancel()
        await task.value
        #expect(!gate.isOpen)
    }
}
