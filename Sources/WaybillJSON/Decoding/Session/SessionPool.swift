import WaybillSystem

/// The sessions that a thread has left over from its last decoding.
///
/// A thread of its own needs no lock, and no two calls can have the same session: a call takes it away, and one within
/// that call, from an `init(from:)`, takes the next or makes another. The outer call ends last and leaves its session
/// on top, so that next time each has the one that knows its documents.
enum SessionPool {
    #if os(Windows) || os(WASI)
        // Without POSIX threads, each decoding begins anew.
        static func take() -> DecodingSession { DecodingSession() }

        static func leave(_ session: DecodingSession) {}
    #else
        /// More are not kept.
        static let maximumCount = 4

        private static let key: pthread_key_t? = {
            var key = pthread_key_t()
            let result = pthread_key_create(&key) { leftOver in
                #if canImport(Darwin)
                    Unmanaged<DecodingSession>.fromOpaque(leftOver).release()
                #else
                    if let leftOver { Unmanaged<DecodingSession>.fromOpaque(leftOver).release() }
                #endif
            }
            return result == 0 ? key : nil
        }()

        /// Takes the thread's session, or a new one.
        static func take() -> DecodingSession {
            guard let key, let leftOver = pthread_getspecific(key) else { return DecodingSession() }
            let session = Unmanaged<DecodingSession>.fromOpaque(leftOver).takeRetainedValue()
            pthread_setspecific(key, nil)
            if let next = session.next {
                session.next = nil
                put(next, key)
            }
            return session
        }

        /// Leaves a session for the thread's next decoding.
        static func leave(_ session: DecodingSession) {
            guard let key else { return }
            if let leftOver = pthread_getspecific(key) {
                let next = Unmanaged<DecodingSession>.fromOpaque(leftOver)
                guard next.takeUnretainedValue().countInPool < maximumCount else { return }
                session.next = next.takeRetainedValue()
            }
            put(session, key)
        }

        private static func put(_ session: DecodingSession, _ key: pthread_key_t) {
            let leftOver = Unmanaged.passRetained(session)
            if pthread_setspecific(key, leftOver.toOpaque()) != 0 { leftOver.release() }
        }
    #endif
}
