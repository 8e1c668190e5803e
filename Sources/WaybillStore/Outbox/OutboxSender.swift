import Waybill
import WaybillSystem

/// Sends the writes of the outbox, those of different items at the same time.
actor OutboxSender {
    let core: StoreCore
    /// The requests that are under way, by the numbers of their first writes.
    private var requests: [Int64: Task<Void, Never>] = [:]

    /// The writes that are under way.
    private var underWay: Set<Int64> = []
    private var timer: Task<Void, Never>?
    private var scheduling: Task<Void, Never>?
    private var mustSchedule = false
    private var isClosed = false

    /// Whether all writes wait for a sign-in.
    private(set) var isSignedOut = false

    /// Whether the last call found no server.
    private(set) var isOffline = false

    /// The error that kept the outbox from being read or written; it is tried again with the next write.
    private(set) var failure: StoreError?

    /// The attempts of a synchronization by their writes: it sends each write once, and again after a conflict.
    private var attempts: [Int64: Int]?

    /// The conflicts of a synchronization by their writes.
    private var conflicts: [Int64: Int] = [:]

    /// Whether there is a network again, since the outbox was read.
    private var isUrgent = false

    /// The writes that are sent before their waits of the store's own are over.
    private var urgent: Set<Int64> = []

    /// Whether there was a network when it was last heard of.
    private var wasConnected = true

    /// The task that follows the network.
    private var following: Task<Void, Never>?

    init(core: StoreCore) { self.core = core }

    /// Sends what waits whenever the network comes back.
    func follow(_ network: NetworkMonitor?) {
        guard let network, following == nil else { return }
        following = Task { [weak self] in
            for await isConnected in network.changes { await self?.note(isConnected: isConnected) }
        }
    }

    deinit { following?.cancel() }

    private func note(isConnected: Bool) async {
        defer { wasConnected = isConnected }
        guard isConnected else { return await reportStatus() }
        isUrgent = !wasConnected
        await wake()
    }

    /// Whether writes wait because there is no network; what is asked for by name is tried all the same.
    var waitsForNetwork: Bool { attempts == nil && core.settings.network?.isConnected == false }

    // MARK: Scheduling

    /// Sends what may be sent now.
    func wake() async {
        guard !isClosed else { return }
        mustSchedule = true
        let task = scheduling ?? Task { await self.scheduleAll() }
        scheduling = task
        // Afterwards, all that may be sent is under way.
        await task.value
    }

    private func scheduleAll() async {
        while mustSchedule, !isClosed {
            mustSchedule = false
            do throws(StoreError) {
                try await schedule()
                failure = nil
            } catch {
                failure = error
            }
        }
        scheduling = nil
        await reportStatus()
    }

    private func schedule() async throws(StoreError) {
        guard !isSignedOut, !waitsForNetwork else { return }
        let order = try await core.read { (connection) throws(StoreError) in try connection.sendingOrder() }
        let (now, core) = (core.now, core)
        if isUrgent { urgent = Set(order.ready(at: now, isUrgent: true)) }
        isUrgent = false
        let due = Set(order.ready(at: now, isUrgent: attempts != nil))
        let ready = order.ready(at: now, isUrgent: true)
            .filter { due.contains($0) || urgent.contains($0) }
            .filter { !underWay.contains($0) && attempts?[$0] ?? 0 < 1 }
        let next = order.requests(of: ready, size: core.settings.batchSize) { entry in
            guard let operation = entry.operation.batched, let collection = core.collection(at: entry.url) else {
                return false
            }
            return collection.resource.batches.contains(operation)
        }
        for numbers in next {
            guard requests.count < core.settings.concurrentCalls else { return }
            guard let first = numbers.first else { continue }
            for number in numbers { attempts?[number, default: 0] += 1 }
            underWay.formUnion(numbers)
            urgent.subtract(numbers)
            requests[first] = Task { [weak self] in
                await self?.send(numbers)
            }
        }
        wait(until: order.nextDate(after: now), now)
    }

    private func wait(until date: Date?, _ now: Date) {
        timer?.cancel()
        guard let date else {
            timer = nil
            return
        }
        let clock = core.clock
        timer = Task { [weak self] in
            do { try await clock.sleep(for: .seconds(date.timeIntervalSince(now))) } catch { return }
            await self?.wake()
        }
    }

    /// Sends everything that can be sent, each write once, and waits for the responses.
    ///
    /// Waits of the store's own are passed over, those that a server has asked for are not.
    func drain() async throws(StoreError) {
        isSignedOut = false
        attempts = [:]
        conflicts = [:]
        defer { attempts = nil }
        while !isClosed {
            await wake()
            if let failure { throw failure }
            if let task = requests.first?.value {
                await task.value
                if Task.isCancelled { throw .cancelled }
            } else if scheduling == nil {
                // Otherwise a request has just ended, and others may follow it.
                return
            }
        }
    }

    /// Lets writes go out again after a sign-in.
    func resume() async {
        isSignedOut = false
        await wake()
    }

    /// Waits for the responses to the writes of a collection that are under way.
    func settle() async {
        for task in requests.values { await task.value }
    }

    /// Sends nothing more, and waits for what is under way.
    func close() async {
        isClosed = true
        timer?.cancel()
        following?.cancel()
        for task in requests.values { task.cancel() }
        for task in requests.values { await task.value }
    }

    // MARK: One request

    private func send(_ numbers: [Int64]) async {
        do throws(StoreError) {
            try await attempt(numbers)
        } catch {
            failure = error
        }
        underWay.subtract(numbers)
        if let first = numbers.first { requests[first] = nil }
        await wake()
    }

    private func attempt(_ numbers: [Int64]) async throws(StoreError) {
        guard let request = try await core.claim(numbers) else { return }
        await reportStatus()
        if request.isBatch {
            let (error, alone) = try await core.send(request)
            if let error { note(error, of: request.first) } else { isOffline = false }
            for number in alone { attempts?[number] = 0 }
            return
        }
        let claimed: ClaimedWrite
        switch try await core.compared(request.first) {
        case .unchanged(let write): claimed = write
        case .conflict: return repeatAfterConflict(request.first)
        case .done: return
        case .failed(let error):
            note(error, of: request.first, isRepeatable: true)
            return
        }
        let result: Result<SentWrite, APIError>
        do throws(APIError) {
            result = .success(try await claimed.collection.resource.send(claimed))
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let sent):
            isOffline = false
            try await core.settle(claimed, sent)
        case .failure(let error):
            let outcome = note(error, of: claimed)
            if outcome == .conflict { repeatAfterConflict(claimed) }
            try await core.settle(claimed, outcome, error)
        }
    }

    /// Lets a synchronization send a write again, unless its server has another version each time.
    private func repeatAfterConflict(_ claimed: ClaimedWrite) {
        let number = claimed.write.number
        conflicts[number, default: 0] += 1
        if conflicts[number] ?? 0 < 5 { attempts?[number] = 0 }
    }

    /// Notes whether an error says that there is no server, or that a sign-in is needed.
    @discardableResult
    private func note(
        _ error: APIError,
        of claimed: ClaimedWrite,
        isRepeatable: Bool? = nil
    ) -> SendingOutcome {
        let outcome = SendingOutcome(
            error,
            of: claimed.write.operation,
            isRepeatable: isRepeatable ?? claimed.isRepeatable,
            now: core.now
        )
        isOffline = error.status == nil && outcome == .wait(nil)
        if outcome == .signedOut { isSignedOut = true }
        return outcome
    }
}
