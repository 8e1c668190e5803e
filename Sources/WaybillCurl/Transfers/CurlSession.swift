#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// The state shared by the copies of a transport.
    ///
    /// It consists of the loops, which end with the last copy, and one limit on requests in flight for all loops.
    ///
    /// A transfer belongs to the session until it is admitted, and to one loop from then on.
    final class CurlSession: Sendable {
        /// The state of a transfer, which changes only while the session's lock is held.
        enum Place {
            /// The transfer has not been started.
            case new
            /// The transfer's control paused it before it was admitted.
            case held
            case queued(Scheduler.Origin, Scheduler.Ticket)
            case admitted(CurlLoop)
            case over
        }

        typealias Scheduler = TransferScheduler<CurlTransfer>

        private struct State {
            var scheduler: Scheduler
            /// All transfers that have not ended, with the deadlines of their whole calls.
            var deadlines: DeadlineQueue<CurlTransfer>
            /// The time at which the first loop checks for expired deadlines.
            var alarm = ContinuousTime.never
        }

        let configuration: CurlTransport.Configuration
        let loops: [CurlLoop]
        private let state: Locked<State>

        /// Creates the loops, whose threads start with their first transfers.
        ///
        /// - Parameters:
        ///   - configuration: the configuration.
        ///   - processors: the number of the machine's processors.
        ///   - busyLoad: the number of requests in flight at which a loop is considered busy.
        /// - Throws: `TransportError` of kind `TransportError.Kind.unavailable` if the system is out of descriptors.
        init(
            _ configuration: CurlTransport.Configuration,
            processors: Int = ProcessInfo.processInfo.activeProcessorCount,
            busyLoad: Int = 8
        ) throws(TransportError) {
            self.configuration = configuration
            let idle = configuration.connections.idle
            let count = max(1, min(configuration.loops, processors, idle > 0 ? idle : .max))
            var loops: [CurlLoop] = []
            for index in 0..<count {
                // The loops share the limit on idle connections.
                let share = idle / count + (index < idle % count ? 1 : 0)
                loops.append(try CurlLoop(configuration, index: index, idleConnections: share))
            }
            self.loops = loops
            state = Locked(
                State(
                    scheduler: Scheduler(
                        limit: configuration.connections.perOrigin,
                        loopCount: count,
                        busyLoad: busyLoad,
                        idleConnections: idle > 0 ? idle / count : .max
                    ),
                    deadlines: DeadlineQueue(configuration.timeouts.total)
                )
            )
            for loop in loops { loop.session = self }
        }

        // Transfers in flight keep the session alive, so none of them is abandoned.
        deinit { for loop in loops { loop.shutDown() } }
    }

    // MARK: - Before a transfer is admitted

    extension CurlSession {
        /// Starts a transfer at once, or when its control and the limit on requests in flight allow it.
        ///
        /// - Parameters:
        ///   - transfer: the transfer.
        ///   - time: the time at which its deadline starts; nil for now.
        func start(_ transfer: CurlTransfer, at time: ContinuousTime? = nil) {
            let control = transfer.request.options.control
            let observer = control?.observe { [weak transfer] in
                if let transfer { transfer.session.update(transfer) }
            }
            let (isOver, loop, alarm) = state.withLock { state -> (Bool, CurlLoop?, ContinuousTime?) in
                // The transfer was stopped before it was started.
                guard case .new = transfer.place else { return (true, nil, nil) }
                let alarm = addDeadline(of: transfer, at: time, in: &state)
                guard control == nil else {
                    transfer.controlObserver = observer
                    transfer.place = .held
                    return (false, nil, alarm)
                }
                return (false, admit(transfer, in: &state.scheduler), alarm)
            }
            if let alarm { loops[0].post(.watch(alarm)) }
            loop?.post(.start(transfer))
            guard let control else { return }
            if !isOver { update(transfer) } else if let observer { control.removeObserver(observer) }
        }

        /// Continues or pauses a transfer according to its control.
        func update(_ transfer: CurlTransfer) {
            let isHeld = transfer.request.options.control?.isPaused ?? false
            let command = state.withLock { state -> (CurlLoop, CurlLoop.Command)? in
                switch transfer.place {
                case .held:
                    guard !isHeld, let loop = admit(transfer, in: &state.scheduler) else { return nil }
                    return (loop, .start(transfer))
                case .admitted(let loop): return (loop, .update(transfer))
                case .new, .queued, .over: return nil
                }
            }
            if let (loop, command) = command { loop.post(command) }
        }

        /// Removes a transfer that has ended, from its loop if it has been admitted.
        func stop(_ transfer: CurlTransfer) {
            let (loop, observer) = state.withLock { state -> (CurlLoop?, Int?) in
                if case .admitted(let loop) = transfer.place { return (loop, nil) }
                return (nil, withdraw(transfer, in: &state))
            }
            loop?.post(.stop(transfer))
            if let observer { transfer.request.options.control?.removeObserver(observer) }
        }

        /// Returns the loop of a transfer that is admitted at once; otherwise adds it to the queue and returns nil.
        private func admit(_ transfer: CurlTransfer, in scheduler: inout Scheduler) -> CurlLoop? {
            let target = transfer.request.target
            switch scheduler.enter(transfer, at: target.origin, mayShareConnections: transfer.version != .http1) {
            case .queued(let origin, let ticket):
                transfer.place = .queued(origin, ticket)
                return nil
            case .admitted(let slot): return place(transfer, in: slot)
            }
        }

        private func place(_ transfer: CurlTransfer, in slot: Scheduler.Slot) -> CurlLoop {
            let loop = loops[slot.loop]
            transfer.loopState.slot = slot
            transfer.loop = loop
            transfer.place = .admitted(loop)
            return loop
        }

        /// Removes a transfer that has no loop, and its deadline; returns its observer, which the caller must
        /// unregister.
        private func withdraw(_ transfer: CurlTransfer, in state: inout State) -> Int? {
            if case .queued(let origin, let ticket) = transfer.place { state.scheduler.abandon(ticket, at: origin) }
            return finish(transfer, in: &state)
        }

        private func finish(_ transfer: CurlTransfer, in state: inout State) -> Int? {
            transfer.place = .over
            if let deadline = transfer.deadline.take() { state.deadlines.remove(deadline) }
            return transfer.controlObserver.take()
        }
    }

    // MARK: - Loop events

    extension CurlSession {
        /// Removes a transfer that its loop has ended, and admits the next one.
        ///
        /// - Parameter transfer: the transfer.
        /// - Returns: the transfer admitted in its place, and that transfer's loop, which has not been notified yet.
        func leave(_ transfer: CurlTransfer) -> (CurlTransfer, CurlLoop)? {
            guard let slot = transfer.loopState.slot.take() else { return nil }
            let isMultiplexed = transfer.sharesConnections
            let (next, observer) = state.withLock { state in
                let observer = finish(transfer, in: &state)
                if let isMultiplexed { state.scheduler.learn(isMultiplexed: isMultiplexed, at: slot.origin) }
                guard let (next, slot) = state.scheduler.leave(slot) else {
                    return (nil as (CurlTransfer, CurlLoop)?, observer)
                }
                return ((next, place(next, in: slot)), observer)
            }
            if let observer { transfer.request.options.control?.removeObserver(observer) }
            return next
        }

        /// Records that a transfer uses a connection.
        ///
        /// - Parameters:
        ///   - transfer: the transfer.
        ///   - former: the origin that the connection was previously used for; nil for a new connection.
        func connect(_ transfer: CurlTransfer, former: Scheduler.Origin?) {
            guard var slot = transfer.loopState.slot, slot.isUnconnected || slot.origin !== former else { return }
            state.withLock { state in
                state.scheduler.connect(&slot)
                guard slot.origin !== former else { return }
                state.scheduler.open(slot.origin, loop: slot.loop)
                if let former { state.scheduler.close(former, loop: slot.loop) }
            }
            transfer.loopState.slot = slot
        }

        /// Records that a loop has closed a connection.
        func close(_ origin: Scheduler.Origin, on loop: CurlLoop) {
            state.withLock { $0.scheduler.close(origin, loop: loop.index) }
        }

        /// Ends the transfers whose deadlines have passed: directly if they have no loop, otherwise in their loops.
        ///
        /// - Parameters:
        ///   - now: the current time.
        ///   - caller: the loop that watches the deadlines.
        /// - Returns: the transfers of the calling loop, which have not been ended yet, and the time of the next
        ///   deadline.
        func expire(at now: ContinuousTime, on caller: CurlLoop) -> (own: [CurlTransfer], next: ContinuousTime) {
            var (own, waiting): ([CurlTransfer], [(CurlTransfer, Int?)]) = ([], [])
            var others: [(CurlTransfer, CurlLoop)] = []
            let next = state.withLock { state in
                while let transfer = state.deadlines.popOverdue(at: now) {
                    transfer.deadline = nil
                    if case .admitted(let loop) = transfer.place {
                        if loop === caller { own.append(transfer) } else { others.append((transfer, loop)) }
                    } else {
                        waiting.append((transfer, withdraw(transfer, in: &state)))
                    }
                }
                state.alarm = state.deadlines.next
                return state.alarm
            }
            for (transfer, observer) in waiting {
                if let observer { transfer.request.options.control?.removeObserver(observer) }
                transfer.end(.failure(transfer.overdue(configuration.timeouts)))
                transfer.deliver()
            }
            for (transfer, loop) in others { loop.post(.expire(transfer)) }
            return (own, next)
        }

        /// Adds the deadline of a transfer.
        ///
        /// - Returns: the time at which the first loop must check for deadlines; nil if it checks earlier anyway.
        private func addDeadline(
            of transfer: CurlTransfer,
            at time: ContinuousTime?,
            in state: inout State
        ) -> ContinuousTime? {
            guard configuration.timeouts.total != nil else { return nil }
            transfer.deadline = state.deadlines.append(transfer, at: time ?? .now)
            guard state.deadlines.next < state.alarm else { return nil }
            state.alarm = state.deadlines.next
            return state.alarm
        }
    }
#endif
