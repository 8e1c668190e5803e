/// A container that encodes members into an object node.
///
/// The generic `encode` method also satisfies the requirements for specific types. The generic `encodeIfPresent` does
/// not: calls for those types would use the protocol's default implementations, which always omit nil.
struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: EncodedNodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws { set(.null, forKey: key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        if encoder.session.omits(value) { return }
        let member = EncodedNode()
        try encoder.session.encode(value, into: member, at: codingPath + [key])
        encoder.node.setMember(key.stringValue, to: member)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws { set(.leaf(value), forKey: key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws { set(.leaf(value), forKey: key) }

    /// Returns the key's existing container if it has the same kind; otherwise, a new one.
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        member(key) { $0.becomeObject(keyType: ObjectIdentifier(type)) }.container(keyedBy: type)
    }

    /// Returns the key's existing container if it has the same kind; otherwise, a new one.
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        member(key) { $0.becomeArray() }.unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        let member = EncodedNode()
        encoder.node.setMember("super", to: member)
        return encoder.child(member, EncodedValue.Key(stringValue: "super"))
    }

    func superEncoder(forKey key: Key) -> any Encoder { member(key) { _ in false } }

    private func set(_ value: EncodedValue, forKey key: Key) {
        let member = EncodedNode()
        member.set(value)
        encoder.node.setMember(key.stringValue, to: member)
    }

    /// Returns an encoder for the key's existing node if it fits; otherwise, for a new node.
    private func member(_ key: Key, ifFitting fits: (EncodedNode) -> Bool) -> EncodedNodeEncoder {
        if let member = encoder.node.member(key.stringValue), fits(member) { return encoder.child(member, key) }
        let member = EncodedNode()
        encoder.node.setMember(key.stringValue, to: member)
        return encoder.child(member, key)
    }

    // MARK: Optional properties

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value {
            try encode(value, forKey: key)
        } else if encoder.session.nils == .null {
            set(.null, forKey: key)
        }
    }

    private func ifPresent<Value: Encodable>(_ value: Value?, _ key: Key) throws {
        try encodeIfPresent(value, forKey: key)
    }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try ifPresent(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try ifPresent(value, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try ifPresent(value, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try ifPresent(value, key) }
}

/// A container that encodes elements into an array node.
///
/// The generic `encode` method also satisfies the requirements for specific types.
struct UnkeyedNodeContainer: UnkeyedEncodingContainer {
    let encoder: EncodedNodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int { encoder.node.count }

    func encodeNil() throws { append().node.set(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        if encoder.session.omits(value) { return }
        let element = EncodedNode()
        let key = EncodedValue.Key(intValue: count)
        try encoder.session.encode(value, into: element, at: codingPath + [key])
        encoder.node.append(element)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { append().node.set(.leaf(value)) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { append().node.set(.leaf(value)) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        append().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { append().unkeyedContainer() }

    func superEncoder() -> any Encoder { append() }

    private func append() -> EncodedNodeEncoder {
        let element = EncodedNode()
        let key = EncodedValue.Key(intValue: count)
        encoder.node.append(element)
        return encoder.child(element, key)
    }
}

/// A container that encodes a single value into a node.
///
/// The generic `encode` method also satisfies the requirements for specific types.
struct SingleNodeContainer: SingleValueEncodingContainer {
    let encoder: EncodedNodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws {
        try expectNothingEncoded(Int?.none as Any)
        encoder.node.set(.null)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try expectNothingEncoded(value)
        // Encode into a separate node, so that another value can be encoded after an error.
        let whole = EncodedNode()
        try encoder.session.encode(value, into: whole, at: codingPath)
        encoder.node.adopt(whole)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws {
        try expectNothingEncoded(value)
        encoder.node.set(.leaf(value))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws {
        try expectNothingEncoded(value)
        encoder.node.set(.leaf(value))
    }

    private func expectNothingEncoded(_ value: Any) throws {
        guard encoder.node.isEmpty else {
            throw EncodingError.invalidValue(
                value,
                .init(
                    codingPath: codingPath,
                    debugDescription: "A single value was encoded after something else had been."
                )
            )
        }
    }
}
