import WaybillSystem

/// The state of a decoding or encoding call, whose memory is reused by later calls on the same thread.
protocol PooledSession: AnyObject {
    init()

    /// The next session in the pool.
    var next: Self? { get set }
}

extension PooledSession {
    /// The number of sessions in the pool from this one on.
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

/// A pool of reusable sessions for each thread.
///
/// Access to a thread's own sessions needs no lock. A call takes its session out of the pool, so a nested call from an
/// `init(from:)` or `encode(to:)` takes the next one or creates another. The outer call ends last and returns its
/// session to the top, so the next calls at each level get a session that has already processed similar documents.
struct SessionPool<Session: PooledSession>: Sendable {
    #if os(Windows) || os(WASI)
        // Without POSIX threads, each call creates a session.
        func take() -> Session { Session() }

        func leave(_ session: Session) {}
    #else
        /// The maximum number of sessions kept per thread.
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

        /// Removes the first session from the pool and returns it, or creates one if the pool is empty.
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

        /// Returns a session to the thread's pool for a later call.
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
