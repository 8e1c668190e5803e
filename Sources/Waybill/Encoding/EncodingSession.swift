/// What the encoders and containers of one value share.
final class EncodingSession {
    let nils: ValueEncoder.Nils
    let userInfo: [CodingUserInfoKey: Any]

    /// The first error that could not be thrown where it was noticed.
    private(set) var failure: EncodingError?

    private var depth = 0

    static let maximumDepth = 512

    init(nils: ValueEncoder.Nils = .omitted, userInfo: [CodingUserInfoKey: Any] = [:]) {
        self.nils = nils
        self.userInfo = userInfo
    }

    /// Encodes a value into a node that nothing has been encoded into.
    func encode(_ value: some Encodable, into node: EncodedNode, at codingPath: [any CodingKey]) throws {
        if let leaf = value as? any LeafValue { return node.set(.leaf(leaf)) }
        guard depth < Self.maximumDepth else { throw tooDeep(codingPath) }
        depth += 1
        defer { depth -= 1 }
        try value.encode(to: EncodedNodeEncoder(node: node, codingPath: codingPath, session: self))
    }

    /// Keeps an error until the end, where the protocol does not let it be thrown.
    func fail(_ error: EncodingError) { failure = failure ?? error }

    func tooDeep(_ codingPath: [any CodingKey]) -> EncodingError {
        .invalidValue(
            (),
            .init(
                codingPath: codingPath,
                debugDescription:
                    "The value is nested more than \(Self.maximumDepth) levels deep; does it contain itself?"
            )
        )
    }
}
