import Waybill
import WaybillSystem

/// Sends the writes of the outbox, those of different items at the same time.
actor OutboxSender {
    let core: StoreCore
    /// The requests that are under way, by the numbers of their first writes.
    private(set) var requests: [Int64: Task<Void, Never>] = [:]

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

    /// The requests that may be sent, in their order; the outbox is read again when they are used up.
    private var planned: ArraySlice<[Int64]> = []

    /// The responses that the database could not take, by the first writes of their requests.
    private var held: [Int64: (claimed: ClaimedRequest, sent: SentRequest)] = [:]

    /// The number of the last status that was counted, and of the last one that was shown.
    var statusNumbers = (counted: 0, shown: 0)

    /// Whether the database may have entries in the state `sending` that are not being sent.
    private var mayBeStranded = false

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
                try await concludeHeld()
                try await schedule()
                failure = nil
            } catch {
                failure = error
                wait(until: core.now + 5, core.now)
            }
        }
        scheduling = nil
        await reportStatus()
    }

    private func schedule() async throws(StoreError) {
        guard !isSignedOut, !waitsForNetwork else { return }
        if mayBeStranded {
            let underWay = underWay
            try await core.write { (store) throws(StoreError) in try store.freeStranded(except: underWay) }
            mayBeStranded = false
        }
        // The outbox is read once for many requests. Later writes are sent after them.
        if planned.isEmpty || isUrgent { try await plan() }
        while let numbers = planned.first {
            guard requests.count < core.settings.concurrentCalls else { return }
            planned = planned.dropFirst()
            guard let first = numbers.first, underWay.isDisjoint(with: numbers) else { continue }
            for number in numbers { attempts?[number, default: 0] += 1 }
            underWay.formUnion(numbers)
            urgent.subtract(numbers)
            requests[first] = Task { [weak self] in
                await self?.send(numbers)
            }
        }
    }

    /// Reads the outbox, and plans the requests that may be sent now.
    private func plan() async throws(StoreError) {
        try await core.openDeclared()
        let users = core.registry.servedUsers
        let order = try await core.read { (connection) throws(StoreError) in try connection.sendingOrder(of: users) }
        let (now, core) = (core.now, core)
        if isUrgent { urgent = Set(order.ready(at: now, isUrgent: true)) }
        isUrgent = false
        let due = Set(order.ready(at: now, isUrgent: attempts != nil))
        let ready = order.ready(at: now, isUrgent: true)
            .filter { due.contains($0) || urgent.contains($0) }
            .filter { !underWay.contains($0) && attempts?[$0] ?? 0 < 1 }
        planned =
            order.requests(of: ready, size: core.settings.batchSize) { entry in
                guard let operation = entry.operation.batched,
                    let collection = core.registry.collections(entry.collection).first
                else { return false }
                return collection.resource.batches.contains(operation)
            }[...]
        wait(until: order.nextDate(after: now), now)
    }

    /// Lets the outbox be read again before anything else is sent.
    private func forgetPlan() { planned = [] }

    /// Gives the database the responses that it could not take.
    private func concludeHeld() async throws(StoreError) {
        for (first, response) in held.sorted(by: { $0.key < $1.key }) {
            try await conclude(response.claimed, response.sent)
            held[first] = nil
            underWay.subtract(response.claimed.numbers)
            forgetPlan()
        }
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

    /// Begins to send everything that can be sent, each write once; afterwards, all that may be sent at once is under
    /// way.
    ///
    /// Waits of the store's own are passed over, those that a server has asked for are not.
    func beginDraining() async {
        isSignedOut = false
        attempts = [:]
        conflicts = [:]
        forgetPlan()
        await wake()
    }

    /// Sends what may follow, and waits for the responses.
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
                // Otherwise a request has just ended, and others may follow it.
                return
            }
        }
    }

    /// Lets writes go out again after a sign-in.
    func resume() async {
        isSignedOut = false
        forgetPlan()
        await wake()
    }

    /// Holds all writes back until a sign-in.
    func waitForSignIn() async {
        isSignedOut = true
        urgent = []
        forgetPlan()
        await reportStatus()
    }

    /// Waits for the responses to the writes that are under way.
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
        // The next run treats a response that the database rejects here as lost.
        try? await concludeHeld()
    }

    // MARK: One request

    private func send(_ numbers: [Int64]) async {
        do throws(StoreError) {
            try await attempt(numbers)
        } catch {
            failure = error
            mayBeStranded = true
        }
        if numbers.first.map({ held[$0] == nil }) ?? true { underWay.subtract(numbers) }
        if let first = numbers.first { requests[first] = nil }
        if failure == nil { return await wake() }
        // A synchronization ends with the error; the store itself tries again a little later.
        if attempts == nil { wait(until: core.now + 5, core.now) }
    }

    private func attempt(_ numbers: [Int64]) async throws(StoreError) {
        guard let claimed = try await core.claim(numbers) else { return }
        await reportStatus()
        let ready: ClaimedRequest
        if claimed.writes.contains(where: \.needsReading) {
            switch try await core.compared(claimed) {
            case .ready(let request): ready = request
            case .nothing(let conflicts): return repeatAfterConflict(conflicts)
            case .failed(let error, let reply):
                note(reply, error, of: claimed)
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
            // The response is known, and must not be asked for a second time.
            if let first = numbers.first { held[first] = (ready, sent) }
            failure = error
        }
    }

    private func conclude(_ claimed: ClaimedRequest, _ sent: SentRequest) async throws(StoreError) {
        let conclusion = try await core.conclude(claimed, sent)
        if let reply = conclusion.reply {
            if case .failed(let error) = sent { note(reply, error, of: claimed) }
        } else {
            isOffline = false
        }
        if conclusion.isConflict { return repeatAfterConflict(conclusion.again) }
        for number in conclusion.again { attempts?[number] = 0 }
    }

    /// Lets a synchronization send writes again, unless their server has another version each time.
    private func repeatAfterConflict(_ numbers: [Int64]) {
        for number in numbers {
            conflicts[number, default: 0] += 1
            if conflicts[number] ?? 0 < 5 { attempts?[number] = 0 }
        }
    }

    /// Notes whether an error says that there is no server, or that a sign-in is needed.
    private func note(_ reply: OutboxReply, _ error: APIError, of claimed: ClaimedRequest) {
        // A reply to a former user's request does not affect the current user.
        guard core.registry.isServed(claimed.collection) else { return }
        isOffline = error.status == nil && reply.wait == nil && (reply.kind == .notSent || reply.kind == .lost)
        if reply.kind == .unauthorized { isSignedOut = true }
    }

    /// Stores held responses, and lets stranded entries wait again.
    func recover() async throws(StoreError) {
        try await concludeHeld()
        guard mayBeStranded else { return }
        let underWay = underWay
        try await core.write { (store) throws(StoreError) in try store.freeStranded(except: underWay) }
        mayBeStranded = false
    }
}
