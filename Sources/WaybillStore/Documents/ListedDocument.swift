import Waybill
import WaybillJSON
import WaybillSystem

extension DocumentResource {
    /// An element of a list: a document, or the readable members of an element that is not a valid document.
    ///
    /// Decoding never fails, so an unreadable element does not affect the others.
    package struct ListedDocument: Decodable, Sendable, Identifiable {
        /// An element that cannot be decoded as a document.
        package struct Unreadable: Error, Sendable {
            /// The readable members, as an object.
            package let members: JSONValue

            /// The path of the unreadable member within the element, and a description of the error that omits the
            /// member's value.
            package let reason: String
        }

        /// The document, or the readable members.
        package let result: Result<Document, Unreadable>

        /// A hash of the content, used to detect a repeated page; it differs between processes.
        package struct ContentHash: Sendable, Hashable {
            fileprivate let value: Int
        }

        /// The hash of the document or of the readable members.
        package let id: ContentHash

        package init(from decoder: any Decoder) throws {
            do {
                let document = try Document(from: decoder)
                result = .success(document)
                id = ContentHash(value: document.json.identity)
            } catch {
                // Do not use a keyed container: the decoder's key strategy would convert the keys.
                let members = try? decoder.singleValueContainer().decode([String: ReadableMember].self)
                let readable = JSONValue.object(members?.compactMapValues(\.value) ?? [:])
                result = .failure(Unreadable(members: readable, reason: Self.reason(error, in: decoder)))
                id = ContentHash(value: readable.identity)
            }
        }

        private static func reason(_ error: any Error, in decoder: any Decoder) -> String {
            guard let context = (error as? DecodingError)?.context else { return "\(error)" }
            let keys = context.codingPath.dropFirst(decoder.codingPath.count).map(\.stringValue)
            // Limit the length, because excessive nesting may itself be the problem.
            let path = keys.prefix(8).joined(separator: ".") + (keys.count > 8 ? "…" : "")
            return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
        }
    }

    /// A member of an unreadable element, with a nil value if the member is unreadable too.
    private struct ReadableMember: Decodable {
        let value: JSONValue?

        init(from decoder: any Decoder) { value = try? JSONValue(from: decoder) }
    }
}

extension DocumentResource {
    /// Returns the signs in a response that the list has further items.
    package func remainderSigns(of response: Response<[ListedDocument]>) -> RemainderSigns {
        RemainderSigns(
            status: response.status,
            headerFields: response.receivedFields,
            url: response.url,
            body: response.body,
            settings: context.settings(for: .list)
        )
    }
}

extension DecodingError {
    fileprivate var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}

extension JSONValue {
    /// A hash of the value in which all numbers except `Int` values are equal, because hashing the others would cost as
    /// much as decoding them.
    fileprivate var identity: Int {
        var hasher = Hasher()
        combine(into: &hasher)
        return hasher.finalize()
    }

    private func combine(into hasher: inout Hasher) {
        switch self {
        case .null, .number, .double, .numeral: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let elements):
            hasher.combine(elements.count)
            for element in elements { element.combine(into: &hasher) }
        case .object(let members):
            // Members have no order.
            var sum = 0
            for (key, value) in members {
                var member = Hasher()
                member.combine(key)
                value.combine(into: &member)
                sum ^= member.finalize()
            }
            hasher.combine(sum)
        }
    }
}
