/// Encodes elements into a node that is an array.
///
/// The generic method to encode also serves for every type that the protocol lists.
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
