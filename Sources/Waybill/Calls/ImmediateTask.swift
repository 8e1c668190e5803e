/// Tasks that begin on the thread of their creator.
package enum ImmediateTask {
    /// Starts a task that works at once, on the caller's thread, until it has to wait.
    ///
    /// Work that need not wait, or that waits for a transport, then needs no other thread to begin. Systems before
    /// those of 2025 start it like any other task.
    package static func start<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value
    ) -> Task<Value, Never> {
        if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
            return .immediate(operation: work)
        }
        return Task(operation: work)
    }
}
