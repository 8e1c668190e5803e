extension Task where Failure == Never {
    /// Starts a task that works at once, on the caller's thread, until it has to wait.
    ///
    /// Work that need not wait, or that waits for a transport, then needs no other thread to begin. Systems before
    /// those of 2025 start it like any other task.
    package static func immediately(_ work: sending @escaping @isolated(any) () async -> Success) -> Task {
        if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
            return .immediate(operation: work)
        }
        return Task(operation: work)
    }
}
