/// Encodes one value into a node.
///
/// The generic method to encode also serves for every type that the protocol lists.
struct SingleNodeContainer: SingleValueEncodingContainer {
    let encoder: EncodedNodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws {
        try expectNothingEncoded(Int?.none as Any)
        encoder.node.set(.null)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try expectNothingEncoded(value)
        // By way of another node, so that after an error another value can be tried.
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
