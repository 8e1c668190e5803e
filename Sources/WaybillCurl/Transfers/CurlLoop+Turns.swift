#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlLoop {
        /// Runs the loop's thread, which takes turns and sleeps in between.
        func run() {
            // Writing to a closed connection must not terminate the process (SIGPIPE), and the app's threads handle
            // signals.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            turn.lock()
            while performCommands() {
                performDueActions()
                guard let milliseconds = sleepTime() else { continue }
                turn.unlock()
                var events: [SocketPoll.Event] = []
                poll.wait(milliseconds: milliseconds) { events.append($0) }
                inbox.withLock { $0.sleep = nil }
                turn.lock()
                now = .now
                for event in events { act(on: event) }
            }
            closeAll()
            turn.unlock()
        }

        /// Takes a turn on the thread that posted a command while the loop's thread sleeps.
        func serve() {
            // The loop's thread is awake, or another thread has the turn and may have read the inbox already.
            guard turn.lockIfAvailable() else { return waker.wake() }
            BrokenPipe.ignored {
                _ = performCommands()
                performDueActions()
            }
            var wakes = nextTime < wakeTime
            inbox.withLock { inbox in
                wakes = wakes || !inbox.commands.isEmpty || inbox.isShutDown
                inbox.sleep = wakes ? nil : sleep
            }
            turn.unlock()
            if wakes { waker.wake() }
        }

        /// Performs the commands in the inbox; returns false if the loop must end.
        private func performCommands() -> Bool {
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
                case .update(let transfer): update(transfer)
                case .expire(let transfer): expire([transfer])
                case .watch(let time): nextDeadline = min(nextDeadline, time)
                }
            }
            return !isShutDown
        }

        /// Performs all due actions and delivers their results.
        private func performDueActions() {
            if hasNewTransfers {
                // libcurl is about to select their connections.
                poll.retireReadable(forget)
                hasNewTransfers = false
            }
            readEarlyResponses()
            act()
            reap()
            checkTimes()
            deliver()
            if closeTime <= now, transfers.isEmpty { closeAll() }
        }

        /// Makes libcurl perform its due actions, in up to 8 rounds, because one action can make another due.
        private func act() {
            var rounds = 0
            while let multi, nextAction <= now, rounds < 8 {
                nextAction = .never
                _ = waybill_curl_multi_act(multi, Int32(WAYBILL_CURL_SOCKET_TIMEOUT), 0)
                rounds += 1
            }
        }

        private func act(on event: SocketPoll.Event) {
            guard let multi, !poll.handleUnawaited(event.socket, retired: forget) else { return }
            var events: Int32 = 0
            if event.isReadable { events |= Int32(WAYBILL_CURL_SELECT_IN) }
            if event.isWritable { events |= Int32(WAYBILL_CURL_SELECT_OUT) }
            // The descriptor may have been reused by now, so a read determines its state.
            if event.hasError { events |= Int32(WAYBILL_CURL_SELECT_ERROR) | Int32(WAYBILL_CURL_SELECT_IN) }
            _ = waybill_curl_multi_act(multi, event.socket, events)
        }

        /// Returns the time to sleep, in milliseconds; nil if there is work to do.
        private func sleepTime() -> Int32? {
            let next = nextTime
            // An unnecessary wake-up costs less than waking the thread for every request with an earlier time limit.
            wakeTime = wakeTime > now ? min(wakeTime, next) : next
            let milliseconds = wakeTime == .never ? -1 : wakeTime.milliseconds(from: .now)
            guard milliseconds != 0 else {
                now = .now
                return nil
            }
            let hasCommands = inbox.withLock { inbox in
                inbox.sleep = inbox.commands.isEmpty && !inbox.isShutDown ? sleep : nil
                return inbox.sleep == nil
            }
            return hasCommands ? nil : milliseconds
        }

        /// The sleep that starts now.
        private var sleep: Sleep { Sleep(start: now, transferCount: transfers.count) }

        /// Ends the transfers that libcurl has completed.
        private func reap() {
            var code: Int32 = 0
            while let multi, let easy = waybill_curl_multi_next_completed(multi, &code) {
                guard let context = waybill_curl_context(easy) else { continue }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                guard case .inFlight(let handle) = transfer.loopState.admission else { continue }
                let outcome = transfer.outcome(code, handle)
                if case .failure(let error) = outcome, error.isUnprocessed, resend(transfer, handle) { continue }
                transfer.end(outcome)
                watchIdleConnection(of: transfer, handle)
                detach(transfer)
                touch(transfer)
            }
        }

        /// Watches the connection of a completed transfer until it is reused.
        ///
        /// HTTP/2 connections are not watched: frames may arrive on them at any time, but cannot be mistaken for the
        /// next response.
        private func watchIdleConnection(of transfer: CurlTransfer, _ handle: CurlHandle) {
            guard let socket = transfer.loopState.socket,
                1...2 ~= waybill_curl_fact_of(handle.easy, WAYBILL_CURL_HTTP_VERSION_USED)
            else { return }
            poll.markIdle(socket, owner: Unmanaged.passUnretained(transfer).toOpaque())
        }

        /// Records activity of a transfer, whose task receives the results at the end of the turn.
        func touch(_ transfer: CurlTransfer) {
            transfer.loopState.activity = now
            guard !transfer.loopState.isTouched else { return }
            transfer.loopState.isTouched = true
            touched.append(transfer)
        }

        private func deliver() {
            guard !touched.isEmpty else { return }
            let ready = touched
            touched.removeAll(keepingCapacity: true)
            for transfer in ready {
                transfer.loopState.isTouched = false
                transfer.deliver()
            }
        }
    }

    extension CurlLoop {
        /// The time of the next action, unless an event occurs first.
        var nextTime: ContinuousTime { min(nextAction, nextCheck, closeTime, nextDeadline) }

        /// Stops the transfers that have exceeded a time limit.
        func checkTimes() {
            if nextDeadline <= now, let session {
                let (expired, next) = session.expire(at: now, on: self)
                nextDeadline = next
                expire(expired)
            }
            var expired: [CurlTransfer] = []
            if nextCheck <= now {
                nextCheck = .never
                for transfer in transfers {
                    if let error = transfer.timeoutError(at: now, configuration.timeouts, next: &nextCheck) {
                        transfer.end(.failure(error))
                        expired.append(transfer)
                    } else if transfer.wake(at: now, next: &nextCheck) {
                        nextAction = now
                    }
                }
            }
            remove(expired)
        }

        /// Ends transfers whose calls have exceeded their time limits.
        private func expire(_ expired: [CurlTransfer]) {
            for transfer in expired { transfer.end(.failure(transfer.totalTimeoutError(configuration.timeouts))) }
            remove(expired)
        }

        /// Removes transfers, all of which have ended already, so that removing one does not start another.
        private func remove(_ expired: [CurlTransfer]) {
            for transfer in expired {
                detach(transfer)
                touch(transfer)
            }
        }
    }

    extension CurlLoop {
        /// Starts the loop's thread, which retains the loop until it ends.
        ///
        /// If the system cannot start a thread, the waiting requests fail, and the next request tries again.
        func start() {
            let context = Unmanaged.passRetained(self)
            let code = waybill_thread_start(
                "Waybill.Curl",
                { context in
                    guard let context else { return }
                    Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
                },
                context.toOpaque()
            )
            guard code != 0 else { return }
            context.release()
            let commands = inbox.withLock { inbox in
                inbox.isRunning = false
                let commands = inbox.commands
                inbox.commands.removeAll { if case .watch = $0 { false } else { true } }
                return commands
            }
            for case .start(let transfer) in commands {
                transfer.end(
                    .failure(TransportError(.other, "a thread cannot be started: \(String(cString: strerror(code)))"))
                )
                transfer.deliver()
                if let (next, loop) = transfer.session.leave(transfer) { loop.post(.start(next)) }
            }
        }
    }
#endif
