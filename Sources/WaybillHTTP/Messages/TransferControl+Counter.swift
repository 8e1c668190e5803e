extension TransferControl {
    /// A counter of a transfer's bytes, which updates the progress of the transfer's handle.
    ///
    /// A custom transport creates one for each request and counts the bytes of both bodies:
    ///
    /// ```swift
    /// let counter = TransferControl.Counter(for: request, options)
    /// counter?.addSent(3)                 // for each chunk that has been sent
    /// counter?.expectToReceive(10)        // from the head of the response
    /// counter?.addReceived(10)            // for each chunk that has arrived
    /// counter?.end()
    /// ```
    ///
    /// The transfer ends when ``end()`` is called or the last reference to the counter is released. Negative numbers of
    /// bytes count as 0.
    public final class Counter: @unchecked Sendable {
        // `@unchecked Sendable`: `progress` is only accessed while the handle's lock is held.
        private let control: TransferControl
        private var progress: TransferControl.Progress
        /// The number of upload bytes before this request's body.
        private let offset: Int
        private let isOver = Locked(false)

        /// Creates a counter and records the start of the transfer; returns nil if the options contain no handle.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - options: the options of the transfer.
        public init?(for request: HTTPRequest, _ options: TransferOptions) {
            guard let control = options.control else { return nil }
            self.control = control
            let length = options.uploadPart?.length ?? (request.body == nil ? 0 : request.body?.length)
            offset = options.uploadPart?.offset ?? 0
            progress = TransferControl.Progress(attempt: options.attempt, bytesExpectedToSend: length)
            progress.bytesSent = offset
            control.begin()
            count { _ in }
        }

        deinit { end() }

        /// Adds to the number of request body bytes sent.
        ///
        /// - Parameter bytes: the number of bytes since the last call.
        public func addSent(_ bytes: Int) { count { $0.bytesSent = Self.sum($0.bytesSent, bytes) } }

        /// Sets the number of bytes sent of this request's body.
        package func setSent(_ bytes: Int) { count { $0.bytesSent = offset + bytes } }

        /// Sets the expected length of the response body.
        ///
        /// - Parameter bytes: the length in bytes; nil if unknown, as for a body with a content coding.
        public func expectToReceive(_ bytes: Int?) { count { $0.bytesExpectedToReceive = bytes.map { max(0, $0) } } }

        /// Adds to the number of response body bytes received.
        ///
        /// - Parameter bytes: the number of bytes since the last call.
        public func addReceived(_ bytes: Int) { count { $0.bytesReceived = Self.sum($0.bytesReceived, bytes) } }

        /// Records the end of the transfer, unless it has already ended.
        public func end() {
            let wasOver = isOver.withLock { isOver in
                defer { isOver = true }
                return isOver
            }
            if !wasOver { control.end() }
        }

        /// Returns the sum, clamped to `Int.max`.
        private static func sum(_ count: Int, _ bytes: Int) -> Int {
            let (sum, isTooLarge) = count.addingReportingOverflow(max(0, bytes))
            return isTooLarge ? .max : sum
        }

        private func count(_ change: (inout TransferControl.Progress) -> Void) {
            control.publish {
                change(&progress)
                return progress
            }
        }
    }
}
