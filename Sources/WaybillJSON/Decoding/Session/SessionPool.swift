import WaybillSystem

/// The memory of one decoding or encoding, which a thread reuses for its next one.
protocol PooledSession: AnyObject {
    init()

    /// The session below it in the pool.
    var next: Self? { get set }
}

extension PooledSession {
    /// The number of sessions from this one on in the pool.
    fileprivate var countInPool: Int {
        var count = 1
        var session = next
        while let below = session {
            count += 1
            session = below.next
        }
        return count
    }
}

/// The sessions that each thread keeps.
///
/// The sessions of a thread need no lock. A call removes its session from the pool, so that a call within it, from an
/// `init(from:)` or an `encode(to:)`, takes the next one or creates another. The outer call ends last and puts its
/// session on top, so that next time each call has the session that knows its documents.
struct SessionPool<Session: PooledSession>: Sendable {
    #if os(Windows) || os(WASI)
        // Without POSIX threads, each call begins anew.
        func take() -> Session { Session() }

        func leave(_ session: Session) {}
    #else
        /// The most sessions that a thread keeps.
        static var maximumCount: Int { 4 }

        private let key: pthread_key_t?

        init() {
            var key = pthread_key_t()
            let result = pthread_key_create(&key) { leftOver in
                #if canImport(Darwin)
                    Unmanaged<AnyObject>.fromOpaque(leftOver).release()
                #else
                    if let leftOver { Unmanaged<AnyObject>.fromOpaque(leftOver).release() }
                #endif
            }
            self.key = result == 0 ? key : nil
        }

        /// Removes the first session of the pool and returns it; a new one if the pool is empty.
        func take() -> Session {
            guard let key, let leftOver = pthread_getspecific(key) else { return Session() }
            let session = Unmanaged<Session>.fromOpaque(leftOver).takeRetainedValue()
            pthread_setspecific(key, nil)
            if let next = session.next {
                session.next = nil
                put(next, key)
            }
            return session
        }

        /// Returns a session to the thread, for its next call.
        func leave(_ session: Session) {
            guard let key else { return }
            if let leftOver = pthread_getspecific(key) {
                let next = Unmanaged<Session>.fromOpaque(leftOver)
                guard next.takeUnretainedValue().countInPool < Self.maximumCount else { return }
                session.next = next.takeRetainedValue()
            }
            put(session, key)
        }

        private func put(_ session: Session, _ key: pthread_key_t) {
            let leftOver = Unmanaged.passRetained(session)
            if pthread_setspecific(key, leftOver.toOpaque()) != 0 { leftOver.release() }
        }
    #endif
}
