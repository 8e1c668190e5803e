/// The keyed container through which `Encodable` types write an object.
///
/// It is little more than a pointer; the cursor holds all state.
struct KeyedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let cursor: UnsafeMutablePointer<KeyedCursor>
    /// The reference that keeps the session alive; see ``EncodingBox``.
    let lifetime: ContainerLifetime

    @inline(__always)
    private var slot: UnsafeMutablePointer<ValueSlot> { cursor.pointee.slot }

    var codingPath: [any CodingKey] { slot.pointee.generation == cursor.pointee.generation ? slot.codingPath : [] }

    func encodeNil(forKey key: Key) throws {
        let state = try begin(key)
        state.appendNull()
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        guard let nested = nestedSlot(key), nested.pointee.state.startObject(nested) else {
            return cursor.pointee.state.unusableContainer(keyedBy: type)
        }
        return nested.pointee.state.keyedContainer(keyedBy: type, over: nested)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        guard let nested = nestedSlot(key), nested.pointee.state.startArray(nested) else {
            return UnkeyedEncoder.unusable(cursor.pointee.state)
        }
        return UnkeyedEncoder(nested)
    }

    func superEncoder() -> any Encoder { superEncoder(PathKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key as any CodingKey) }

    private func superEncoder(_ key: any CodingKey) -> any Encoder {
        let state = cursor.pointee.state
        guard state.canActivate(slot, cursor.pointee.generation) else { return SlotEncoder.unusable(state) }
        state.writeKeyByName(key, in: slot)
        return SlotEncoder(state.push(in: slot))
    }

    /// Begins an array or object for the given key; nil if the container cannot be used.
    private func nestedSlot(_ key: Key) -> UnsafeMutablePointer<ValueSlot>? {
        let state = cursor.pointee.state
        guard state.canActivate(slot, cursor.pointee.generation) else { return nil }
        let hadDuplicates = state.pointee.hasDuplicates
        state.pointee.hasDuplicates = false
        writeKey(key)
        // Values encoded earlier for the same key belong to the same array or object.
        let isMerged = state.pointee.hasDuplicates || slot.pointee.isMerged
        if isMerged { state.append(JSONRewriter.merge) }
        if hadDuplicates { state.pointee.hasDuplicates = true }
        let nested = state.push(in: slot)
        nested.pointee.isMerged = isMerged
        return nested
    }

    /// Begins a member by writing the comma and the key.
    @inline(__always)
    func begin(_ key: Key) throws -> UnsafeMutablePointer<EncodingState> {
        let state = cursor.pointee.state
        try state.activate(slot, cursor.pointee.generation)
        writeKey(key)
        return state
    }

    @inline(__always)
    private func writeKey(_ key: Key) {
        let keyType = cursor.pointee.keyType
        guard slot.hasOnlyKeys(of: keyType) else { return writeOtherKey(key) }
        let number = MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
        guard number < keyType.pointee.entryCount, let text = keyType.pointee.entries[number].text else {
            return learnKey(key, number)
        }
        cursor.pointee.state.writeKey(keyType.pointee.entries[number], text, in: slot)
        slot.pointee.key = number
    }

    @inline(never)
    private func learnKey(_ key: Key, _ number: Int) {
        let state = cursor.pointee.state
        state.learn(key.stringValue, case: number, of: cursor.pointee.keyType)
        writeKey(key)
    }

    @inline(never)
    private func writeOtherKey(_ key: Key) {
        cursor.pointee.state.writeKeyByName(key, in: slot)
    }
}

// One method for each primitive type, as in the protocol: a generic method would cost a type lookup per value.
extension KeyedEncoder {
    @inline(__always)
    func encode(_ value: Bool, forKey key: Key) throws {
        let state = try begin(key)
        state.appendBool(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: String, forKey key: Key) throws {
        let state = try begin(key)
        state.appendString(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: Double, forKey key: Key) throws {
        guard value.isFinite else { return try encodeNonConforming(value, forKey: key) }
        let state = try begin(key)
        state.appendFinite(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: Float, forKey key: Key) throws {
        guard value.isFinite else { return try encodeNonConforming(value, forKey: key) }
        let state = try begin(key)
        state.appendFinite(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: Int, forKey key: Key) throws {
        let state = try begin(key)
        state.appendInteger(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: Int8, forKey key: Key) throws {
        let state = try begin(key)
        state.appendInteger(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: Int16, forKey key: Key) throws {
        let state = try begin(key)
        state.appendInteger(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: Int32, forKey key: Key) throws {
        let state = try begin(key)
        state.appendInteger(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: UInt, forKey key: Key) throws {
        let state = try begin(key)
        state.appendInteger(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: UInt8, forKey key: Key) throws {
        let state = try begin(key)
        state.appendInteger(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: UInt16, forKey key: Key) throws {
        let state = try begin(key)
        state.appendInteger(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: UInt32, forKey key: Key) throws {
        let state = try begin(key)
        state.appendInteger(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: Int64, forKey key: Key) throws {
        let state = try begin(key)
        state.appendInteger64(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(__always)
    func encode(_ value: UInt64, forKey key: Key) throws {
        let state = try begin(key)
        state.appendInteger64(value)
    }

    @inline(__always)
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func encode(_ value: Int128, forKey key: Key) throws {
        let state = try begin(key)
        state.appendLongInteger(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func encode(_ value: UInt128, forKey key: Key) throws {
        let state = try begin(key)
        state.appendLongInteger(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    @inline(never)
    private func encodeNonConforming<Value: BinaryFloatingPoint>(_ value: Value, forKey key: Key) throws {
        try encodeValue(forKey: key) { state in try state.appendNonConforming(value, in: slot) }
    }

    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encodeValue(forKey: key) { state in try state.write(value, in: slot) }
    }

    @inline(__always)
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        guard let value else { return }
        try encode(value, forKey: key)
    }

    /// Encodes a value that can fail; if the caller catches the error, the object does not contain the member.
    @inline(__always)
    private func encodeValue(
        forKey key: Key,
        _ encode: (UnsafeMutablePointer<EncodingState>) throws -> Void
    ) throws {
        let state = cursor.pointee.state
        try state.activate(slot, cursor.pointee.generation)
        let (count, used, wasEmpty) = (state.pointee.count, state.pointee.used, slot.pointee.isEmpty)
        writeKey(key)
        do {
            try encode(state)
        } catch {
            state.undo(in: slot, to: count, wasEmpty: wasEmpty, used: used, because: error)
            throw error
        }
    }
}
