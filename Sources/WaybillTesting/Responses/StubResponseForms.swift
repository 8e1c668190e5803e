import Foundation
import Waybill

extension StubResponseExpression {
    /// Creates a response with a body of JSON, given as text, which is sent as it stands and need not be valid.
    ///
    /// To send a string as a JSON value, quote it: `.json(#""text""#)`.
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
        let sorting = JSONEncoder()
        sorting.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let body = try JSONRequestEncoder(encoder ?? sorting, lowercasesUUIDs: encoder == nil).encode(value)
            return make(body, type: "application/json", status: status, headers: headers)
        } catch {
            return response(.misuse("A \(type(of: value)) could not be encoded for a response: \(error)"))
        }
    }

    /// Creates a response with a body of plain text, in UTF-8.
    public static func text(
        _ text: String,
        status: HTTPResponse.Status = 200,
        headers: HTTPFields = []
    ) -> Self {
        make(Data(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Creates a response with a body of bytes.
    ///
    /// Without a `Content-Type` among the header fields, it is sent as `application/octet-stream`.
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

    private static func make(
        _ body: Data,
        type: String,
        status: HTTPResponse.Status,
        headers: HTTPFields
    ) -> Self {
        var fields = headers
        if !fields.contains(.contentType) { fields[.contentType] = type }
        return response(StubResponse(status: status, headerFields: fields, body: body))
    }
}

extension StubResponseExpression {
    /// Adds a header field after the others; a `Content-Type` replaces that of the form.
    ///
    /// If the field is not valid (RFC 9110, section 5), the response becomes a 501 whose text says so; to send an
    /// invalid one, see ``raw(_:closing:)-(String,_)``.
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
