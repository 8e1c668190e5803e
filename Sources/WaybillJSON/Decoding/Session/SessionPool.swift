import Foundation

/// The session that a thread has left over from its last decoding.
///
/// A thread of its own needs no lock, and no two calls can have the same session: a call takes it away, and one within
/// that call, from an `init(from:)`, finds none and makes another.
enum SessionPool {
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
        pthread_setspecific(key, nil)
        return Unmanaged<DecodingSession>.fromOpaque(leftOver).takeRetainedValue()
    }

    /// Leaves a session for the thread's next decoding.
    static func leave(_ session: DecodingSession) {
        guard let key, pthread_getspecific(key) == nil else { return }
        let leftOver = Unmanaged.passRetained(session)
        if pthread_setspecific(key, leftOver.toOpaque()) != 0 { leftOver.release() }
    }
}
