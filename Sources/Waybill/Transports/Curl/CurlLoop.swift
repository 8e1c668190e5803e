#if os(Linux)
    internal import CWaybill
    import Foundation

    /// The one thread on which all transfers of a transport go on.
    ///
    /// It sleeps in `epoll_wait` and has libcurl act on what is ready. Tasks put commands into its inbox; what arrives
    /// is handed to them at the end of a turn, so that a small response is there as a whole when its task goes on.
    ///
    /// libcurl's own `multi_poll` would look at every transfer in each turn; with epoll a turn costs what is ready.
    ///
    /// `@unchecked Sendable`: `inbox` is only touched while `lock` is held, everything else that changes on the loop's
    /// thread alone.
    final class CurlLoop: @unchecked Sendable {
        /// What a task asks for.
        enum Command {
            case start(CurlTransfer)
            case stop(CurlTransfer)
            /// Look again whether it may read and send.
            case goOn(CurlTransfer)
        }

        private struct Inbox {
            var commands: [Command] = []
            var isAsleep = false
            var isRunning = false
            var isShutDown = false
        }

        let configuration: CurlTransport.Configuration
        private let waker: SocketWaker
        private let lock = NSLock()
        private var inbox = Inbox()

        private let poll: SocketPoll
        private var multi: waybill_curl_multi?
        private var observer: UnsafeMutablePointer<waybill_curl_observer>?
        private var limit: InFlightLimit<String, CurlTransfer>
        var transfers: [CurlTransfer] = []
        private var touched: [CurlTransfer] = []
        /// Those that were paused before they began.
        private var held: [ObjectIdentifier: CurlTransfer] = [:]
        private var handles: [CurlHandle] = []
        private var now = ContinuousTime.now
        /// When libcurl wants to be called.
        private var action = ContinuousTime.never
        /// When the next limit of time can be exceeded.
        private var check = ContinuousTime.never
        /// When connections that nobody uses are closed.
        private var closing = ContinuousTime.never

        init(_ configuration: CurlTransport.Configuration) throws(TransportError) {
            self.configuration = configuration
            waker = try SocketWaker()
            poll = try SocketPoll(waker: waker)
            limit = InFlightLimit(configuration.connections.perOrigin)
        }

        /// Asks for something, from any thread.
        func post(_ command: Command) {
            let (wakes, starts) = lock.withLock {
                inbox.commands.append(command)
                defer { (inbox.isAsleep, inbox.isRunning) = (false, true) }
                return (inbox.isAsleep, !inbox.isRunning)
            }
            if wakes { waker.wake() }
            if starts { start() }
        }

        /// Ends the thread; nothing is on its way any more.
        func shutDown() {
            lock.withLock {
                inbox.isShutDown = true
                inbox.isAsleep = false
            }
            waker.wake()
        }

        private func start() {
            let thread = Thread { self.run() }
            thread.name = "Waybill.CurlLoop"
            thread.start()
        }
    }

    // MARK: - Turns

    extension CurlLoop {
        private func run() {
            // A peer that is gone must not end the process (SIGPIPE), and signals are for the app's own threads.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            while takeCommands() {
                act()
                reap()
                if check <= now { checkTimes() }
                deliver()
                closeUnused()
                guard let milliseconds = sleepTime() else { continue }
                var events: [SocketPoll.Event] = []
                poll.wait(milliseconds: milliseconds) { events.append($0) }
                lock.withLock { inbox.isAsleep = false }
                now = .now
                for event in events { act(on: event) }
            }
            closeAll()
        }

        /// Does what was asked for; false when the loop is to end.
        private func takeCommands() -> Bool {
            let (commands, isShutDown) = lock.withLock {
                defer { inbox.commands.removeAll(keepingCapacity: true) }
                return (inbox.commands, inbox.isShutDown)
            }
            guard !commands.isEmpty else { return !isShutDown }
            now = .now
            for command in commands {
                switch command {
                case .start(let transfer): begin(transfer)
                case .stop(let transfer): detach(transfer)
                case .goOn(let transfer): goOn(transfer)
                }
            }
            return !isShutDown
        }

        /// Has libcurl do what is due; that can make something else due at once, but not for ever.
        private func act() {
            var rounds = 0
            while let multi, action <= now, rounds < 8 {
                action = .never
                _ = waybill_curl_multi_act(multi, Int32(WAYBILL_CURL_SOCKET_TIMEOUT), 0)
                rounds += 1
            }
        }

        private func act(on event: SocketPoll.Event) {
            guard let multi else { return }
            var events: Int32 = 0
            if event.isReadable { events |= Int32(WAYBILL_CURL_SELECT_IN) }
            if event.isWritable { events |= Int32(WAYBILL_CURL_SELECT_OUT) }
            if event.isBroken { events |= Int32(WAYBILL_CURL_SELECT_ERROR) }
            _ = waybill_curl_multi_act(multi, event.socket, events)
        }

        /// Milliseconds to sleep; nil where there is something to do.
        private func sleepTime() -> Int32? {
            let next = min(action, check, closing)
            let milliseconds = next == .never ? -1 : next.milliseconds(from: .now)
            guard milliseconds != 0 else {
                now = .now
                return nil
            }
            let hasCommands = lock.withLock {
                inbox.isAsleep = inbox.commands.isEmpty && !inbox.isShutDown
                return !inbox.isAsleep
            }
            return hasCommands ? nil : milliseconds
        }

        /// Ends the transfers with which libcurl is done.
        private func reap() {
            var code: Int32 = 0
            while let multi, let easy = waybill_curl_multi_ended(multi, &code) {
                guard let context = waybill_curl_context(easy) else { continue }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                guard case .inFlight(let handle) = transfer.course.place else { continue }
                transfer.end(transfer.outcome(code, handle))
                detach(transfer)
                touch(transfer)
            }
        }

        /// Takes note that something was heard of a transfer; what there is, its task gets at the end of the turn.
        func touch(_ transfer: CurlTransfer) {
            transfer.course.activity = now
            guard !transfer.course.isTouched else { return }
            transfer.course.isTouched = true
            touched.append(transfer)
        }

        private func deliver() {
            guard !touched.isEmpty else { return }
            let ready = touched
            touched.removeAll(keepingCapacity: true)
            for transfer in ready {
                transfer.course.isTouched = false
                transfer.deliver()
            }
        }
    }

    // MARK: - Transfers

    extension CurlLoop {
        private func begin(_ transfer: CurlTransfer) {
            guard case .outside = transfer.course.place, !transfer.hasEnded else { return }
            transfer.course.submission = now
            watchTimes(now.after(configuration.timeouts.total))
            if let control = transfer.request.control {
                transfer.course.controlObserver = control.observe { [weak self, weak transfer] in
                    if let self, let transfer { post(.goOn(transfer)) }
                }
                transfer.course.isHeldByControl = control.isPaused
                guard !transfer.course.isHeldByControl else {
                    held[ObjectIdentifier(transfer)] = transfer
                    return
                }
            }
            enter(transfer)
        }

        private func enter(_ transfer: CurlTransfer) {
            if let ticket = limit.enter(transfer, at: transfer.request.target.origin) {
                transfer.course.place = .waiting(ticket)
            } else {
                attach(transfer)
            }
        }

        private func attach(_ transfer: CurlTransfer) {
            closing = .never
            guard let multi = multi ?? makeMulti(), let handle = handles.popLast() ?? CurlHandle(configuration) else {
                transfer.course.place = .over
                transfer.end(.failure(TransportError(.unavailable, "libcurl has no memory left")))
                touch(transfer)
                leave(transfer)
                return
            }
            transfer.course.place = .inFlight(handle)
            transfer.course.index = transfers.count
            transfers.append(transfer)
            (transfer.course.start, transfer.course.activity) = (now, now)
            let context = Unmanaged.passUnretained(transfer).toOpaque()
            var code = handle.prepare(transfer.request, context: context)
            if code == 0, case .upload(let upload) = transfer.request.body {
                upload.start { [weak self, weak transfer] in
                    if let self, let transfer { post(.goOn(transfer)) }
                }
            }
            if code == 0 { code = waybill_curl_multi_add(multi, handle.easy) == 0 ? 0 : 27 }
            guard code == 0 else {
                transfer.end(.failure(CurlError(code: code, text: handle.text(of: code)).refusal(of: transfer)))
                detach(transfer)
                touch(transfer)
                return
            }
            let timeouts = configuration.timeouts
            watchTimes(min(now.after(timeouts.firstByte), now.after(timeouts.idle)))
        }

        /// Takes a transfer away from libcurl and lets the next one through.
        private func detach(_ transfer: CurlTransfer) {
            if let observer = transfer.course.controlObserver.take() { transfer.request.control?.forget(observer) }
            switch transfer.course.place {
            case .over: return
            case .outside:
                transfer.course.place = .over
                held[ObjectIdentifier(transfer)] = nil
            case .waiting(let ticket):
                transfer.course.place = .over
                limit.abandon(ticket, at: transfer.request.target.origin)
            case .inFlight(let handle):
                // Older versions would wait for the lookup's answer: it is stopped when that has come.
                if transfer.hasEnded, !CurlLibrary.stopsLookups, CurlLibrary.tellsWhenSending,
                    handle.time(WAYBILL_CURL_NAMELOOKUP_TIME) == nil, transfer.course.isStoppable
                {
                    transfer.course.isStoppable = false
                    return
                }
                if let multi { _ = waybill_curl_multi_remove(multi, handle.easy) }
                transfer.course.place = .over
                let last = transfers.removeLast()
                if last !== transfer {
                    transfers[transfer.course.index] = last
                    last.course.index = transfer.course.index
                }
                handle.recycle()
                if handles.count < configuration.connections.perOrigin { handles.append(handle) }
                if case .upload(let upload) = transfer.request.body { upload.stop() }
                leave(transfer)
            }
        }

        private func leave(_ transfer: CurlTransfer) {
            if let next = limit.leave(transfer.request.target.origin) {
                if next.hasEnded {
                    next.course.place = .over
                    leave(next)
                } else {
                    attach(next)
                }
            }
            if transfers.isEmpty { closing = now.after(configuration.connections.idleLifetime) }
        }

        /// Lets a transfer read and send as far as its task and its control let it.
        private func goOn(_ transfer: CurlTransfer) {
            let isHeld = transfer.request.control?.isPaused ?? false
            let wasHeld = transfer.course.isHeldByControl
            transfer.course.isHeldByControl = isHeld
            transfer.course.activity = now
            switch transfer.course.place {
            case .outside:
                guard wasHeld, !isHeld, held.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
                enter(transfer)
            case .inFlight(let handle):
                let wasPaused = transfer.course.isReceivingPaused || transfer.course.isSendingPaused
                guard wasPaused || isHeld != wasHeld else { return }
                transfer.course.isReceivingPaused = isHeld
                transfer.course.isSendingPaused = isHeld
                let mask = isHeld ? WAYBILL_CURL_PAUSE_RECEIVE | WAYBILL_CURL_PAUSE_SEND : 0
                _ = waybill_curl_pause(handle.easy, Int32(mask))
                action = now
            case .waiting, .over: break
            }
        }
    }

    // MARK: - Times

    extension CurlLoop {
        private func watchTimes(_ time: ContinuousTime) { if time < check { check = time } }

        /// Stops the transfers that took too long.
        private func checkTimes() {
            check = .never
            var late: [CurlTransfer] = []
            for transfer in transfers {
                if let error = transfer.lateness(at: now, configuration.timeouts, next: &check) {
                    transfer.end(.failure(error))
                    late.append(transfer)
                }
            }
            // Only the time of the whole call runs for those that wait.
            if configuration.timeouts.total != nil {
                for transfer in limit.waiting + Array(held.values) {
                    if let error = transfer.lateness(at: now, configuration.timeouts, next: &check) {
                        transfer.end(.failure(error))
                        late.append(transfer)
                    }
                }
            }
            for transfer in late {
                detach(transfer)
                touch(transfer)
            }
        }
    }

    // MARK: - libcurl's side

    extension CurlLoop {
        private func makeMulti() -> waybill_curl_multi? {
            let observer = UnsafeMutablePointer<waybill_curl_observer>.allocate(capacity: 1)
            observer.initialize(
                to: waybill_curl_observer(
                    context: Unmanaged.passUnretained(self).toOpaque(),
                    socket: { context, socket, events in
                        guard let context else { return }
                        let loop = Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
                        let isOver = events & Int32(WAYBILL_CURL_POLL_REMOVE) != 0
                        loop.poll.watch(
                            socket,
                            reads: !isOver && events & Int32(WAYBILL_CURL_POLL_IN) != 0,
                            writes: !isOver && events & Int32(WAYBILL_CURL_POLL_OUT) != 0
                        )
                    },
                    timer: { context, milliseconds in
                        guard let context else { return }
                        let loop = Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
                        loop.action =
                            milliseconds < 0 ? .never : loop.now.after(.milliseconds(Int64(milliseconds)))
                    }
                )
            )
            self.observer = observer
            multi = waybill_curl_multi_init(observer, max(1, configuration.connections.idle))
            return multi
        }

        /// Closes the connections when none was used for a while.
        private func closeUnused() {
            guard closing <= now, transfers.isEmpty else { return }
            closeAll()
        }

        private func closeAll() {
            closing = .never
            handles = []
            if let multi { waybill_curl_multi_cleanup(multi) }
            multi = nil
            action = .never
            observer?.deallocate()
            observer = nil
        }
    }
#endif
