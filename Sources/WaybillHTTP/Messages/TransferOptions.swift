import WaybillSystem

/// Information about a transfer, besides the request, that a call passes to the transport.
///
/// ```swift
/// let response = try await transport.send(request, options: TransferOptions(control: control))
/// ```
public struct TransferOptions: Sendable {
    /// The declared path with each value replaced by `{}`, such as `products/{}/reviews`, or the name of the call; nil
    /// for a request outside a call.
    ///
    /// Logs, metrics and stubs use it as a key; it is not sent.
    public var template: String?

    /// A handle that pauses the transfer and reports its progress, if the transport supports it.
    public var control: TransferControl?

    /// The time limit that the call declares; nil if it declares none.
    ///
    /// If it is longer than the transport's own limit on silence, it replaces that limit: see ``silenceLimit(_:)``.
    public var timeLimit: TimeLimit?

    /// The attempt number within the call, starting at 1.
    public var attempt = 1

    /// The report for the transport to fill in; nil if nothing will read it.
    public var report: TransferOptions.Report?

    /// The part of a resumable upload that the request sends; nil for any other request.
    package var uploadPart: UploadPart?

    /// A closure that returns the values that the call's declaration marks as secret; nil for a request outside a call.
    package var secretValues: (@Sendable () -> [String])?

    /// Creates the options of a request outside a call.
    ///
    /// - Parameters:
    ///   - template: the key that stubs and recordings use for the request.
    ///   - control: a handle that pauses the transfer and reports its progress.
    ///   - timeLimit: the time limit of the whole call.
    ///   - report: the report for the transport to fill in.
    public init(
        template: String? = nil,
        control: TransferControl? = nil,
        timeLimit: TimeLimit? = nil,
        report: TransferOptions.Report? = nil
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
        /// The call has no time limit.
        case none
    }

    /// Returns how long a connection of this transfer may be silent.
    ///
    /// A response that is declared to take 70 seconds, such as a long poll, must not be cut off by a transport's own
    /// limit of 60 seconds.
    ///
    /// - Parameter limit: the transport's own limit; nil for none.
    /// - Returns: the longer of the two limits, or the transport's own if none is declared; nil if the transport has no
    ///   limit or the declared one is ``TimeLimit/none``.
    public func silenceLimit(_ limit: Duration?) -> Duration? {
        switch (limit, timeLimit) {
        case (nil, _), (_, TimeLimit.none?): nil
        case (let limit?, .duration(let declared)?): max(limit, declared)
        case (let limit?, nil): limit
        }
    }
}

/// The part of a resumable upload that a request sends, and its handler for interim responses.
///
/// A class, because the options are copied at each step of a call.
package final class UploadPart: Sendable {
    /// The number of upload bytes before this part.
    package let offset: Int

    /// The length of the whole upload, in bytes.
    package let length: Int

    /// Receives an interim response and the URL that sent it; called on a transport's thread, which it must not block.
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
