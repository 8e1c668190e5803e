import Waybill
import WaybillJSON
import WaybillSystem

/// A decoder for a ``NamedEvent``, which presents an event as an object with the event's name as its only key.
struct EventDecoder: Decoder {
    /// A flag that is set if the event's name matches no case.
    final class Match {
        var isUnknown = false
    }

    let name: String
    let data: EventData
    let match = Match()

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let key = Key(stringValue: name)
        if key == nil { match.isUnknown = true }
        return KeyedDecodingContainer(EventContainer(data: data, wholeKey: key, hasMembers: false))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.unsupported }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.unsupported }

    /// The error for a type that is not an enum with a synthesized initializer.
    static var unsupported: DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: [],
                debugDescription: "A NamedEvent is an enum whose cases are the names of events."
            )
        )
    }
}

/// A container for an event's case, or for the case's associated values.
struct EventContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let data: EventData
    /// The key for the whole data; nil if no key matches.
    let wholeKey: Key?
    /// Whether other keys refer to members of the data.
    let hasMembers: Bool

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { wholeKey.map { [$0] } ?? [] }

    private func isWhole(_ key: Key) -> Bool { key.stringValue == wholeKey?.stringValue }

    func contains(_ key: Key) -> Bool { isWhole(key) || hasMembers }

    func decodeNil(forKey key: Key) throws -> Bool {
        if isWhole(key) { return data.isAbsent }
        return try !hasMembers || !data.hasValue(forKey: key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        guard isWhole(key), !hasMembers else { throw EventDecoder.unsupported }
        // The synthesized coding key of an unlabeled associated value.
        let whole = Nested(stringValue: "_0")
        return KeyedDecodingContainer(EventContainer<Nested>(data: data, wholeKey: whole, hasMembers: true))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw EventDecoder.unsupported
    }

    func superDecoder() throws -> any Decoder { throw EventDecoder.unsupported }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw EventDecoder.unsupported }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if isWhole(key) { return try data.decode(Value.self) }
        guard hasMembers else { throw EventDecoder.unsupported }
        return try data.decode(Value.self, forKey: key)
    }
}

/// The data of an event, and its decoder.
struct EventData: Sendable {
    let bytes: Data
    let decoder: any ResponseDecoder
    /// The index of the event in the stream.
    let index: Int

    /// Decodes the data; a `String` receives the text, and a `Data` the bytes.
    ///
    /// - Throws: the decoder's error; a `WaybillJSONDecoder` includes the event's index in the coding path.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if Value.self == String.self || Value.self == String?.self,
            let text = String(decoding: bytes, as: UTF8.self) as? Value
        {
            return text
        }
        if Value.self == Data.self || Value.self == Data?.self, let bytes = bytes as? Value { return bytes }
        do {
            return try decoder.decode(Value.self, from: bytes)
        } catch {
            throw placed(error, decoding: Value.self)
        }
    }

    /// Decodes a member of the data, with the decoder's key strategy.
    func decode<Value: Decodable, Key: CodingKey>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try EventMemberKey.$current.withValue(key.stringValue) { try decode(EventMember<Value, Key>.self) }.value
    }

    /// Whether the data has a non-null member for a key.
    func hasValue<Key: CodingKey>(forKey key: Key) throws -> Bool {
        try EventMemberKey.$current.withValue(key.stringValue) {
            try decode(EventMember<IgnoredValue?, Key>.self).value != nil
        }
    }

    /// Whether the data is empty or null.
    var isAbsent: Bool {
        guard !bytes.isEmpty else { return true }
        do {
            return try decoder.decode(IgnoredValue?.self, from: bytes) == nil
        } catch {
            // The data may be plain text.
            return false
        }
    }

    /// Returns the error with the event's index in its coding path.
    private func placed<Value: Decodable>(_ error: any Error, decoding type: Value.Type) -> any Error {
        guard let decoder = decoder as? WaybillJSONDecoder else { return error }
        var reader = WaybillJSONDecoder.ElementReader<Value>(decoder, sequence: .concatenated, from: index)
        reader.append(bytes)
        do {
            _ = try reader.next()
            try reader.finish()
            return error
        } catch let placed {
            return placed
        }
    }
}

/// The key of the member to decode.
///
/// It is a task-local value, because a decoder cannot pass a key to the type it decodes.
private enum EventMemberKey {
    @TaskLocal static var current = ""
}

/// A member of an event's data.
private struct EventMember<Value: Decodable, Key: CodingKey>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let name = EventMemberKey.current
        guard let key = Key(stringValue: name) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "Unknown key: \(name).")
            )
        }
        let container = try decoder.container(keyedBy: Key.self)
        if let optional = Value.self as? any AbsentValue.Type, try !container.hasValue(forKey: key),
            let absent = optional.absent as? Value
        {
            value = absent
        } else {
            value = try container.decode(Value.self, forKey: key)
        }
    }
}

extension KeyedDecodingContainer {
    fileprivate func hasValue(forKey key: Key) throws -> Bool { try contains(key) && !decodeNil(forKey: key) }
}
