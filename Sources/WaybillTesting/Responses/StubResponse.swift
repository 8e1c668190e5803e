import Foundation
import Waybill

/// A response from a stub or a loopback server: status, header fields, body and misbehavior.
///
/// Responses are created with the functions of ``StubResponse/Expression`` and changed with its modifiers, which
/// compose:
///
/// ```swift
/// let responses: [StubResponse] = [
///     .json(#"{"id": 1}"#),
///     .json(lamp, status: 201).header("Location", "/products/1"),
///     .status(204),
///     .bytes(image).chunked().dripped(bytes: 100, every: .milliseconds(1)),
///     .json("[]").held(by: gate).truncated(afterBytes: 1),
/// ]
/// ```
public struct StubResponse: Sendable {
    /// The status.
    ///
    /// A server sends its reason phrase, or the registered phrase if it is empty.
    public var status: HTTPResponse.Status

    /// The header fields, in the order in which they are sent.
    ///
    /// A server adds `Content-Length` or `Transfer-Encoding` if neither is present, and `Connection` if needed.
    public var headerFields: HTTPFields

    /// The body.
    ///
    /// It is omitted from responses to `HEAD` and from those with a 1xx, 204 or 304 status, as HTTP requires.
    public var body: Data

    /// The delivery of the bytes: waits, chunks and cuts.
    var delivery = Delivery()

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headerFields: the header fields; no `Content-Type` is added.
    ///   - body: the bytes of the body.
    public init(status: HTTPResponse.Status = 200, headerFields: HTTPFields = [], body: Data = Data()) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
    }

    /// Creates a 501 that reports a mistake in a test's responses.
    static func misuse(_ message: String) -> StubResponse {
        .text(message + "\n", status: 501)
    }
}

extension StubResponse {
    /// A point in a response where the connection is cut.
    public enum CutPoint: Sendable, Hashable {
        /// Before the first byte of the response.
        case beforeHead
        /// In the middle of the header fields.
        case insideHead
        /// Between the head and the body.
        case afterHead
        /// In the middle of the body.
        case insideBody
        /// After the given number of bytes of the body.
        ///
        /// A negative number counts as 0. If the number reaches the size of the body, the head declares one byte more
        /// than the body contains.
        case afterBodyBytes(Int)
    }
}

extension StubResponse {
    /// A type that describes responses: ``StubResponse``, or ``Responder`` for the values of ``StubResponses``.
    ///
    /// Both have the same factory functions (`.json`, `.text`, `.status` and so on) and the same modifiers.
    public protocol Expression: Sendable {
        /// Creates a value that describes a response.
        ///
        /// - Parameter response: the response.
        /// - Returns: the value.
        static func response(_ response: StubResponse) -> Self

        /// Returns a copy with a change applied to each of its responses.
        ///
        /// - Parameter change: the change.
        /// - Returns: the changed copy.
        func modified(_ change: @escaping @Sendable (inout StubResponse) -> Void) -> Self
    }
}

extension StubResponse: StubResponse.Expression {
    /// Returns the response itself.
    ///
    /// - Parameter response: the response.
    /// - Returns: the response.
    public static func response(_ response: StubResponse) -> StubResponse { response }

    /// Returns a copy of the response with a change applied.
    ///
    /// - Parameter change: the change.
    /// - Returns: the changed copy.
    public func modified(_ change: @escaping @Sendable (inout StubResponse) -> Void) -> StubResponse {
        var copy = self
        change(&copy)
        return copy
    }
}

extension StubResponse.Expression {
    /// Creates a response with a JSON body from text.
    ///
    /// - Parameters:
    ///   - text: the text, sent verbatim; it need not be valid JSON. To send a JSON string, include its quotation
    ///     marks: `.json(#""text""#)`.
    ///   - status: the status.
    ///   - headers: further header fields; a `Content-Type` among them replaces `application/json`.
    /// - Returns: the response.
    public static func json(
        _ text: String,
        status: HTTPResponse.Status = 200,
        headers: HTTPFields = []
    ) -> Self {
        make(Data(text.utf8), type: "application/json", status: status, headers: headers)
    }

    /// Creates a response with a JSON body, encoded immediately from a value.
    ///
    /// - Parameters:
    ///   - value: the value to encode. If encoding fails, the response is a 501 with the error as text.
    ///   - status: the status.
    ///   - headers: further header fields; a `Content-Type` among them replaces `application/json`.
    ///   - encoder: the encoder; nil for one that sorts keys, so the bytes are the same each time.
    /// - Returns: the response.
    public static func json(
        _ value: some Encodable,
        status: HTTPResponse.Status = 200,
        headers: HTTPFields = [],
        encoder: JSONEncoder? = nil
    ) -> Self {
        do {
            let body = try encoder?.encode(value) ?? WaybillJSONEncoder.ofStubs.encode(value)
            return make(body, type: "application/json", status: status, headers: headers)
        } catch {
            return response(.misuse("A \(type(of: value)) could not be encoded for a response: \(error)"))
        }
    }

    /// Creates a response with a plain text body.
    ///
    /// - Parameters:
    ///   - text: the text, sent as UTF-8.
    ///   - status: the status.
    ///   - headers: further header fields; a `Content-Type` among them replaces `text/plain; charset=utf-8`.
    /// - Returns: the response.
    public static func text(
        _ text: String,
        status: HTTPResponse.Status = 200,
        headers: HTTPFields = []
    ) -> Self {
        make(Data(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Creates a response with a body of bytes.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - status: the status.
    ///   - headers: further header fields; a `Content-Type` among them replaces `application/octet-stream`.
    /// - Returns: the response.
    public static func bytes(
        _ bytes: some Sequence<UInt8>,
        status: HTTPResponse.Status = 200,
        headers: HTTPFields = []
    ) -> Self {
        make(Data(bytes), type: "application/octet-stream", status: status, headers: headers)
    }

    /// Creates a response without a body.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headers: the header fields.
    /// - Returns: the response.
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = []) -> Self {
        response(StubResponse(status: status, headerFields: headers))
    }

    /// Creates a redirect: a status and a `Location` (RFC 9110, section 10.2.2).
    ///
    /// - Parameters:
    ///   - location: an absolute or relative reference, sent verbatim. If it is not a valid field value, the response
    ///     is a 501 that explains the problem.
    ///   - status: the status.
    /// - Returns: the response.
    public static func redirect(to location: String, status: HTTPResponse.Status = 302) -> Self {
        Self.status(status).header("Location", location)
    }

    /// Creates a response with a body; `type` is its media type unless `headers` contain a `Content-Type`.
    static func make(
        _ body: Data,
        type: String,
        status: HTTPResponse.Status,
        headers: HTTPFields = []
    ) -> Self {
        var fields = headers
        if !fields.contains(.contentType) { fields[.contentType] = type }
        return response(StubResponse(status: status, headerFields: fields, body: body))
    }
}

extension StubResponse.Expression {
    /// Appends a header field; a `Content-Type` replaces the existing one.
    ///
    /// - Parameters:
    ///   - name: the field name.
    ///   - value: the field value. If the field is invalid (RFC 9110, section 5), the response becomes a 501 that
    ///     explains the problem; use ``raw(_:closing:)-(String,_)`` to send invalid fields.
    /// - Returns: the changed response.
    public func header(_ name: String, _ value: String) -> Self {
        modified { response in
            if let name = HTTPField.Name(name), HTTPField.isValid(value: value) {
                let field = HTTPField(name: name, value: value)
                if field.name == .contentType { response.headerFields.removeAll(named: .contentType) }
                response.headerFields.append(field)
            } else {
                response = .misuse(
                    "A response cannot have the header field \(name.debugDescription): "
                        + "\(value.debugDescription) is not a valid value for it, or the name is invalid"
                )
            }
        }
    }
}

extension WaybillJSONEncoder {
    fileprivate static let ofStubs: WaybillJSONEncoder = {
        var encoder = WaybillJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.uuidEncodingStrategy = .lowercase
        return encoder
    }()
}
