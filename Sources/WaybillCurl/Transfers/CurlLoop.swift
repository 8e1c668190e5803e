#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// One of the event loops of a transport: a thread that sleeps until a socket is ready.
    ///
    /// It sleeps in `epoll_wait` and lets libcurl act on the sockets that are ready. Tasks put commands into its inbox;
    /// received data is delivered to them at the end of a turn, so that a small response is complete when its task
    /// resumes.
    ///
    /// While the thread sleeps, the task that posts a command performs it itself: a request is sent without waking a
    /// thread. While responses keep arriving, the task wakes the thread instead: the thread would soon wait for the end
    /// of the task's turn. One turn then performs the commands of several tasks, and 16 to 64 transfers are 11 to 17 %
    /// faster. One thread at a time has its turn, and only then uses libcurl and the state of the loop.
    ///
    /// libcurl's own `multi_poll` would check every transfer in each turn; with epoll the cost of a turn depends only
    /// on the sockets that are ready.
    ///
    /// `@unchecked Sendable`: `inbox` has a lock, everything else that changes is only touched while `turn` is held.
    final class CurlLoop: @unchecked Sendable {
        /// A command of a task.
        enum Command {
            case start(CurlTransfer)
            case stop(CurlTransfer)
            /// Checks again whether the transfer may read and send.
            case update(CurlTransfer)
            /// Ends the transfer, because the time of its whole call is over.
            case expire(CurlTransfer)
            /// Looks for deadlines that have passed, at a time.
            case watch(ContinuousTime)
        }

        /// The sleep of the loop's thread.
        struct Sleep {
            let start: ContinuousTime
            let transferCount: Int

            /// Whether a response will soon end it: several transfers are in flight, and one of them was active in the
            /// last millisecond.
            func isAboutToEnd(at now: @autoclosure () -> ContinuousTime) -> Bool {
                transferCount > 2 && now() < start.after(.milliseconds(1))
            }
        }

        struct Inbox {
            var commands: [Command] = []
            /// The thread's sleep; nil while it is awake.
            var sleep: Sleep?
            var isRunning = false
            var isShutDown = false
        }

        let configuration: CurlTransport.Configuration
        /// Its index among the loops of its session.
        let index: Int
        let idleConnections: Int
        let waker: SocketWaker
        let poll: SocketPoll
        let inbox = Locked(Inbox())
        let turn = Lock()

        var multi: waybill_curl_multi?
        var observer: UnsafeMutablePointer<waybill_curl_observer>?
        /// The session; it is set before the first transfer, and nil when the last one has ended.
        weak var session: CurlSession?
        var transfers: [CurlTransfer] = []
        var touched: [CurlTransfer] = []
        /// The origins for which the sockets of open connections are used.
        var origins: [Int32: CurlSession.Scheduler.Origin] = [:]
        /// The sockets over which a response of HTTP/2 without TLS has begun.
        var sharedSockets: Set<Int32> = []
        /// The uploads that wait until libcurl has read what their servers have sent.
        var answered: [CurlTransfer] = []
        /// The last streams that are processed on connections that their servers end (RFC 9113, section 6.8).
        var lastStreams: [CurlConnectionEnds: Int] = [:]
        /// The function that creates the handle of a transfer; nil if there is no memory for it.
        var makeHandle: (CurlTransport.Configuration) -> CurlHandle? = { CurlHandle($0) }
        /// The TLS sessions that a new connection can resume.
        var sessions: waybill_curl_share?
        /// Whether a transfer was added to libcurl that has no connection yet.
        var hasNewTransfers = false

        var now = ContinuousTime.now
        /// The time at which libcurl wants to be called.
        var action = ContinuousTime.never
        /// The time at which it looks for deadlines of whole calls that have passed.
        var deadline = ContinuousTime.never
        /// The earliest time at which a limit can be exceeded, other than that of the whole call.
        var check = ContinuousTime.never
        /// The time at which idle connections are closed.
        var closing = ContinuousTime.never
        /// The time at which the thread wakes up at the latest.
        var alarm = ContinuousTime.never

        init(
            _ configuration: CurlTransport.Configuration,
            index: Int,
            idleConnections: Int
        ) throws(TransportError) {
            self.configuration = configuration
            (self.index, self.idleConnections) = (index, idleConnections)
            waker = try SocketWaker()
            poll = try SocketPoll(waker: waker)
        }

        /// Adds a command to the inbox; safe to call from any thread.
        func post(_ command: Command) {
            let (sleep, starts) = inbox.withLock { inbox in
                inbox.commands.append(command)
                defer { (inbox.sleep, inbox.isRunning) = (nil, true) }
                return (inbox.sleep, !inbox.isRunning)
            }
            if let sleep { sleep.isAboutToEnd(at: .now) ? waker.wake() : serve() }
            if starts { start() }
        }

        deinit {
            // Its handles are gone, because their transfers keep the loop alive.
            if let sessions { waybill_curl_share_cleanup(sessions) }
        }

        /// Ends the thread, after all transfers have ended.
        func shutDown() {
            inbox.withLock { inbox in
                inbox.isShutDown = true
                inbox.sleep = nil
            }
            waker.wake()
        }
    }
#endif
