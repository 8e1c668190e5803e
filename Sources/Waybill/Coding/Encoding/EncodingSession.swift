/// The state that the encoders and containers of one value share.
final class EncodingSession {
    let nils: ValueEncoder.Nils
    let userInfo: [CodingUserInfoKey: Any]

    /// The first error that could not be thrown at once.
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
        if value is any StringDictionary { node.becomeStringDictionary() }
    }

    /// Whether a value is an optional without a value, of which nothing is to be encoded.
    func omits(_ value: some Encodable) -> Bool {
        nils == .omittedEverywhere && (value as? any OptionalValue)?.isNil ?? false
    }

    /// Stores an error until the end, for methods of the protocol that cannot throw.
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

/// A dictionary whose keys Foundation's encoder takes for data.
private protocol StringDictionary {}

extension Dictionary: StringDictionary where Key == String, Value: Encodable {}

private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNil: Bool {
        switch self {
        case .none: true
        case .some(let value): (value as? any OptionalValue)?.isNil ?? false
        }
    }
}
