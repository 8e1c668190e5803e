import Foundation
import Waybill

/// The response of a stub or a loopback server: status, header fields, body, and misbehaviour.
///
/// Responses are written with the forms of ``StubResponseExpression`` and changed by its modifiers, which compose:
///
/// ```swift
/// let responses: [StubResponse] = [
///     .json(#"{"id": 1}"#),
///     .json(lamp, status: 201).header("Location", "/products/1"),
///     .status(204),
///     .bytes(image).chunked().dripped(bytes: 100, every: .milliseconds(1)),
///     .json("[]").held(by: gate).truncated(after: 1),
/// ]
/// ```
public struct StubResponse: Sendable {
    /// The status.
    ///
    /// Its reason phrase is sent; if it has none, the registered phrase is.
    public var status: HTTPResponse.Status

    /// The header fields, in the order in which they go out.
    ///
    /// The server adds `Content-Length` or `Transfer-Encoding` if neither is among them, and `Connection` if it
    /// has to.
    public var headerFields: HTTPFields

    /// The body.
    ///
    /// It is left out of a response to `HEAD` and of one with status 204 or 304, as HTTP demands.
    public var body: Data

    /// The delivery of the bytes.
    var delivery = Delivery()

    /// Creates a response.
    public init(status: HTTPResponse.Status = 200, headerFields: HTTPFields = [], body: Data = Data()) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
    }

    /// Creates the response that tells the author of a test what is wrong with the test's responses.
    static func misuse(_ message: String) -> StubResponse {
        StubResponse(
            status: 501,
            headerFields: [HTTPField(name: .contentType, value: "text/plain; charset=utf-8")],
            body: Data((message + "\n").utf8)
        )
    }
}

extension StubResponse {
    /// The place in a response at which the connection is cut.
    public enum CutPoint: Sendable, Hashable {
        /// The place before the first byte of the response.
        case beforeHead
        /// The middle of the header fields.
        case insideHead
        /// The place between the head and the body.
        case afterHead
        /// The middle of the body.
        case insideBody
        /// The place after a number of bytes of the body.
        ///
        /// A negative number counts as 0; for a number past the body's end, the head promises one byte more than the
        /// body has.
        case afterBodyBytes(Int)
    }
}
