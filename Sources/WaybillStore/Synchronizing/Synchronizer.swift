import Waybill
import WaybillSystem

/// Synchronizes a store, one time after the other.
actor Synchronizer {
    private let sender: OutboxSender
    private var running: Task<SynchronizationReport, any Error>?
    private var waiting = 0

    init(sender: OutboxSender) { self.sender = sender }

    /// Joins the synchronization that runs, or begins one; the last caller to give up cancels it.
    func synchronize() async throws(StoreError) -> SynchronizationReport {
        let task =
            running
            ?? Task { [sender] in
                try await Self.run(sender)
            }
        running = task
        waiting += 1
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            Task { await self.giveUp(task) }
        }
        waiting -= 1
        if running == task { running = nil }
        switch result {
        case .success(let report): return report
        case .failure(let error as StoreError): throw error
        case .failure: throw .cancelled
        }
    }

    private func giveUp(_ task: Task<SynchronizationReport, any Error>) {
        if waiting <= 1, running == task { task.cancel() }
    }

    private static func run(_ sender: OutboxSender) async throws(StoreError) -> SynchronizationReport {
        let core = sender.core
        var report = SynchronizationReport()
        let before = try await core.countOfWrites()
        try await sender.drain()
        report.waiting = try await sender.entries()
        report.sent = max(0, before - report.waiting.count)
        for collection in core.collections.sorted(by: { ($0.template, $0.url) < ($1.template, $1.url) }) {
            var pull = Pull(collection: collection, sender: sender)
            do throws(StoreError) {
                try await pull.run()
            } catch {
                if case .cancelled = error { throw error }
                if case .database = error { throw error }
                report.failures.append(.init(template: collection.template, error: error))
            }
            report.collections.append(pull.progress)
        }
        return report
    }
}

extension StoreCore {
    fileprivate func countOfWrites() async throws(StoreError) -> Int {
        try await read { (connection) throws(StoreError) in
            Int(try connection.first("SELECT count(*) FROM outbox", []) { $0.integer(0) } ?? 0)
        }
    }
}
