import WaybillSystem

/// The facts that a call knows of a transfer beside its message, for the transport that sends it.
///
/// ```swift
/// let response = try await transport.send(request, options: TransferOptions(control: control))
/// ```
public struct TransferOptions: Sendable {
    /// The declared path with each value replaced by `{}`, such as `products/{}/reviews`, or the name of the call; nil
    /// for a request that belongs to no call.
    ///
    /// Logs, metrics and stubs use it as a key; it is not sent.
    public var template: String?

    /// A handle that pauses the transfer and reports its progress, if the transport can do that.
    public var control: TransferControl?

    /// The time limit that the call declares; nil if it declares none.
    ///
    /// A transport's own limits on silence yield to a longer one: see ``silenceLimit(_:)``.
    public var timeLimit: TimeLimit?

    /// The number of the attempt of the call, counted from 1.
    public var attempt = 1

    /// The report that the transport is to fill; nil if nothing of it will be read.
    public var report: TransferReport?

    /// The part of a resumable upload that the request sends; nil for any other request.
    package var uploadPart: UploadPart?

    /// Returns the values that the declaration of the call makes secret; nil for a request that belongs to none.
    package var secretValues: (@Sendable () -> [String])?

    /// Creates the options of a request that belongs to no call.
    ///
    /// - Parameters:
    ///   - template: the key by which stubs and recordings know the request.
    ///   - control: a handle that pauses the transfer and reports its progress.
    ///   - timeLimit: the time limit of the whole call.
    ///   - report: what the transport is to report.
    public init(
        template: String? = nil,
        control: TransferControl? = nil,
        timeLimit: TimeLimit? = nil,
        report: TransferReport? = nil
    ) {
        self.template = template
        self.control = control
        self.timeLimit = timeLimit
        self.report = report
    }
}

extension TransferOptions {
    /// A declared time limit of a whole call.
    public enum TimeLimit: Sendable, Hashable {
        /// The time from the start of the call to the last byte of its response.
        case duration(Duration)
        /// The call may take any time.
        case none
    }

    /// Returns the time for which a connection of this transfer may be silent.
    ///
    /// A response that is declared to take 70 seconds, such as that of a long poll, must not end after the 60 seconds
    /// that a transport allows by itself.
    ///
    /// - Parameter limit: the transport's own limit; nil for none.
    /// - Returns: the longer one of the own limit and the declared one; nil if one of them is missing.
    public func silenceLimit(_ limit: Duration?) -> Duration? {
        switch (limit, timeLimit) {
        case (nil, _), (_, TimeLimit.none?): nil
        case (let limit?, .duration(let declared)?): max(limit, declared)
        case (let limit?, nil): limit
        }
    }
}

/// The part of a resumable upload that a request sends, and the receiver of interim responses to it.
///
/// A class, because a request is copied at each of its steps.
package final class UploadPart: Sendable {
    /// The number of bytes of the upload before this part.
    package let offset: Int

    /// The number of bytes of the whole upload.
    package let length: Int

    /// Receives an interim response with the URL that sent it, on a thread of the transport: it must not wait.
    package let receive: @Sendable (HTTPResponse.Status, HTTPFields, URL) -> Void

    package init(
        offset: Int,
        length: Int,
        receive: @escaping @Sendable (HTTPResponse.Status, HTTPFields, URL) -> Void = { _, _, _ in }
    ) {
        self.offset = offset
        self.length = length
        self.receive = receive
    }
}
