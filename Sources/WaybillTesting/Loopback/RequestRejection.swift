import Waybill

/// The reason to reject a request before its response is looked up.
struct RequestRejection: Error, Sendable, Hashable {
    let status: HTTPResponse.Status
    let reason: String

    /// Creates the rejection of bytes that are not a request of HTTP/1.1.
    static func malformed(_ reason: String) -> Self { Self(status: 400, reason: reason) }
}
