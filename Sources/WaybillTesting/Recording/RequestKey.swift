import Foundation
import Waybill

/// The parts of a request that must match for a recorded response to be replayed.
///
/// UUIDs match case-insensitively, because recordings may contain uppercase UUIDs, as Foundation writes them.
struct RequestKey: Hashable {
    enum Body: Hashable {
        case none, json(JSONValue), form([RecordedURL.Item]), bytes(Data)
    }

    let method: HTTPRequest.Method
    let template: String
    let origin: String?
    let path: [String]?
    let query: [RecordedURL.Item]
    let body: Body

    init(_ exchange: RecordedExchange, varying variations: [RecordedTransport.Variation]) {
        let parts = Set(variations.map(\.part))
        let url = RecordedURL(exchange.url)
        method = exchange.method
        template = exchange.template
        origin = parts.contains(.origin) ? nil : url.origin
        path = parts.contains(.pathValues) ? nil : url.path.map(UUID.normalized)
        query = Self.sorted(url.query.filter { !parts.contains(.queryItem($0.name)) })
        body = parts.contains(.body) ? .none : Self.body(exchange.requestBody, parts)
    }

    /// Whether a request matches this recorded one; redaction marks match any text.
    func fits(_ request: RequestKey) -> Bool {
        guard method == request.method, Self.fits(template, request.template), Self.fits(origin, request.origin),
            path?.count == request.path?.count
        else { return false }
        return zip(path ?? [], request.path ?? []).allSatisfy(Self.fits) && Self.fits(query, request.query)
            && fits(body: request.body)
    }

    func fits(body other: Body) -> Bool {
        switch (body, other) {
        case (.json(let recorded), .json(let value)): Self.fits(recorded, value)
        case (.form(let recorded), .form(let items)): Self.fits(recorded, items)
        case (.bytes(let recorded), .bytes(let bytes)):
            Self.fits(String(decoding: recorded, as: UTF8.self), String(decoding: bytes, as: UTF8.self))
        default: body == other
        }
    }

    static func fits(_ recorded: [RecordedURL.Item], _ items: [RecordedURL.Item]) -> Bool {
        recorded.count == items.count
            && zip(recorded, items).allSatisfy { $0.name == $1.name && fits($0.value, $1.value) }
    }

    static func fits(_ recorded: JSONValue, _ value: JSONValue) -> Bool {
        switch (recorded, value) {
        case (.string(let recorded), .string(let text)): fits(recorded, text)
        case (.array(let recorded), .array(let elements)):
            recorded.count == elements.count && zip(recorded, elements).allSatisfy { fits($0, $1) }
        case (.object(let recorded), .object(let members)):
            recorded.count == members.count
                && recorded.allSatisfy { key, value in members[key].map { fits(value, $0) } ?? false }
        default: recorded == value
        }
    }

    static func fits(_ recorded: String?, _ text: String?) -> Bool {
        guard let recorded, let text, recorded.contains(Redaction.mark) else { return recorded == text }
        var rest = text[...]
        var pieces = recorded.split(separator: Redaction.mark, omittingEmptySubsequences: false)[...]
        guard let first = pieces.popFirst(), let last = pieces.popLast(), rest.hasPrefix(first) else { return false }
        rest = rest.dropFirst(first.count)
        for piece in pieces where !piece.isEmpty {
            guard let range = rest.firstRange(ofBytes: String(piece)) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    /// Whether both keys have the same method and template.
    func isLike(_ other: RequestKey) -> Bool { method == other.method && template == other.template }

    private static func body(_ body: RecordedBody?, _ parts: Set<RecordedTransport.Variation.Part>) -> Body {
        guard let body, !body.bytes.isEmpty else { return .none }
        let media = MediaType(body.mediaType)
        if media.isJSON, let value = try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: body.bytes) {
            return .json(stripped(value, parts))
        }
        if media.isJSONLines, let lines = jsonLines(body) { return .json(stripped(.array(lines), parts)) }
        if media == .form, let text = body.text {
            return .form(sorted(RecordedURL.items(text).filter { !parts.contains(.bodyMember($0.name)) }))
        }
        return .bytes(body.bytes)
    }

    /// Returns the documents of JSON Lines or of a JSON text sequence, or nil if one is not valid JSON.
    private static func jsonLines(_ body: RecordedBody) -> [JSONValue]? {
        let lines = body.bytes.split { $0 == 0x0A || $0 == 0x1E }.filter { !$0.allSatisfy { $0 <= 0x20 } }
        let values = lines.compactMap { try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: Data($0)) }
        return values.count == lines.count ? values : nil
    }

    private static func stripped(_ value: JSONValue, _ parts: Set<RecordedTransport.Variation.Part>) -> JSONValue {
        switch value {
        case .object(let members):
            .object(members.filter { !parts.contains(.bodyMember($0.key)) }.mapValues { stripped($0, parts) })
        case .array(let elements): .array(elements.map { stripped($0, parts) })
        case .string(let text): .string(UUID.normalized(text))
        case .null, .bool, .integer, .number, .double, .numeral: value
        }
    }

    /// Returns the items sorted by name.
    ///
    /// Items with the same name keep their order, which is significant for lists.
    private static func sorted(_ items: [RecordedURL.Item]) -> [RecordedURL.Item] {
        items.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map { RecordedURL.Item(name: $0.element.name, value: UUID.normalized($0.element.value)) }
    }
}

extension MediaType {
    /// Whether the media type is JSON Lines or a JSON text sequence (RFC 7464).
    fileprivate var isJSONLines: Bool {
        ["ndjson", "jsonl", "jsonlines", "json-lines", "json-seq"].contains { essence.hasSuffix($0) }
    }
}
