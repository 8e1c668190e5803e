import TestSupport
import Testing
import WaybillHTTP

@Suite("Tasks waiting for an outcome", .safetyNet)
struct WaitersTests {
    enum Outcome: Sendable { case known, resumed, cancelled }

    /// A value that tasks wait for.
    final class Fixture: Sendable {
        struct State {
            var isKnown = false
            var begun = 0
            var waiters = Waiters<Outcome>()
        }

        let state = Locked(State())

        var count: Int { state.withLock { $0.waiters.count } }

        func wait() async -> Outcome {
            await state.wait(cancelled: .cancelled) { state, waiter in
                state.begun += 1
                if state.isKnown { return .known }
                state.waiters.add(waiter)
                return nil
            } removing: { state, id in
                state.waiters.remove(id)
            }
        }

        @discardableResult
        func resumeAll() -> Int {
            let waiters = state.withLock { $0.waiters.removeAll() }
            for waiter in waiters { waiter.resume(returning: .resumed) }
            return waiters.count
        }
    }

    @Test("A task cancelled before it waits does not start to wait")
    func cancelledBefore() async {
        let fixture = Fixture()
        let outcome = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await fixture.wait()
        }.value
        #expect(outcome == .cancelled)
        #expect(fixture.state.withLock { $0.begun } == 0)
        #expect(fixture.count == 0)
    }

    @Test("An outcome known before a task waits is returned at once")
    func known() async {
        let fixture = Fixture()
        fixture.state.withLock { $0.isKnown = true }
        #expect(await fixture.wait() == .known)
        #expect(fixture.count == 0)
    }

    @Test("A waiting task that is resumed and then cancelled keeps its outcome")
    func resumed() async {
        let fixture = Fixture()
        let task = Task { await fixture.wait() }
        await waitUntil { fixture.count == 1 }
        #expect(fixture.resumeAll() == 1)
        task.cancel()
        #expect(await task.value == .resumed)
        #expect(fixture.resumeAll() == 0)
    }

    @Test("A cancelled waiting task is removed at once, and the others still wait")
    func cancelled() async {
        let fixture = Fixture()
        let tasks = (0..<3).map { _ in Task { await fixture.wait() } }
        await waitUntil { fixture.count == 3 }
        tasks[1].cancel()
        #expect(fixture.count == 2)
        #expect(await tasks[1].value == .cancelled)
        #expect(fixture.resumeAll() == 2)
        #expect(await tasks[0].value == .resumed)
        #expect(await tasks[2].value == .resumed)
    }

    @Test("Tasks cancelled and resumed at the same time finish exactly once")
    func race() async {
        let fixture = Fixture()
        for round in 0..<200 {
            let tasks = (0..<4).map { _ in Task { await fixture.wait() } }
            // Without this, most tasks are cancelled before they wait.
            if round % 2 == 0 { await waitUntil { fixture.count == 4 } }
            await withTaskGroup(of: Void.self) { group in
                for task in tasks { group.addTask { task.cancel() } }
                group.addTask { fixture.resumeAll() }
            }
            for task in tasks { #expect(await task.value != .known) }
            #expect(fixture.count == 0)
        }
    }

    @Test("Waiters are removed once each, in the order they began to wait")
    func order() async {
        let fixture = Fixture()
        var tasks: [Task<Outcome, Never>] = []
        for number in 1...20 {
            tasks.append(Task { await fixture.wait() })
            await waitUntil { fixture.count == number }
        }
        let waiters = fixture.state.withLock { $0.waiters.removeAll() }
        #expect(waiters.count == 20)
        #expect(waiters.map(\.id) == waiters.map(\.id).sorted())
        for (place, waiter) in waiters.enumerated() {
            #expect(fixture.state.withLock { $0.waiters.remove(waiter.id) == nil })
            waiter.resume(returning: place % 2 == 0 ? .resumed : .known)
        }
        for (place, task) in tasks.enumerated() { #expect(await task.value == (place % 2 == 0 ? .resumed : .known)) }
    }
}
