import Waybill
import WaybillSystem

/// An actor that synchronizes the collections of a store in parallel, with one synchronization per collection at a
/// time.
actor Synchronizer {
    /// The result of fetching a collection.
    fileprivate struct Fetched: Sendable {
        let progress: SynchronizationReport.Progress
        let error: StoreError?
    }

    private let sender: OutboxSender
    private let all = SharedTask<SynchronizationReport>()
    private var collections: [ObjectIdentifier: SharedTask<Fetched>] = [:]

    init(sender: OutboxSender) { self.sender = sender }

    /// Cancels the running synchronizations; later calls do not join them.
    func abandon() async {
        await all.abandon()
        for task in collections.values { await task.abandon() }
    }

    /// Sends pending writes, and fetches all collections.
    func synchronize(whole: Bool) async throws(StoreError) -> SynchronizationReport {
        try await all.run(whole: whole) { try await self.run(whole: whole) }
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
        let before = try await core.read { (connection) throws(StoreError) in try connection.numbersOfWrites() }
        let sorted = core.registry.active.sorted { ($0.template, $0.address) < ($1.template, $1.address) }
        let (now, later) = try await core.read { (connection) throws(StoreError) in
            var (now, later): ([any RegisteredCollection], [any RegisteredCollection]) = ([], [])
            for collection in sorted {
                let isOpen = try connection.hasOpenIdentifier(collection.address)
                if isOpen { later.append(collection) } else { now.append(collection) }
            }
            return (now, later)
        }
        await sender.beginDraining()
        async let drained = drain()
        async let fetched = fetch(now, whole: whole)
        // Await both, even if one fails, so that nothing is in flight afterwards.
        let (waiting, results) = (await drained, await fetched)
        var report = SynchronizationReport()
        report.waiting = try waiting.get()
        report.sent = before.subtracting(report.waiting.map(\.id)).count
        for result in try results.get() { report.add(result) }
        // The path of a list below a new item is only known after the item has been sent.
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

    /// Fetches collections, a few at a time, and returns the results in the order of the collections.
    private func fetch(
        _ sorted: [any RegisteredCollection],
        whole: Bool
    ) async -> Result<[Fetched], StoreError> {
        let calls = sender.core.settings.concurrentCalls
        return await withTaskGroup(of: (Int, Result<Fetched, StoreError>).self) { group in
            var results: [Int: Fetched] = [:]
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

    /// Fetches a collection after its own writes have been sent.
    private func fetch(_ collection: any RegisteredCollection, whole: Bool) async throws(StoreError) -> Fetched {
        let task = collections[ObjectIdentifier(collection), default: SharedTask()]
        collections[ObjectIdentifier(collection)] = task
        return try await task.run(whole: whole) { [sender] in try await Self.pull(collection, sender, whole: whole) }
    }

    private static func pull(
        _ collection: any RegisteredCollection,
        _ sender: OutboxSender,
        whole: Bool
    ) async throws(StoreError) -> Fetched {
        var pull = Pull(collection: collection, sender: sender, fetchesWhole: whole)
        do throws(StoreError) {
            try await sender.waitForRequests(ofCollection: try await collection.number(in: sender.core))
            try await pull.run()
            var progress = pull.progress
            progress.undecodable = try await collection.reportUndecodableRows(in: sender.core)
            return Fetched(progress: progress, error: nil)
        } catch {
            if case .cancelled = error { throw error }
            if case .database = error { throw error }
            return Fetched(progress: pull.progress, error: error)
        }
    }
}

extension OutboxSender {
    /// Waits for the requests in flight for a collection, and for those that follow them.
    func waitForRequests(ofCollection collection: Int64) async throws(StoreError) {
        while !requests.isEmpty, !Task.isCancelled {
            let numbers = Array(requests.keys)
            let others = try await core.read { (connection) throws(StoreError) -> Set<Int64> in
                var others: Set<Int64> = []
                for number in numbers {
                    // A write may have left the outbox although its request is still listed.
                    let other = try connection.first(
                        "SELECT 1 FROM outbox WHERE number = ? AND collection <> ?",
                        [.integer(number), .integer(collection)]
                    ) { _ in true }
                    if other ?? false { others.insert(number) }
                }
                return others
            }
            let own = numbers.filter { !others.contains($0) }.compactMap { requests[$0] }
            if own.isEmpty { return }
            for task in own { await task.value }
        }
    }
}

extension SynchronizationReport {
    fileprivate mutating func add(_ fetched: Synchronizer.Fetched) {
        collections.append(fetched.progress)
        if let error = fetched.error { failures.append(.init(template: fetched.progress.template, error: error)) }
    }
}

extension StoreCore {
    /// Returns the numbers of a collection's pending writes; an empty set if its declaration has an error.
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
