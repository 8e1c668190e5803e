import Waybill
import WaybillLimits
import WaybillSystem

/// An actor that sends pending writes, in parallel for different items.
actor OutboxSender {
    let core: StoreCore

    /// The requests in flight, by the number of their first write.
    private(set) var requests: [Int64: Task<Void, Never>] = [:]

    /// The writes that are in flight or whose responses are not stored yet.
    private var inFlight: Set<Int64> = []
    private var timer: Task<Void, Never>?
    private var scheduling: Task<Void, Never>?
    private var mustSchedule = false
    private var isClosed = false

    /// Whether all writes wait for a sign-in.
    private(set) var isSignedOut = false

    /// Whether the last call failed without reaching a server.
    private(set) var isOffline = false

    /// The last error from reading or writing the outbox; sending is retried after five seconds or with the next write.
    private(set) var failure: StoreError?

    /// The number of attempts in the current synchronization, by write; nil outside a synchronization.
    ///
    /// A synchronization sends each write once, and again after a conflict or individually after a failed batch.
    private var attempts: [Int64: Int]?

    /// The number of conflicts in the current synchronization, by write.
    private var conflicts: [Int64: Int] = [:]

    /// Whether the network has reconnected since the outbox was last read.
    private var hasReconnected = false

    /// The writes to send without waiting for the end of their backoff.
    private var urgent: Set<Int64> = []

    /// Whether the network was connected after the last change.
    private var wasConnected = true

    /// The task that observes the network.
    private var networkObservation: Task<Void, Never>?

    /// The requests to send next, in order.
    ///
    /// Once all are in flight, the outbox is read again.
    private var planned: ArraySlice<[Int64]> = []

    /// The responses that the database failed to store, by the first write of their requests.
    private var unstored: [Int64: (claimed: ClaimedRequest, sent: SentRequest)] = [:]

    /// The sequence numbers of the last status count started and of the last one reported.
    var statusNumbers = (started: 0, reported: 0)

    /// Whether the database may contain entries in the state `sending` that are not in flight.
    private var mayHaveStrandedEntries = false

    init(core: StoreCore) { self.core = core }

    /// Observes a network, and sends waiting writes whenever it reconnects.
    func observe(_ network: NetworkMonitor?) {
        guard let network, networkObservation == nil else { return }
        networkObservation = Task { [weak self] in
            for await isConnected in network.changes { await self?.networkDidChange(isConnected: isConnected) }
        }
    }

    deinit { networkObservation?.cancel() }

    private func networkDidChange(isConnected: Bool) async {
        defer { wasConnected = isConnected }
        guard isConnected else { return await reportStatus() }
        hasReconnected = !wasConnected
        await wake()
    }

    /// Whether writes wait for a network; a synchronization sends them even without one.
    var waitsForNetwork: Bool { attempts == nil && core.settings.network?.isConnected == false }

    // MARK: Scheduling

    /// Starts sending all writes that can be sent now, up to the limit on concurrent calls.
    func wake() async {
        guard !isClosed else { return }
        mustSchedule = true
        let task = scheduling ?? Task { await self.scheduleAll() }
        scheduling = task
        // Once the task ends, all of these requests are in flight.
        await task.value
    }

    private func scheduleAll() async {
        while mustSchedule, !isClosed {
            mustSchedule = false
            do throws(StoreError) {
                try await concludeUnstored()
                try await schedule()
                failure = nil
            } catch {
                failure = error
                scheduleWake(at: core.now + 5, core.now)
            }
        }
        scheduling = nil
        await reportStatus()
    }

    private func schedule() async throws(StoreError) {
        guard !isSignedOut, !waitsForNetwork else { return }
        if mayHaveStrandedEntries {
            let inFlight = inFlight
            try await core.write { (store) throws(StoreError) in try store.requeueStranded(except: inFlight) }
            mayHaveStrandedEntries = false
        }
        // Read the outbox once for many requests. Writes added later are sent after these.
        if planned.isEmpty || hasReconnected { try await plan() }
        while let numbers = planned.first {
            guard requests.count < core.settings.concurrentCalls else { return }
            planned = planned.dropFirst()
            guard let first = numbers.first, inFlight.isDisjoint(with: numbers) else { continue }
            for number in numbers { attempts?[number, default: 0] += 1 }
            inFlight.formUnion(numbers)
            urgent.subtract(numbers)
            requests[first] = Task { [weak self] in
                await self?.attemptAndReschedule(numbers)
            }
        }
    }

    /// Reads the outbox, and plans the requests to send now.
    private func plan() async throws(StoreError) {
        try await core.openDeclared()
        let users = core.registry.activeUsers
        let order = try await core.read { (connection) throws(StoreError) in try connection.sendingOrder(of: users) }
        let (now, core) = (core.now, core)
        if hasReconnected { urgent = Set(order.ready(at: now, ignoringBackoff: true)) }
        hasReconnected = false
        let due = Set(order.ready(at: now, ignoringBackoff: attempts != nil))
        let ready = order.ready(at: now, ignoringBackoff: true)
            .filter { due.contains($0) || urgent.contains($0) }
            .filter { !inFlight.contains($0) && attempts?[$0] ?? 0 < 1 }
        planned =
            order.requests(of: ready, size: core.settings.batchSize) { entry in
                guard let operation = entry.operation.batched,
                    let collection = core.registry.collections(entry.collection).first
                else { return false }
                return collection.resource.batches.contains(operation)
            }[...]
        scheduleWake(at: order.nextDate(after: now), now)
    }

    /// Discards the plan, so that the outbox is read again before the next request.
    private func discardPlan() { planned = [] }

    /// Stores the responses that the database failed to store earlier.
    private func concludeUnstored() async throws(StoreError) {
        for (first, response) in unstored.sorted(by: { $0.key < $1.key }) {
            try await conclude(response.claimed, response.sent)
            unstored[first] = nil
            inFlight.subtract(response.claimed.numbers)
            discardPlan()
        }
    }

    private func scheduleWake(at date: Date?, _ now: Date) {
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

    /// Starts sending all writes that can be sent, each once, and returns when the first requests are in flight.
    ///
    /// The store's backoff is ignored, but delays requested by servers are not.
    func beginDraining() async {
        isSignedOut = false
        attempts = [:]
        conflicts = [:]
        discardPlan()
        await wake()
    }

    /// Sends the remaining writes, and waits for the responses.
    func finishDraining() async throws(StoreError) {
        defer { attempts = nil }
        while !isClosed {
            await wake()
            if let failure { throw failure }
            if let task = requests.first?.value {
                await task.value
                if let failure { throw failure }
                if Task.isCancelled { throw .cancelled }
            } else if scheduling == nil {
                // While scheduling is still running, more requests may start.
                return
            }
        }
    }

    /// Resumes sending after a sign-in.
    func resume() async {
        isSignedOut = false
        discardPlan()
        await wake()
    }

    /// Suspends sending until a sign-in.
    func suspendUntilSignIn() async {
        isSignedOut = true
        urgent = []
        discardPlan()
        await reportStatus()
    }

    /// Waits for the responses to the requests in flight.
    func waitForRequestsInFlight() async {
        for task in requests.values { await task.value }
    }

    /// Stops sending, cancels the requests in flight, and waits until they end.
    func close() async {
        isClosed = true
        timer?.cancel()
        networkObservation?.cancel()
        for task in requests.values { task.cancel() }
        for task in requests.values { await task.value }
        // If the database fails to store a response again, the next run treats the response as lost.
        try? await concludeUnstored()
    }

    // MARK: One request

    /// Attempts to send writes in one request, and then schedules more requests or a retry.
    private func attemptAndReschedule(_ numbers: [Int64]) async {
        do throws(StoreError) {
            try await attempt(numbers)
        } catch {
            failure = error
            mayHaveStrandedEntries = true
        }
        if numbers.first.map({ unstored[$0] == nil }) ?? true { inFlight.subtract(numbers) }
        if let first = numbers.first { requests[first] = nil }
        if failure == nil { return await wake() }
        // If a synchronization is running, it fails with the error. Otherwise, retry in five seconds.
        if attempts == nil { scheduleWake(at: core.now + 5, core.now) }
    }

    private func attempt(_ numbers: [Int64]) async throws(StoreError) {
        guard let claimed = try await core.claim(numbers) else { return }
        await reportStatus()
        let ready: ClaimedRequest
        if claimed.writes.contains(where: \.needsReading) {
            switch try await core.readAndCompare(claimed) {
            case .ready(let request): ready = request
            case .nothing(let conflicts): return repeatAfterConflict(conflicts)
            case .failed(let error, let reply):
                updateConnectionState(reply, error, of: claimed)
                _ = try await core.conclude(claimed, reply, OutboxEntry.Failure(error), error: error)
                return
            case .unreadable(let failure):
                _ = try await core.conclude(claimed, OutboxReply(.rejected), failure, error: nil)
                return
            }
        } else {
            ready = claimed
        }
        let sent = await ready.transmit()
        do throws(StoreError) {
            try await conclude(ready, sent)
        } catch {
            // Keep the response: the request must not be sent a second time.
            if let first = numbers.first { unstored[first] = (ready, sent) }
            failure = error
        }
    }

    private func conclude(_ claimed: ClaimedRequest, _ sent: SentRequest) async throws(StoreError) {
        let conclusion = try await core.conclude(claimed, sent)
        if let reply = conclusion.reply {
            if case .failed(let error) = sent { updateConnectionState(reply, error, of: claimed) }
        } else {
            isOffline = false
        }
        if conclusion.isConflict { return repeatAfterConflict(conclusion.again) }
        for number in conclusion.again { attempts?[number] = 0 }
    }

    /// Allows the current synchronization to send writes again, until each has conflicted five times.
    private func repeatAfterConflict(_ numbers: [Int64]) {
        for number in numbers {
            conflicts[number, default: 0] += 1
            if conflicts[number] ?? 0 < 5 { attempts?[number] = 0 }
        }
    }

    /// Records whether a failed request did not reach a server, or needs a sign-in.
    private func updateConnectionState(_ reply: OutboxReply, _ error: APIError, of claimed: ClaimedRequest) {
        // A reply to a previous user's request does not affect the current user.
        guard core.registry.isActive(claimed.collection) else { return }
        isOffline = error.status == nil && reply.retryDelay == nil && (reply.kind == .notSent || reply.kind == .lost)
        if reply.kind == .unauthorized { isSignedOut = true }
    }

    /// Stores responses that are not stored yet, and requeues stranded entries.
    func recover() async throws(StoreError) {
        try await concludeUnstored()
        guard mayHaveStrandedEntries else { return }
        let inFlight = inFlight
        try await core.write { (store) throws(StoreError) in try store.requeueStranded(except: inFlight) }
        mayHaveStrandedEntries = false
    }
}
