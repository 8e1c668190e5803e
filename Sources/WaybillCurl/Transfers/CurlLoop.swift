#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// One of a transport's event loops: a thread that sleeps until a socket is ready.
    ///
    /// The thread sleeps in `epoll_wait` and makes libcurl act on the ready sockets. Tasks post commands to the loop's
    /// inbox, and receive data at the end of a turn, so a small response is complete when its task resumes.
    ///
    /// While the thread sleeps, the task that posts a command performs it, so a request is sent without waking a
    /// thread. While responses keep arriving, the task wakes the thread instead: the thread would soon wake anyway, and
    /// then wait for the task's turn to end. One turn then performs the commands of several tasks, which makes 16 to 64
    /// concurrent transfers 11 to 17 % faster. Only one thread at a time has the turn, and only that thread uses
    /// libcurl and the loop's state.
    ///
    /// libcurl's `multi_poll` would check every transfer in each turn; with epoll, the cost of a turn depends only on
    /// the ready sockets.
    ///
    /// `@unchecked Sendable`: `inbox` has a lock, and all other mutable state is only accessed while `turn` is held.
    final class CurlLoop: @unchecked Sendable {
        /// A command from a task.
        enum Command {
            case start(CurlTransfer)
            case stop(CurlTransfer)
            /// Pauses or resumes the transfer.
            case update(CurlTransfer)
            /// Ends the transfer, because its call has exceeded its time limit.
            case expire(CurlTransfer)
            /// Checks for expired deadlines at the given time.
            case watch(ContinuousTime)
        }

        /// A sleep of the loop's thread.
        struct Sleep {
            let start: ContinuousTime
            let transferCount: Int

            /// Whether a response will probably end the sleep soon, because several transfers are in flight and the
            /// sleep started within the last millisecond.
            func isAboutToEnd(at now: @autoclosure () -> ContinuousTime) -> Bool {
                transferCount > 2 && now() < start.after(.milliseconds(1))
            }
        }

        struct Inbox {
            var commands: [Command] = []
            /// The thread's current sleep; nil while it is awake.
            var sleep: Sleep?
            var isRunning = false
            var isShutDown = false
        }

        let configuration: CurlTransport.Configuration
        /// The index of the loop in its session.
        let index: Int
        let idleConnections: Int
        let waker: SocketWaker
        let poll: SocketPoll
        let inbox = Locked(Inbox())
        let turn = Lock()

        var multi: waybill_curl_multi?
        var observer: UnsafeMutablePointer<waybill_curl_observer>?
        /// The session, set before the first transfer; nil once it has been released after the last transfer.
        weak var session: CurlSession?
        var transfers: [CurlTransfer] = []
        var touched: [CurlTransfer] = []
        /// The origins of open connections, keyed by socket.
        var origins: [Int32: CurlSession.Scheduler.Origin] = [:]
        /// The sockets on which an HTTP/2 response without TLS has started.
        var sharedSockets: Set<Int32> = []
        /// The uploads that wait until libcurl has read the bytes received during them.
        var uploadsWithResponses: [CurlTransfer] = []
        /// The last processed streams of connections that their servers are closing (RFC 9113, section 6.8).
        var lastStreams: [CurlConnectionEnds: Int] = [:]
        /// Creates the handle of a transfer; returns nil if memory cannot be allocated.
        var makeHandle: (CurlTransport.Configuration) -> CurlHandle? = { CurlHandle($0) }
        /// The TLS sessions that new connections can resume.
        var sessions: waybill_curl_share?
        /// Whether transfers without connections have been added to libcurl.
        var hasNewTransfers = false

        var now = ContinuousTime.now
        /// The time of libcurl's next action.
        var nextAction = ContinuousTime.never
        /// The time of the next check for expired calls.
        var nextDeadline = ContinuousTime.never
        /// The earliest time at which any limit other than that on a whole call can be exceeded.
        var nextCheck = ContinuousTime.never
        /// The time at which all connections will be closed unless a transfer starts.
        var closeTime = ContinuousTime.never
        /// The latest time at which the thread wakes up.
        var wakeTime = ContinuousTime.never

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

        /// Posts a command from any thread.
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
            // All handles have been freed, because their transfers retain the loop.
            if let sessions { waybill_curl_share_cleanup(sessions) }
        }

        /// Ends the thread after all transfers have ended.
        func shutDown() {
            inbox.withLock { inbox in
                inbox.isShutDown = true
                inbox.sleep = nil
            }
            waker.wake()
        }
    }
#endif
