#if os(Linux)
    internal import CWaybill
    import Foundation

    extension CurlLoop {
        /// What the thread does: turns, and sleep where there is nothing to do.
        func run() {
            // A peer that is gone must not end the process (SIGPIPE), and signals are for the app's own threads.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            turn.lock()
            while takeCommands() {
                goOn()
                guard let milliseconds = sleepTime() else { continue }
                turn.unlock()
                var events: [SocketPoll.Event] = []
                poll.wait(milliseconds: milliseconds) { events.append($0) }
                inbox.withLock { $0.isAsleep = false }
                turn.lock()
                now = .now
                for event in events { act(on: event) }
            }
            closeAll()
            turn.unlock()
        }

        /// Takes a turn on the thread of whoever put something into the inbox, in place of the one that sleeps.
        func serve() {
            // That one is awake already, or another has this turn: it may have looked into the inbox before.
            guard turn.try() else { return waker.wake() }
            BrokenPipe.ignored {
                _ = takeCommands()
                goOn()
            }
            var wakes = nextTime < alarm
            inbox.withLock { inbox in
                wakes = wakes || !inbox.commands.isEmpty || inbox.isShutDown
                inbox.isAsleep = !wakes
            }
            turn.unlock()
            if wakes { waker.wake() }
        }

        /// Does what was asked for; false when the loop is to end.
        private func takeCommands() -> Bool {
            let (commands, isShutDown) = inbox.withLock { inbox in
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

        /// Does what is due, and hands out what has come of it.
        private func goOn() {
            if hasNewTransfers {
                // libcurl chooses their connections now.
                poll.retireReadable()
                hasNewTransfers = false
            }
            act()
            reap()
            checkTimes()
            deliver()
            closeUnused()
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
            guard let multi, !poll.takeUnawaited(event.socket) else { return }
            var events: Int32 = 0
            if event.isReadable { events |= Int32(WAYBILL_CURL_SELECT_IN) }
            if event.isWritable { events |= Int32(WAYBILL_CURL_SELECT_OUT) }
            // By now the socket may be another one of that number: reading tells what is the matter with it.
            if event.isBroken { events |= Int32(WAYBILL_CURL_SELECT_ERROR) | Int32(WAYBILL_CURL_SELECT_IN) }
            _ = waybill_curl_multi_act(multi, event.socket, events)
        }

        /// Milliseconds to sleep; nil where there is something to do.
        private func sleepTime() -> Int32? {
            let next = nextTime
            // What the thread wakes for in vain costs less than to wake it for each request that has another time.
            alarm = alarm > now ? min(alarm, next) : next
            let milliseconds = alarm == .never ? -1 : alarm.milliseconds(from: .now)
            guard milliseconds != 0 else {
                now = .now
                return nil
            }
            let hasCommands = inbox.withLock { inbox in
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
                rest(transfer, handle)
                detach(transfer)
                touch(transfer)
            }
        }

        /// Has the connection of a transfer that is complete watched until it is used again.
        ///
        /// Over HTTP/2 frames may arrive at any time, and none can be taken for another response.
        private func rest(_ transfer: CurlTransfer, _ handle: CurlHandle) {
            guard let socket = transfer.course.socket,
                1...2 ~= waybill_curl_fact_of(handle.easy, WAYBILL_CURL_HTTP_VERSION_USED)
            else { return }
            poll.rest(socket, owner: Unmanaged.passUnretained(transfer).toOpaque())
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
#endif
