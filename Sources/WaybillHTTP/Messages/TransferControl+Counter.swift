extension TransferControl {
    /// A counter of the bytes of one transfer, for the progress of its handle.
    ///
    /// A transport of your own makes one for each request, and counts the bytes of both bodies:
    ///
    /// ```swift
    /// let counter = TransferControl.Counter(for: request, options)
    /// counter?.addSent(3)                 // for each chunk that has been sent
    /// counter?.expectToReceive(10)        // from the head of the response
    /// counter?.addReceived(10)            // for each chunk that has come
    /// counter?.end()
    /// ```
    ///
    /// The transfer ends with ``end()``, or when the last reference to the counter is gone. A negative number of bytes
    /// counts as 0.
    public final class Counter: @unchecked Sendable {
        // `@unchecked Sendable`: `progress` is only touched while the lock of the handle is held.
        private let control: TransferControl
        private var progress: TransferControl.Progress
        /// The number of bytes of an upload before those of this request.
        private let offset: Int
        private let isOver = Locked(false)

        /// Creates a counter for a request, whose transfer begins; nil if it has no handle, and nothing is counted.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - options: the options of its transfer.
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

        /// Adds bytes of the request's body.
        ///
        /// - Parameter bytes: the number of bytes since the last call.
        public func addSent(_ bytes: Int) { count { $0.bytesSent = Self.sum($0.bytesSent, bytes) } }

        /// Sets the number of bytes of the request's body that have been sent.
        package func setSent(_ bytes: Int) { count { $0.bytesSent = offset + bytes } }

        /// Sets the length of the response's body.
        ///
        /// - Parameter bytes: the number of bytes; nil if it is not known, as for a body with a
        ///   content coding.
        public func expectToReceive(_ bytes: Int?) { count { $0.bytesExpectedToReceive = bytes.map { max(0, $0) } } }

        /// Adds bytes of the response's body.
        ///
        /// - Parameter bytes: the number of bytes since the last call.
        public func addReceived(_ bytes: Int) { count { $0.bytesReceived = Self.sum($0.bytesReceived, bytes) } }

        /// Ends the transfer, unless it has ended.
        public func end() {
            let wasOver = isOver.withLock { isOver in
                defer { isOver = true }
                return isOver
            }
            if !wasOver { control.end() }
        }

        /// Returns a sum, at most `Int.max`.
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
