#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// The state shared by the copies of a transport: its loops, and the limit on requests in flight.
    ///
    /// A transfer belongs to the session until it is admitted, and to one loop afterwards. The loops end when the last
    /// copy of the transport has been released.
    final class CurlSession: Sendable {
        /// The stage of a transfer, which changes only while the session's lock is held.
        enum Stage {
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
            /// The transfers that have not ended, with the deadlines of their calls.
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
        ///   - processors: the number of processors.
        ///   - busyLoad: the number of requests in flight at which a loop is considered busy.
        /// - Throws: `TransportError` of kind `TransportError.Kind.unavailable` if no file descriptors are available.
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

        // Transfers retain the session, so all of them have ended.
        deinit { for loop in loops { loop.shutDown() } }
    }

    // MARK: - Before a transfer is admitted

    extension CurlSession {
        /// Starts a transfer as soon as its control and the limit on requests in flight allow it.
        ///
        /// - Parameters:
        ///   - transfer: the transfer.
        ///   - time: the start of its time limit; nil for now.
        func start(_ transfer: CurlTransfer, at time: ContinuousTime? = nil) {
            let control = transfer.request.options.control
            let observer = control?.observe { [weak transfer] in
                if let transfer { transfer.session.update(transfer) }
            }
            let (isOver, loop, alarm) = state.withLock { state -> (Bool, CurlLoop?, ContinuousTime?) in
                // The transfer was stopped before it was started.
                guard case .new = transfer.stage else { return (true, nil, nil) }
                let alarm = addDeadline(of: transfer, at: time, in: &state)
                guard control == nil else {
                    transfer.controlObserver = observer
                    transfer.stage = .held
                    return (false, nil, alarm)
                }
                return (false, admit(transfer, in: &state.scheduler), alarm)
            }
            if let alarm { loops[0].post(.watch(alarm)) }
            loop?.post(.start(transfer))
            guard let control else { return }
            if !isOver { update(transfer) } else if let observer { control.removeObserver(observer) }
        }

        /// Pauses or resumes a transfer, as its control requires.
        func update(_ transfer: CurlTransfer) {
            let isHeld = transfer.request.options.control?.isPaused ?? false
            let command = state.withLock { state -> (CurlLoop, CurlLoop.Command)? in
                switch transfer.stage {
                case .held:
                    guard !isHeld, let loop = admit(transfer, in: &state.scheduler) else { return nil }
                    return (loop, .start(transfer))
                case .admitted(let loop): return (loop, .update(transfer))
                case .new, .queued, .over: return nil
                }
            }
            if let (loop, command) = command { loop.post(command) }
        }

        /// Removes a transfer that has ended, also from its loop if it has been admitted.
        func stop(_ transfer: CurlTransfer) {
            let (loop, observer) = state.withLock { state -> (CurlLoop?, Int?) in
                if case .admitted(let loop) = transfer.stage { return (loop, nil) }
                return (nil, withdraw(transfer, in: &state))
            }
            loop?.post(.stop(transfer))
            if let observer { transfer.request.options.control?.removeObserver(observer) }
        }

        /// Admits a transfer and returns its loop, or adds the transfer to the queue and returns nil.
        private func admit(_ transfer: CurlTransfer, in scheduler: inout Scheduler) -> CurlLoop? {
            let target = transfer.request.target
            switch scheduler.enter(transfer, at: target.origin, mayShareConnections: transfer.version != .http1) {
            case .queued(let origin, let ticket):
                transfer.stage = .queued(origin, ticket)
                return nil
            case .admitted(let slot): return assign(transfer, to: slot)
            }
        }

        private func assign(_ transfer: CurlTransfer, to slot: Scheduler.Slot) -> CurlLoop {
            let loop = loops[slot.loop]
            transfer.loopState.slot = slot
            transfer.loop = loop
            transfer.stage = .admitted(loop)
            return loop
        }

        /// Removes a transfer without a loop, and its deadline; returns its observer, which the caller must remove.
        private func withdraw(_ transfer: CurlTransfer, in state: inout State) -> Int? {
            if case .queued(let origin, let ticket) = transfer.stage { state.scheduler.abandon(ticket, at: origin) }
            return finish(transfer, in: &state)
        }

        private func finish(_ transfer: CurlTransfer, in state: inout State) -> Int? {
            transfer.stage = .over
            if let deadline = transfer.deadline.take() { state.deadlines.remove(deadline) }
            return transfer.controlObserver.take()
        }
    }

    // MARK: - Loop events

    extension CurlSession {
        /// Removes a transfer that its loop has ended, and admits the next one.
        ///
        /// - Parameter transfer: the transfer.
        /// - Returns: the transfer admitted in its place, and that transfer's loop, which must still be notified.
        func leave(_ transfer: CurlTransfer) -> (CurlTransfer, CurlLoop)? {
            guard let slot = transfer.loopState.slot.take() else { return nil }
            let isMultiplexed = transfer.sharesConnections
            let (next, observer) = state.withLock { state in
                let observer = finish(transfer, in: &state)
                if let isMultiplexed { state.scheduler.setMultiplexed(isMultiplexed, at: slot.origin) }
                guard let (next, slot) = state.scheduler.leave(slot) else {
                    return (nil as (CurlTransfer, CurlLoop)?, observer)
                }
                return ((next, assign(next, to: slot)), observer)
            }
            if let observer { transfer.request.options.control?.removeObserver(observer) }
            return next
        }

        /// Records that a transfer uses a connection.
        ///
        /// - Parameters:
        ///   - transfer: the transfer.
        ///   - former: the origin for which the connection was used before; nil for a new connection.
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
        ///   - caller: the calling loop, which watches the deadlines.
        /// - Returns: the expired transfers of the calling loop, which it must end, and the time of the next deadline.
        func expire(at now: ContinuousTime, on caller: CurlLoop) -> (expired: [CurlTransfer], next: ContinuousTime) {
            var (expired, waiting): ([CurlTransfer], [(CurlTransfer, Int?)]) = ([], [])
            var others: [(CurlTransfer, CurlLoop)] = []
            let next = state.withLock { state in
                while let transfer = state.deadlines.popExpired(at: now) {
                    transfer.deadline = nil
                    if case .admitted(let loop) = transfer.stage {
                        if loop === caller { expired.append(transfer) } else { others.append((transfer, loop)) }
                    } else {
                        waiting.append((transfer, withdraw(transfer, in: &state)))
                    }
                }
                state.alarm = state.deadlines.next
                return state.alarm
            }
            for (transfer, observer) in waiting {
                if let observer { transfer.request.options.control?.removeObserver(observer) }
                transfer.end(.failure(transfer.totalTimeoutError(configuration.timeouts)))
                transfer.deliver()
            }
            for (transfer, loop) in others { loop.post(.expire(transfer)) }
            return (expired, next)
        }

        /// Adds the deadline of a transfer.
        ///
        /// - Returns: the time at which the first loop must check the deadlines; nil if it checks them earlier anyway.
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
