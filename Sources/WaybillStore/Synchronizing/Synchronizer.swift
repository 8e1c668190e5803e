import Waybill
import WaybillSystem

/// An actor that synchronizes a store's collections in parallel, each at most once at a time.
actor Synchronizer {
    /// The result of fetching a collection.
    fileprivate struct FetchResult: Sendable {
        let progress: SynchronizationReport.Progress
        let error: StoreError?
    }

    private let sender: OutboxSender
    private let storeTask = SharedTask<SynchronizationReport>()
    private var collectionTasks: [ObjectIdentifier: SharedTask<FetchResult>] = [:]

    init(sender: OutboxSender) { self.sender = sender }

    /// Cancels the running synchronizations; later calls do not join them.
    func abandon() async {
        await storeTask.abandon()
        for task in collectionTasks.values { await task.abandon() }
    }

    /// Sends pending writes, and fetches all collections.
    func synchronize(whole: Bool) async throws(StoreError) -> SynchronizationReport {
        try await storeTask.run(whole: whole) { try await self.run(whole: whole) }
    }

    /// Sends pending writes, and fetches one collection.
    func synchronize(_ collection: any RegisteredCollection, whole: Bool) async throws(StoreError)
        -> SynchronizationReport
    {
        var report = SynchronizationReport()
        try await sender.core.inspect()
        let before = try await sender.core.pendingWrites(of: collection)
        await sender.wake()
        report.add(try await fetch(collection, whole: whole))
        let after = try await sender.core.pendingWrites(of: collection)
        report.sent = before.subtracting(after).count
        if !after.isEmpty { report.waiting = try await sender.entries().filter { after.contains($0.id) } }
        report.damaged = try await sender.core.damagedRecords()
        return report
    }

    private func run(whole: Bool) async throws -> SynchronizationReport {
        let core = sender.core
        try await core.inspect()
        let before = try await core.read { (connection) throws(StoreError) in try connection.pendingWriteNumbers() }
        let sorted = core.registry.active.sorted { ($0.template, $0.address) < ($1.template, $1.address) }
        let (now, later) = try await core.read { (connection) throws(StoreError) in
            var (now, later): ([any RegisteredCollection], [any RegisteredCollection]) = ([], [])
            for collection in sorted {
                let isUnresolved = try connection.hasUnresolvedIdentifier(collection.address)
                if isUnresolved { later.append(collection) } else { now.append(collection) }
            }
            return (now, later)
        }
        await sender.beginDraining()
        async let drained = drain()
        async let fetched = fetch(now, whole: whole)
        // Await both even if one fails, so that nothing remains in flight.
        let (waiting, results) = (await drained, await fetched)
        var report = SynchronizationReport()
        report.waiting = try waiting.get()
        report.sent = before.subtracting(report.waiting.map(\.id)).count
        for result in try results.get() { report.add(result) }
        // The path of a list below a new item is unknown until the item has been created.
        for result in try await fetch(later, whole: whole).get() { report.add(result) }
        report.damaged = try await core.damagedRecords()
        return report
    }

    private func drain() async -> Result<[OutboxEntry], StoreError> {
        do throws(StoreError) {
            try await sender.finishDraining()
            if Task.isCancelled { throw .cancelled }
            let core = sender.core
            let isFirst = core.registry.recordSynchronization()
            let waiting = try await sender.entries()
            if isFirst {
                for entry in waiting where entry.isUndeclared { core.events.publish(.needsAttention(entry)) }
                await sender.reportStatus()
            }
            return .success(waiting)
        } catch {
            return .failure(error)
        }
    }

    /// Fetches collections, a limited number at a time, and returns the results in the order of the collections.
    private func fetch(
        _ sorted: [any RegisteredCollection],
        whole: Bool
    ) async -> Result<[FetchResult], StoreError> {
        let calls = sender.core.settings.concurrentCalls
        return await withTaskGroup(of: (Int, Result<FetchResult, StoreError>).self) { group in
            var results: [Int: FetchResult] = [:]
            var next = 0
            func begin() {
                guard next < sorted.count else { return }
                let (index, collection) = (next, sorted[next])
                next += 1
                group.addTask {
                    do throws(StoreError) {
                        return (index, .success(try await self.fetch(collection, whole: whole)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            for _ in 0..<calls { begin() }
            for await (index, result) in group {
                switch result {
                case .success(let fetched): results[index] = fetched
                case .failure(let error):
                    group.cancelAll()
                    return .failure(error)
                }
                begin()
            }
            return .success(sorted.indices.compactMap { results[$0] })
        }
    }

    /// Fetches a collection after its requests in flight, or joins a running fetch.
    private func fetch(_ collection: any RegisteredCollection, whole: Bool) async throws(StoreError) -> FetchResult {
        let task = collectionTasks[ObjectIdentifier(collection), default: SharedTask()]
        collectionTasks[ObjectIdentifier(collection)] = task
        return try await task.run(whole: whole) { [sender] in try await Self.pull(collection, sender, whole: whole) }
    }

    private static func pull(
        _ collection: any RegisteredCollection,
        _ sender: OutboxSender,
        whole: Bool
    ) async throws(StoreError) -> FetchResult {
        var pull = Pull(collection: collection, sender: sender, fetchesWhole: whole)
        do throws(StoreError) {
            try await sender.waitForRequests(ofCollection: try await collection.number(in: sender.core))
            try await pull.run()
            var progress = pull.progress
            progress.undecodable = try await collection.reportUndecodableRows(in: sender.core)
            return FetchResult(progress: progress, error: nil)
        } catch {
            if case .cancelled = error { throw error }
            if case .database = error { throw error }
            return FetchResult(progress: pull.progress, error: error)
        }
    }
}

extension OutboxSender {
    /// Waits until no requests for a collection are in flight.
    func waitForRequests(ofCollection collection: Int64) async throws(StoreError) {
        while !requests.isEmpty, !Task.isCancelled {
            let numbers = Array(requests.keys)
            let others = try await core.read { (connection) throws(StoreError) -> Set<Int64> in
                var others: Set<Int64> = []
                for number in numbers {
                    // The request of a write that has left the outbox may still be listed.
                    let other = try connection.first(
                        "SELECT 1 FROM outbox WHERE number = ? AND collection <> ?",
                        [.integer(number), .integer(collection)]
                    ) { _ in true }
                    if other ?? false { others.insert(number) }
                }
                return others
            }
            let tasks = numbers.filter { !others.contains($0) }.compactMap { requests[$0] }
            if tasks.isEmpty { return }
            for task in tasks { await task.value }
        }
    }
}

extension SynchronizationReport {
    fileprivate mutating func add(_ fetched: Synchronizer.FetchResult) {
        collections.append(fetched.progress)
        if let error = fetched.error { failures.append(.init(template: fetched.progress.template, error: error)) }
    }
}

extension StoreCore {
    /// Returns the numbers of a collection's pending writes; an empty set if its declaration is invalid.
    fileprivate func pendingWrites(of collection: any RegisteredCollection) async throws(StoreError) -> Set<Int64> {
        let number: Int64
        do throws(StoreError) {
            number = try await collection.number(in: self)
        } catch {
            if case .database = error { throw error }
            return []
        }
        return try await read { (connection) throws(StoreError) in
            let numbers = try connection.query(
                "SELECT number FROM outbox WHERE collection = ?",
                [.integer(number)]
            ) { $0.integer(0) ?? 0 }
            return Set(numbers)
        }
    }
}
