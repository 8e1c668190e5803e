import Foundation
import Waybill

/// What a stub or a loopback server sends back: status, header fields, body, and how well it behaves in doing so.
///
/// Answers are written with the forms of ``AnswerExpression`` and changed by its modifiers, which compose:
///
/// ```swift
/// .json(#"{"id": 1}"#)
/// .json(lamp, status: 201).header("Location", "/products/1")
/// .status(204)
/// .bytes(image).chunked().dripped(bytes: 100, every: .milliseconds(1))
/// .json("[]").held(by: gate).truncated(after: 1)
/// ```
public struct Answer: Sendable {
    /// The status.
    ///
    /// A reason phrase that it carries goes out; without one, the registered phrase does.
    public var status: HTTPResponse.Status

    /// The header fields, in the order in which they go out.
    ///
    /// The server adds `Content-Length` or `Transfer-Encoding` where neither is among them, and `Connection` where it
    /// has to.
    public var headerFields: HTTPFields

    /// The body.
    ///
    /// It is left out of an answer to `HEAD` and of one with status 204 or 304, as HTTP demands.
    public var body: Data

    /// When and how the bytes go out.
    var delivery = Delivery()

    /// Creates an answer.
    public init(status: HTTPResponse.Status = 200, headerFields: HTTPFields = [], body: Data = Data()) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
    }

    /// The answer that tells the author of a test what is wrong with the test's answers.
    static func misuse(_ message: String) -> Answer {
        Answer(
            status: 501,
            headerFields: [HTTPField(name: .contentType, value: "text/plain; charset=utf-8")],
            body: Data((message + "\n").utf8)
        )
    }
}

extension Answer {
    /// The place in an answer at which the connection is cut.
    public enum CutPoint: Sendable, Hashable {
        /// Before any byte of the answer.
        case beforeHead
        /// In the middle of the header fields.
        case insideHead
        /// Between the head and the body.
        case afterHead
        /// In the middle of the body.
        case insideBody
        /// After so many bytes of the body; a negative number counts as 0, and one that is past the body's end makes
        /// the head promise one byte more than the body has.
        case afterBodyBytes(Int)
    }
}
