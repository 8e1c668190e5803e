/// The decoder of a ``NamedEvent``: an object whose only key is the name of the event.
struct EventDecoder: Decoder {
    /// Notes whether the name is the key of a case.
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

    /// The error of a type that is not an enum with the initializer of the compiler.
    static var unsupported: DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: [],
                debugDescription: "A NamedEvent is an enum whose cases are the names of events."
            )
        )
    }
}

/// The case of an event, or its associated values.
struct EventContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let data: EventData
    /// The key of the data as a whole; nil without one.
    let wholeKey: Key?
    /// Whether other keys are those of the members of the data.
    let hasMembers: Bool

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { wholeKey.map { [$0] } ?? [] }

    private func isWhole(_ key: Key) -> Bool { key.stringValue == wholeKey?.stringValue }

    private func value<Value: Decodable>(_ key: Key) throws -> Value {
        if isWhole(key) { return try data.decode(Value.self) }
        guard hasMembers else { throw EventDecoder.unsupported }
        return try data.decode(Value.self, forKey: key)
    }

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
        // The compiler's name for an associated value without a label.
        let whole = Nested(stringValue: "_0")
        return KeyedDecodingContainer(EventContainer<Nested>(data: data, wholeKey: whole, hasMembers: true))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw EventDecoder.unsupported
    }

    func superDecoder() throws -> any Decoder { throw EventDecoder.unsupported }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw EventDecoder.unsupported }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(key) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key) }
}
