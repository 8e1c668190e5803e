import Foundation
import Waybill

/// The parts of a request that a recorded one must share for its response to be replayed.
///
/// A UUID is the same in both spellings: recordings may have it in upper case, as Foundation writes it.
struct RequestKey: Hashable {
    private enum Body: Hashable {
        case none, json(JSONValue), form([RecordedURL.Item]), bytes(Data)
    }

    let method: HTTPRequest.Method
    let template: String
    private let origin: String?
    private let path: [String]?
    private let query: [RecordedURL.Item]
    private let body: Body

    init(_ exchange: RecordedExchange, varying variations: [RequestVariation]) {
        let parts = Set(variations.map(\.part))
        let url = RecordedURL(exchange.url)
        method = exchange.method
        template = exchange.template
        origin = parts.contains(.origin) ? nil : url.origin
        path = parts.contains(.pathValues) ? nil : url.path.map(UUID.normalized)
        query = Self.sorted(url.query.filter { !parts.contains(.queryItem($0.name)) })
        body = parts.contains(.body) ? .none : Self.body(exchange.requestBody, parts)
    }

    /// Whether both are of the same call, perhaps with other values.
    func isLike(_ other: RequestKey) -> Bool { method == other.method && template == other.template }

    private static func body(_ body: RecordedBody?, _ parts: Set<RequestVariation.Part>) -> Body {
        guard let body, !body.bytes.isEmpty else { return .none }
        let media = MediaType(body.mediaType)
        if media.isJSON, let value = try? JSONDefaults.decoder.decode(JSONValue.self, from: body.bytes) {
            return .json(stripped(value, parts))
        }
        if media == .form, let text = body.text {
            return .form(sorted(RecordedURL.items(text).filter { !parts.contains(.bodyMember($0.name)) }))
        }
        return .bytes(body.bytes)
    }

    private static func stripped(_ value: JSONValue, _ parts: Set<RequestVariation.Part>) -> JSONValue {
        switch value {
        case .object(let members):
            .object(members.filter { !parts.contains(.bodyMember($0.key)) }.mapValues { stripped($0, parts) })
        case .array(let elements): .array(elements.map { stripped($0, parts) })
        case .string(let text): .string(UUID.normalized(text))
        case .null, .bool, .integer, .number, .double: value
        }
    }

    /// Returns items in the order of their names; items of one name keep theirs, which tells the elements of a list.
    private static func sorted(_ items: [RecordedURL.Item]) -> [RecordedURL.Item] {
        items.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map { RecordedURL.Item(name: $0.element.name, value: UUID.normalized($0.element.value)) }
    }
}
