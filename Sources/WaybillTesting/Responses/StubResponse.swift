import Foundation
import Waybill

/// The response of a stub or a loopback server: status, header fields, body, and misbehaviour.
///
/// Responses are written with the forms of ``StubResponse/Expression`` and changed by its modifiers, which compose:
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
    ///
    /// - Parameters:
    ///   - status: the status; a server sends its registered reason phrase unless it has one of its own.
    ///   - headerFields: the header fields; no `Content-Type` is added.
    ///   - body: the bytes.
    public init(status: HTTPResponse.Status = 200, headerFields: HTTPFields = [], body: Data = Data()) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
    }

    /// Creates the response that states the error in a test's responses.
    static func misuse(_ message: String) -> StubResponse {
        .text(message + "\n", status: 501)
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

extension StubResponse {
    /// A form in which a response is written: a ``StubResponse``, or a ``Responder``, the value in ``StubResponses``.
    ///
    /// The protocol gives both the same forms (`.json`, `.text`, `.status` and so on) and the same modifiers.
    public protocol Expression: Sendable {
        /// Creates the form from a response.
        static func response(_ response: StubResponse) -> Self

        /// Returns a copy with a change made to its responses.
        func modified(_ change: @escaping @Sendable (inout StubResponse) -> Void) -> Self
    }
}

extension StubResponse: StubResponse.Expression {
    /// Returns the response itself.
    public static func response(_ response: StubResponse) -> StubResponse { response }

    /// Returns a copy of the response with a change made to it.
    public func modified(_ change: @escaping @Sendable (inout StubResponse) -> Void) -> StubResponse {
        var copy = self
        change(&copy)
        return copy
    }
}

extension StubResponse.Expression {
    /// Creates a response with a body of JSON, given as text.
    ///
    /// - Parameters:
    ///   - text: the text, which is sent as it stands and need not be valid. A string as a JSON value is quoted:
    ///     `.json(#""text""#)`.
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

    /// Creates a response with a body of JSON, encoded from a value at once.
    ///
    /// - Parameters:
    ///   - value: the value to encode. If that fails, the response is a 501 whose text has the error.
    ///   - status: the status.
    ///   - headers: further header fields; a `Content-Type` among them replaces `application/json`.
    ///   - encoder: the encoder; nil stands for one that sorts the keys, so that the bytes are the same each time.
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

    /// Creates a response with a body of plain text.
    ///
    /// - Parameters:
    ///   - text: the text, which is sent in UTF-8.
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
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = []) -> Self {
        response(StubResponse(status: status, headerFields: headers))
    }

    /// Creates a redirect: a status and a `Location` (RFC 9110, section 10.2.2).
    ///
    /// - Parameters:
    ///   - location: an absolute or a relative reference, sent as it stands. If it cannot be the value of a field,
    ///     the response is a 501 whose text says so.
    ///   - status: the status.
    /// - Returns: the response.
    public static func redirect(to location: String, status: HTTPResponse.Status = 302) -> Self {
        Self.status(status).header("Location", location)
    }

    /// Creates a response with a body of a media type, unless a header field names another one.
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
    /// Adds a header field after the others; a `Content-Type` replaces that of the form.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value. If the field is not valid (RFC 9110, section 5), the response becomes a 501 whose text
    ///     says so; ``raw(_:closing:)-(String,_)`` sends invalid ones.
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
                        + "\(value.debugDescription) is no value for it, or that is not a name"
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
