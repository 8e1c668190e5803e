import Foundation
import Waybill

extension AnswerExpression {
    /// A body of JSON, given as text, which is sent as it stands; it need not be valid.
    ///
    /// To send a string as a JSON value, quote it: `.json(#""text""#)`.
    public static func json(
        _ text: String,
        status: HTTPResponse.Status = 200,
        headers: HTTPFields = []
    ) -> Self {
        make(Data(text.utf8), type: "application/json", status: status, headers: headers)
    }

    /// A body of JSON, encoded from a value at once.
    ///
    /// - Parameters:
    ///   - value: what to encode. Where that fails, the answer is a 501 whose text has the error.
    ///   - status: the status.
    ///   - headers: further header fields; a `Content-Type` among them replaces `application/json`.
    ///   - encoder: the encoder; nil stands for one that sorts the keys, so that the bytes are the same each time.
    public static func json(
        _ value: some Encodable,
        status: HTTPResponse.Status = 200,
        headers: HTTPFields = [],
        encoder: JSONEncoder? = nil
    ) -> Self {
        let sorting = JSONEncoder()
        sorting.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let body = try (encoder ?? sorting).encode(value)
            return make(body, type: "application/json", status: status, headers: headers)
        } catch {
            return answer(.misuse("A \(type(of: value)) could not be encoded for an answer: \(error)"))
        }
    }

    /// A body of plain text, in UTF-8.
    public static func text(
        _ text: String,
        status: HTTPResponse.Status = 200,
        headers: HTTPFields = []
    ) -> Self {
        make(Data(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// A body of bytes.
    ///
    /// Without a `Content-Type` among the header fields, it is sent as `application/octet-stream`.
    public static func bytes(
        _ bytes: some Sequence<UInt8>,
        status: HTTPResponse.Status = 200,
        headers: HTTPFields = []
    ) -> Self {
        make(Data(bytes), type: "application/octet-stream", status: status, headers: headers)
    }

    /// A status without a body.
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = []) -> Self {
        answer(Answer(status: status, headerFields: headers))
    }

    /// A redirect: a status and a `Location` (RFC 9110, section 10.2.2).
    ///
    /// - Parameters:
    ///   - location: an absolute or a relative reference, sent as it stands. Where it cannot be the value of a field,
    ///     the answer is a 501 whose text says so.
    ///   - status: the status.
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
        return answer(Answer(status: status, headerFields: fields, body: body))
    }
}

extension AnswerExpression {
    /// Adds a header field behind those that are there.
    ///
    /// Where that is no valid field (RFC 9110, section 5), the answer becomes a 501 whose text says so; to send an
    /// invalid one, see ``raw(_:closing:)-(String,_)``.
    public func header(_ name: String, _ value: String) -> Self {
        modified { answer in
            if let field = HTTPField.Name(name).flatMap({ HTTPField(name: $0, value: value) }) {
                answer.headerFields.append(field)
            } else {
                answer = .misuse(
                    "An answer cannot have the header field \(name.debugDescription): "
                        + "\(value.debugDescription) is no value for it, or that is no name"
                )
            }
        }
    }
}
