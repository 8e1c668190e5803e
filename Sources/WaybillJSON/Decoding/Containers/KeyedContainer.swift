/// The keyed container through which `Decodable` types read an object.
///
/// The standard library copies it on every call, so it contains no references: with one, decoding a document with many
/// members takes 2% longer. The decoding call keeps the session alive.
struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let cursor: UnsafeMutablePointer<ObjectCursor>
    /// Reserved space for the owner of a container that outlives its call; see ``ContainerBox``.
    private let room: UInt = 0

    init(cursor: UnsafeMutablePointer<ObjectCursor>) { self.cursor = cursor }

    @inline(__always)
    var state: UnsafeMutablePointer<DecodingState> { cursor.pointee.state }

    /// The index of the object on the tape.
    @inline(__always)
    var object: Int { cursor.pointee.object }

    var codingPath: [any CodingKey] { state.codingPath(to: object, in: state.container(of: object)) }

    var allKeys: [Key] {
        var names: Set<String> = []
        return state.keyNames(of: object).compactMap { names.insert($0).inserted ? Key(stringValue: $0) : nil }
    }

    func contains(_ key: Key) -> Bool {
        // The key exists even if it cannot be decoded.
        do { return try cursor.find(key) != nil } catch { return true }
    }

    func decodeNil(forKey key: Key) throws -> Bool { state.isNull(try existing(key)) }

    /// Returns the tape index of the value for the given key.
    @inline(__always)
    func existing(_ key: Key) throws -> Int {
        if let index = try cursor.find(key) { return index }
        throw missing(key)
    }

    /// Returns the tape index of the value for the given key; nil if the key is missing or its value is `null`.
    @inline(__always)
    func presentValue(_ key: Key) throws -> Int? {
        guard let index = try cursor.find(key), !state.isNull(index) else { return nil }
        return index
    }

    @inline(never)
    private func missing(_ key: Key) -> DecodingError {
        state.error(codingPath, "The object has no such key.") { .keyNotFound(key, $0) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try state.keyedContainer(keyedBy: type, at: try existing(key), in: object)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try UnkeyedContainer(session: state.session, array: try existing(key), in: object)
    }

    func superDecoder() throws -> any Decoder { try superDecoder(named: "super") }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(named: key.stringValue) }

    private func superDecoder(named name: String) throws -> any Decoder {
        if let index = try cursor.find(named: name) {
            return TapeDecoder(session: state.session, index: index, container: object)
        }
        guard !state.pointee.isDetached else { return state.session.absentDecoder(named: name, in: object) }
        return TapeDecoder(session: state.session, index: state.absentValue(named: name), container: object)
    }
}

// One method for each primitive type, as in the protocol: a generic method would cost a type lookup per value.
extension KeyedContainer {
    @inline(__always)
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try state.bool(at: existing(key), in: object)
    }

    @inline(__always)
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let index = try presentValue(key) else { return nil }
        return try state.bool(at: index, in: object)
    }

    @inline(__always)
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try state.string(at: existing(key), in: object)
    }

    @inline(__always)
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let index = try presentValue(key) else { return nil }
        return try state.string(at: index, in: object)
    }

    @inline(__always)
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try state.double(at: existing(key), in: object)
    }

    @inline(__always)
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let index = try presentValue(key) else { return nil }
        return try state.double(at: index, in: object)
    }

    @inline(__always)
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try state.float(at: existing(key), in: object)
    }

    @inline(__always)
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let index = try presentValue(key) else { return nil }
        return try state.float(at: index, in: object)
    }

    @inline(__always)
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }

    @inline(__always)
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(type, key) }

    @inline(__always)
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }

    @inline(__always)
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(type, key) }

    @inline(__always)
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }

    @inline(__always)
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(type, key) }

    @inline(__always)
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }

    @inline(__always)
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(type, key) }

    @inline(__always)
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }

    @inline(__always)
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(type, key) }

    @inline(__always)
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }

    @inline(__always)
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(type, key) }

    @inline(__always)
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }

    @inline(__always)
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(type, key) }

    @inline(__always)
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }

    @inline(__always)
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(type, key) }

    @inline(__always)
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }

    @inline(__always)
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(type, key) }

    @inline(__always)
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }

    @inline(__always)
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(type, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(type, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integerIfPresent(type, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(type, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try integerIfPresent(type, key) }

    @inline(__always)
    private func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ key: Key) throws -> Value {
        try state.integer(type, at: existing(key), in: object)
    }

    @inline(__always)
    private func integerIfPresent<Value: FixedWidthInteger>(_ type: Value.Type, _ key: Key) throws -> Value? {
        guard let index = try presentValue(key) else { return nil }
        return try state.integer(type, at: index, in: object)
    }

    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try state.decode(type, at: existing(key), in: object)
    }

    @inline(__always)
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let index = try presentValue(key) else { return nil }
        return try state.decode(type, at: index, in: object)
    }
}
