/// The members of an object, as `Decodable` types read them.
///
/// The standard library copies it at every call, which is why it is a pointer and hardly more.
struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let cursor: UnsafeMutablePointer<ObjectCursor>
    /// The reference that keeps the session alive, see ``ContainerBox``.
    let lifetime: ContainerLifetime

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

    func contains(_ key: Key) -> Bool { cursor.find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { state.isNull(try existing(key)) }

    /// Returns the index on the tape of a key's value.
    @inline(__always)
    func existing(_ key: Key) throws -> Int {
        if let index = cursor.find(key) { return index }
        throw missing(key)
    }

    /// Returns the same index if the value is not null; nil for null, and for a missing member.
    @inline(__always)
    func presentValue(_ key: Key) -> Int? {
        guard let index = cursor.find(key), !state.isNull(index) else { return nil }
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

    func superDecoder() throws -> any Decoder { superDecoder(named: "super") }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        if let index = cursor.find(key) { return TapeDecoder(session: state.session, index: index, container: object) }
        return absentDecoder(named: key.stringValue)
    }

    private func superDecoder(named name: String) -> any Decoder {
        if let index = cursor.find(named: name) {
            return TapeDecoder(session: state.session, index: index, container: object)
        }
        return absentDecoder(named: name)
    }

    private func absentDecoder(named name: String) -> any Decoder {
        guard !state.pointee.isDetached else { return state.session.absentDecoder(named: name, in: object) }
        return TapeDecoder(session: state.session, index: state.absentValue(named: name), container: object)
    }
}
