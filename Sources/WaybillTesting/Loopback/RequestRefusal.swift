import Waybill

/// Why a request is refused before anything looks for its answer.
struct RequestRefusal: Error, Sendable, Hashable {
    let status: HTTPResponse.Status
    let reason: String

    /// The bytes are no request of HTTP/1.1.
    static func malformed(_ reason: String) -> Self { Self(status: 400, reason: reason) }
}
