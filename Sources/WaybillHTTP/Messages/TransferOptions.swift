import WaybillSystem

/// Information that a call passes to the transport along with a request.
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

    /// A handle for pausing the transfer and reading its progress, if the transport supports it.
    public var control: TransferControl?

    /// The time limit declared by the call; nil if none is declared.
    ///
    /// If it is longer than the transport's limit on silence, it replaces that limit: see ``idleTimeout(_:)``.
    public var timeout: Timeout?

    /// The attempt number within the call, starting at 1.
    public var attempt = 1

    /// The report for the transport to fill in; nil if it is not needed.
    public var report: TransferOptions.Report?

    /// The part of a resumable upload that the request sends; nil for any other request.
    package var uploadPart: UploadPart?

    /// A closure that returns the secret values declared by the call; nil for a request outside a call.
    package var secretValues: (@Sendable () -> [String])?

    /// Creates the options of a request outside a call.
    ///
    /// - Parameters:
    ///   - template: the key of the request in stubs and recordings.
    ///   - control: a handle for pausing the transfer and reading its progress.
    ///   - timeout: the time limit of the whole call.
    ///   - report: the report for the transport to fill in.
    public init(
        template: String? = nil,
        control: TransferControl? = nil,
        timeout: Timeout? = nil,
        report: TransferOptions.Report? = nil
    ) {
        self.template = template
        self.control = control
        self.timeout = timeout
        self.report = report
    }
}

extension TransferOptions {
    /// A declared time limit of a whole call.
    public enum Timeout: Sendable, Hashable {
        /// The time from the start of the call to the last byte of its response.
        case duration(Duration)
        /// The call has no time limit.
        case none
    }

    /// Returns the maximum silence on the connection for this transfer.
    ///
    /// A call with a declared limit of 70 seconds, such as a long poll, must not fail because of a transport's limit of
    /// 60 seconds.
    ///
    /// - Parameter limit: the transport's limit; nil for none.
    /// - Returns: the longer of the transport's and the declared limit; nil for no limit, if the transport has none or
    ///   the declared one is ``Timeout/none``.
    public func idleTimeout(_ limit: Duration?) -> Duration? {
        switch (limit, timeout) {
        case (nil, _), (_, Timeout.none?): nil
        case (let limit?, .duration(let declared)?): max(limit, declared)
        case (let limit?, nil): limit
        }
    }
}

/// The part of a resumable upload that a request sends, and its handler for interim responses.
///
/// A class, because each step of a call copies the options.
package final class UploadPart: Sendable {
    /// The number of upload bytes before this part.
    package let offset: Int

    /// The length of the whole upload, in bytes.
    package let length: Int

    /// Receives an interim response and the URL of its request; must not block, because a transport's thread calls it.
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
