#if !canImport(Darwin) && !canImport(Glibc) && !canImport(Musl) && !canImport(Android)
    import Synchronization
#endif

/// A lock that only one thread at a time can hold; not recursive.
///
/// It wraps a POSIX mutex, because the thread sanitizer does not support the standard library's `Mutex`, which is used
/// only where POSIX threads are unavailable.
@usableFromInline
package struct Lock: ~Copyable, @unchecked Sendable {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        // A mutex must not move in memory.
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>

        package init() {
            mutex = .allocate(capacity: 1)
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deinitialize(count: 1)
            mutex.deallocate()
        }

        /// Acquires the lock, blocking until it is available.
        @usableFromInline
        package func lock() { pthread_mutex_lock(mutex) }

        /// Acquires the lock if it is available, without blocking.
        ///
        /// - Returns: true if the lock was acquired.
        package func lockIfAvailable() -> Bool { pthread_mutex_trylock(mutex) == 0 }

        /// Releases the lock.
        @usableFromInline
        package func unlock() { pthread_mutex_unlock(mutex) }
    #else
        private let mutex = Mutex<Void>(())

        package init() {}

        /// Acquires the lock, blocking until it is available.
        @usableFromInline
        package func lock() { mutex._unsafeLock() }

        /// Acquires the lock if it is available, without blocking.
        ///
        /// - Returns: true if the lock was acquired.
        package func lockIfAvailable() -> Bool { mutex._unsafeTryLock() }

        /// Releases the lock.
        @usableFromInline
        package func unlock() { mutex._unsafeUnlock() }
    #endif

    /// Calls a closure while holding the lock; the closure must not call client code.
    @inlinable
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
