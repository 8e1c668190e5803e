#if os(Linux)
    internal import CWaybill
    import Foundation

    /// What keeps all transfers of a transport going: a thread that sleeps until something is ready.
    ///
    /// It sleeps in `epoll_wait` and has libcurl act on what is ready. Tasks put commands into its inbox; what arrives
    /// is handed to them at the end of a turn, so that a small response is there as a whole when its task goes on.
    ///
    /// While the thread sleeps, whoever puts a command into the inbox does it on the spot: a request goes out without
    /// a thread being woken for it. One at a time has its turn, and only then touches libcurl and what is kept here.
    ///
    /// libcurl's own `multi_poll` would look at every transfer in each turn; with epoll a turn costs what is ready.
    ///
    /// `@unchecked Sendable`: `inbox` has a lock, everything else that changes is only touched while `turn` is held.
    final class CurlLoop: @unchecked Sendable {
        /// What a task asks for.
        enum Command {
            case start(CurlTransfer)
            case stop(CurlTransfer)
            /// Look again whether it may read and send.
            case goOn(CurlTransfer)
        }

        struct Inbox {
            var commands: [Command] = []
            var isAsleep = false
            var isRunning = false
            var isShutDown = false
        }

        let configuration: CurlTransport.Configuration
        let waker: SocketWaker
        let poll: SocketPoll
        let inbox = Locked(Inbox())
        let turn = NSLock()

        var multi: waybill_curl_multi?
        var observer: UnsafeMutablePointer<waybill_curl_observer>?
        var limit: InFlightLimit<String, CurlTransfer>
        var transfers: [CurlTransfer] = []
        var touched: [CurlTransfer] = []
        /// All that have come and not gone, with the time of the whole call.
        var deadlines: DeadlineLine<CurlTransfer>
        /// Those that were paused before they began.
        var held: [ObjectIdentifier: CurlTransfer] = [:]
        /// Creates the handle of a transfer; nil if there is no memory for it.
        var makeHandle: (CurlTransport.Configuration) -> CurlHandle? = { CurlHandle($0) }
        /// The sessions of TLS that a new connection can resume.
        var sessions: waybill_curl_share?
        /// Whether a transfer was given to libcurl that has not taken a connection yet.
        var hasNewTransfers = false

        var now = ContinuousTime.now
        /// When libcurl wants to be called.
        var action = ContinuousTime.never
        /// When the next limit of time can be exceeded, but for that of the whole call.
        var check = ContinuousTime.never
        /// When connections that nobody uses are closed.
        var closing = ContinuousTime.never
        /// Until when the thread sleeps at the most.
        var alarm = ContinuousTime.never

        init(_ configuration: CurlTransport.Configuration) throws(TransportError) {
            self.configuration = configuration
            waker = try SocketWaker()
            poll = try SocketPoll(waker: waker)
            limit = InFlightLimit(configuration.connections.perOrigin)
            deadlines = DeadlineLine(configuration.timeouts.total)
        }

        /// Asks for something, from any thread.
        func post(_ command: Command) {
            let (serves, starts) = inbox.withLock { inbox in
                inbox.commands.append(command)
                defer { (inbox.isAsleep, inbox.isRunning) = (false, true) }
                return (inbox.isAsleep, !inbox.isRunning)
            }
            if serves { serve() }
            if starts { start() }
        }

        deinit {
            // Its handles are gone, as their transfers keep the loop.
            if let sessions { waybill_curl_share_cleanup(sessions) }
        }

        /// Ends the thread; nothing is on its way any more.
        func shutDown() {
            inbox.withLock { inbox in
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
#endif
