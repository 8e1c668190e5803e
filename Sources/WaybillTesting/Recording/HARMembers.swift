import Foundation
import Waybill

/// The members of an object of a recording, of which none is ignored: a misspelled one would change a response.
struct HARMembers {
    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    private let container: KeyedDecodingContainer<Key>

    /// Reads an object.
    ///
    /// - Throws: `DecodingError` if it has a member with another key.
    init(_ decoder: any Decoder, _ keys: Set<String>) throws {
        container = try decoder.container(keyedBy: Key.self)
        // Whatever tool opened the file may have added its comment.
        let unknown = container.allKeys.filter { !keys.contains($0.stringValue) && $0.stringValue != "comment" }
        if let key = unknown.min(by: { $0.stringValue < $1.stringValue }) {
            throw error(key.stringValue, "a recording has no member \(key.stringValue) here")
        }
    }

    func value<Value: Decodable>(_ key: String, _ type: Value.Type) throws -> Value {
        try container.decode(type, forKey: Key(stringValue: key))
    }

    func optional<Value: Decodable>(_ key: String, _ type: Value.Type) throws -> Value? {
        // A null is no member of a recording.
        guard container.contains(Key(stringValue: key)) else { return nil }
        return try value(key, type)
    }

    /// Returns the case with a name.
    func choice<Choice>(_ key: String, _ name: String, _ all: [Choice], others: [String] = []) throws -> Choice {
        if let choice = all.first(where: { "\($0)" == name }) { return choice }
        let names = all.map { "\($0)" } + others
        throw error(key, "\(name.debugDescription) is not one of \(names.joined(separator: ", "))")
    }

    /// Throws unless a member equals a text.
    func check(_ key: String, is expected: String) throws {
        let found = try value(key, String.self)
        guard found == expected else {
            throw error(key, "it is \(found.debugDescription), not \(expected.debugDescription)")
        }
    }

    func error(_ key: String, _ text: String) -> DecodingError {
        .dataCorruptedError(forKey: Key(stringValue: key), in: container, debugDescription: text)
    }
}
