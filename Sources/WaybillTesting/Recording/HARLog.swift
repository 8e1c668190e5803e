import Foundation
import Waybill

/// The content of a recording file: its exchanges and the names of its recordings (HAR 1.2, `log`).
struct HARLog: Sendable, Hashable {
    private(set) var names: [String] = []
    private(set) var entries: [RecordedExchange] = []
    /// The observed calls.
    ///
    /// Calls read from a file are validated but not kept, so a rewritten recording has none.
    var calls: [RecordedCall] = []

    /// The order of members in the file, following the HAR specification.
    static let keyOrder = [
        "version", "creator", "id", "title", "name", "pageref", "startedDateTime", "time", "_template", "method", "url",
        "status", "statusText", "request", "response", "_fault", "number", "parent",
    ]

    private static let creator = "Waybill"

    /// Replaces the exchanges of a recording.
    ///
    /// Recordings are sorted by name, so the file does not depend on test order.
    mutating func replace(_ name: String?, with exchanges: [RecordedExchange]) {
        entries.removeAll { $0.name == name }
        // Unnamed exchanges come first.
        let place = entries.firstIndex { ($0.name ?? "") > (name ?? "") } ?? entries.endIndex
        entries.insert(contentsOf: exchanges, at: place)
        if let name, !names.contains(name) { names = (names + [name]).sorted() }
    }

    /// Removes secret values from all exchanges and calls.
    mutating func remove(_ search: SecretSearch) {
        guard !search.isEmpty else { return }
        for index in entries.indices { entries[index].remove(search) }
        for index in calls.indices { calls[index].remove(search) }
    }

    /// The text of the file.
    var text: String { json.indented(first: Self.keyOrder) }

    var json: JSONValue {
        let pages = names.map { name -> JSONValue in
            [
                "id": .string(name), "title": .string(name), "pageTimings": [:],
                "startedDateTime": .string(RecordedExchange.startTime),
            ]
        }
        var log: [String: JSONValue] = [
            "version": "1.2", "creator": ["name": .string(Self.creator), "version": ""],
            "pages": .array(pages), "entries": .array(entries.map(\.json)),
        ]
        if !calls.isEmpty { log["_calls"] = .array(calls.map(\.json)) }
        return ["log": .object(log)]
    }
}

extension HARLog: Decodable {
    private struct Page: Decodable {
        let name: String

        init(from decoder: any Decoder) throws {
            let members = try HARMembers(decoder, ["id", "title", "pageTimings", "startedDateTime"])
            name = try members.value("id", String.self)
            try members.check("title", is: name)
        }
    }

    init(from decoder: any Decoder) throws {
        let members = try HARMembers(decoder, ["log"])
            .members("log", ["version", "creator", "pages", "entries", "_calls"])
        try members.check("version", is: "1.2")
        let creator = try members.members("creator", ["name", "version"])
        // Rejects HARs from other tools, such as browsers, which contain no templates.
        try creator.check("name", is: Self.creator)
        _ = try creator.value("version", String.self)
        let names = try members.value("pages", [Page].self).map(\.name)
        if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw members.error("pages", "two have the id \(name.debugDescription)")
        }
        entries = try members.value("entries", [RecordedExchange].self)
        if let stray = entries.lazy.compactMap(\.name).first(where: { !names.contains($0) }) {
            throw members.error("pages", "none has the id \(stray.debugDescription), which an entry refers to")
        }
        _ = try members.optional("_calls", [RecordedCall].self)
        self.names = names
    }
}

/// A strict reader of a JSON object in a recording.
///
/// Unknown members are errors, because a misspelled one would change a response.
struct HARMembers {
    private let container: KeyedDecodingContainer<EnvelopeCodingKey>

    /// Reads an object.
    ///
    /// - Throws: `DecodingError` if it has a member with an unknown key.
    init(_ decoder: any Decoder, _ keys: Set<String>) throws {
        try self.init(decoder.container(keyedBy: EnvelopeCodingKey.self), keys)
    }

    private init(_ container: KeyedDecodingContainer<EnvelopeCodingKey>, _ keys: Set<String>) throws {
        self.container = container
        // HAR tools may add a `comment` to any object.
        let unknown = container.allKeys.filter { !keys.contains($0.stringValue) && $0.stringValue != "comment" }
        if let key = unknown.min(by: { $0.stringValue < $1.stringValue }) {
            throw error(key.stringValue, "a recording has no member \(key.stringValue) here")
        }
    }

    /// Returns a nested object.
    func members(_ key: String, _ keys: Set<String>) throws -> HARMembers {
        try HARMembers(container.nestedContainer(keyedBy: EnvelopeCodingKey.self, forKey: .init(key)), keys)
    }

    func value<Value: Decodable>(_ key: String, _ type: Value.Type) throws -> Value {
        try container.decode(type, forKey: EnvelopeCodingKey(key))
    }

    func optional<Value: Decodable>(_ key: String, _ type: Value.Type) throws -> Value? {
        // An explicit null is an error.
        guard container.contains(EnvelopeCodingKey(key)) else { return nil }
        return try value(key, type)
    }

    /// Returns the case with a given name.
    func choice<Choice>(_ key: String, _ name: String, _ all: [Choice], others: [String] = []) throws -> Choice {
        if let choice = all.first(where: { "\($0)" == name }) { return choice }
        let names = all.map { "\($0)" } + others
        throw error(key, "\(name.debugDescription) is not one of \(names.joined(separator: ", "))")
    }

    /// Throws unless a member has the expected text.
    func check(_ key: String, is expected: String) throws {
        let found = try value(key, String.self)
        guard found == expected else {
            throw error(key, "it is \(found.debugDescription), not \(expected.debugDescription)")
        }
    }

    func error(_ key: String, _ text: String) -> DecodingError {
        .dataCorruptedError(forKey: EnvelopeCodingKey(key), in: container, debugDescription: text)
    }
}

/// The parts of a recorded URL, which may be invalid because redaction marks replace its secrets.
struct RecordedURL: Hashable {
    struct Item: Hashable {
        var name: String
        var value: String
    }

    /// The scheme and authority, in lower case.
    var origin: String
    /// The segments of the path, percent-decoded.
    var path: [String]
    /// The query items in order, percent-decoded.
    var query: [Item]

    init(_ text: String) {
        let text = text.prefix { $0 != "#" }
        let authority = text.firstRange(ofBytes: "//")?.upperBound ?? text.startIndex
        let pathStart = text[authority...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        let pathEnd = text[pathStart...].firstIndex(of: "?") ?? text.endIndex
        origin = text[..<pathStart].lowercased()
        // A URL without a path has the path `/` (RFC 9110, section 4.2.3).
        let path = pathStart == pathEnd ? "/" : text[pathStart..<pathEnd]
        self.path = path.split(separator: "/", omittingEmptySubsequences: false).map(\.percentDecoded)
        query = Self.items(text[pathEnd...].dropFirst())
    }

    /// Returns the items of a query or form, percent-decoded.
    static func items(_ text: some StringProtocol) -> [Item] {
        EncodedItem.all(in: text).map { Item(name: $0.name, value: $0.value ?? "") }
    }
}
