/// The progress of a call: the number of bytes that have been sent and received, and those that are expected.
///
/// ```swift
/// for await progress in control.progress { bar.update(progress.fractionSent ?? 0) }
/// ```
public struct TransferProgress: Sendable, Hashable {
    /// The number of the attempt, counted from 1.
    public let attempt: Int

    /// The number of bytes of the request's body that the transport has taken for the connection.
    ///
    /// A retry and a redirect send the body again, from its start. A resumable upload sends only what the server does
    /// not have yet, and counts what it has.
    public package(set) var bytesSent = 0

    /// The number of bytes of the request's body; nil if it is not known.
    public let bytesExpectedToSend: Int?

    /// The number of bytes of a resumable upload that the server has acknowledged, and that are not sent again.
    ///
    /// Nil for any other call, and as long as the server has not said that it takes the upload.
    public internal(set) var bytesAcknowledged: Int?

    /// The number of bytes of the response's body that have arrived.
    public package(set) var bytesReceived = 0

    /// The number of bytes of the response's body; nil if it is not known, as before the head has arrived and if the
    /// body has a content coding.
    public package(set) var bytesExpectedToReceive: Int?

    package init(attempt: Int, bytesExpectedToSend: Int?) {
        self.attempt = attempt
        self.bytesExpectedToSend = bytesExpectedToSend
    }

    /// The part of the request's body that has been sent, from 0 to 1; nil if its length is not known.
    ///
    /// Without a body it is 1.
    public var fractionSent: Double? { Self.fraction(bytesSent, of: bytesExpectedToSend) }

    /// The part of a resumable upload that the server has acknowledged, from 0 to 1; nil for any other call.
    public var fractionAcknowledged: Double? {
        bytesAcknowledged.flatMap { Self.fraction($0, of: bytesExpectedToSend) }
    }

    /// The part of the response's body that has arrived, from 0 to 1; nil if its length is not known.
    ///
    /// Of an empty body it is 1.
    public var fractionReceived: Double? { Self.fraction(bytesReceived, of: bytesExpectedToReceive) }

    private static func fraction(_ count: Int, of total: Int?) -> Double? {
        total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 }
    }
}
