import Waybill
import WaybillSystem

/// Sends the writes of the outbox, those of different items at the same time.
actor OutboxSender {
    let core: StoreCore
    private var underWay: [Int64: Task<Void, Never>] = [:]
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

    init(core: StoreCore) { self.core = core }

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
        guard !isSignedOut else { return }
        let order = try await core.read { (connection) throws(StoreError) in try connection.sendingOrder() }
        let now = core.now
        for number in order.ready(at: now, isUrgent: attempts != nil) {
            guard underWay.count < core.settings.concurrentCalls else { return }
            guard underWay[number] == nil, attempts?[number] ?? 0 < 1 else { continue }
            attempts?[number, default: 0] += 1
            underWay[number] = Task { [weak self] in
                await self?.send(number)
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
        defer { attempts = nil }
        while !isClosed {
            await wake()
            if let failure { throw failure }
            guard let task = underWay.first?.value else { return }
            await task.value
            if Task.isCancelled { throw .cancelled }
        }
    }

    /// Lets writes go out again after a sign-in.
    func resume() async {
        isSignedOut = false
        await wake()
    }

    /// Waits for the responses to the writes of a collection that are under way.
    func settle() async {
        for task in underWay.values { await task.value }
    }

    /// Sends nothing more, and waits for what is under way.
    func close() async {
        isClosed = true
        timer?.cancel()
        for task in underWay.values { task.cancel() }
        for task in underWay.values { await task.value }
    }

    // MARK: One write

    private func send(_ number: Int64) async {
        do throws(StoreError) {
            try await attempt(number)
        } catch {
            failure = error
        }
        underWay[number] = nil
        await wake()
    }

    private func attempt(_ number: Int64) async throws(StoreError) {
        guard let claimed = try await core.claim(number) else { return }
        await reportStatus()
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
            let outcome = SendingOutcome(
                error,
                of: claimed.write.operation,
                isRepeatable: claimed.isRepeatable,
                now: core.now
            )
            isOffline = error.status == nil && outcome == .wait(nil)
            if outcome == .signedOut { isSignedOut = true }
            // A server with another version each time would never let a synchronization end.
            if outcome == .conflict, claimed.write.attempts < 5 { attempts?[number] = 0 }
            try await core.settle(claimed, outcome, error)
        }
    }
}
