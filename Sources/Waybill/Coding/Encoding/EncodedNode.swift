/// A mutable node of an ``EncodedValue`` under construction, shared by containers and encoders.
final class EncodedNode {
    private enum Content {
        case empty
        case single(EncodedValue)
        case array([EncodedNode])
        case object(Members)
    }

    private struct Members {
        var nodes: [(key: String, node: EncodedNode)] = []
        /// The nodes' positions by the keys' UTF-8 bytes, because strings with different bytes can compare equal.
        var positions: [[UInt8]: Int] = [:]
        /// The key type; nil if containers with different key types share the node.
        var keyType: ObjectIdentifier?
        /// Whether the encoded value's type is a dictionary with string keys.
        var areOfStringDictionary = false
    }

    private var content = Content.empty

    /// Whether nothing has been encoded into the node.
    var isEmpty: Bool {
        if case .empty = content { true } else { false }
    }

    /// The number of elements encoded so far.
    var count: Int {
        if case .array(let nodes) = content { nodes.count } else { 0 }
    }

    /// Returns the encoded value; see ``ValueEncoder/convertsOtherKeys``.
    func value(convertingOtherKeys: Bool) -> EncodedValue {
        switch content {
        case .empty:
            return .object([])
        case .single(let value):
            return value
        case .array(let nodes):
            return .array(nodes.map { $0.value(convertingOtherKeys: convertingOtherKeys) })
        case .object(let members):
            let values = members.nodes.map { member in
                (key: member.key, value: member.node.value(convertingOtherKeys: convertingOtherKeys))
            }
            guard let keyType = members.keyType, keyType == Self.dictionaryKeyType,
                members.areOfStringDictionary || !convertingOtherKeys
            else { return .object(values) }
            return .dictionary(values.sorted { Self.isOrdered($0.key, $1.key) })
        }
    }

    /// Sets the node's content to a leaf or null.
    func set(_ value: EncodedValue) { content = .single(value) }

    /// Replaces the content with another node's content.
    func adopt(_ other: EncodedNode) { content = other.content }

    /// Marks the members as those of a dictionary with string keys.
    func becomeStringDictionary() {
        guard case .object(var members) = content else { return }
        content = .empty  // So that the members are not copied.
        members.areOfStringDictionary = true
        content = .object(members)
    }

    /// Makes the node an object if it is empty; returns whether it is now an object.
    func becomeObject(keyType: ObjectIdentifier) -> Bool {
        switch content {
        case .empty:
            content = .object(Members(keyType: keyType))
            return true
        case .object(var members):
            if members.keyType != keyType { members.keyType = nil }
            content = .object(members)
            return true
        case .single, .array:
            return false
        }
    }

    /// Makes the node an array if it is empty; returns whether it is now an array.
    func becomeArray() -> Bool {
        switch content {
        case .empty:
            content = .array([])
            return true
        case .array:
            return true
        case .single, .object:
            return false
        }
    }

    /// Appends an element to an array.
    func append(_ node: EncodedNode) {
        guard case .array(var nodes) = content else { return }
        content = .empty  // So that the elements are not copied.
        nodes.append(node)
        content = .array(nodes)
    }

    /// Returns the node for a key of an object; nil if the object lacks the key.
    func member(_ key: String) -> EncodedNode? {
        guard case .object(let members) = content, let position = members.positions[Array(key.utf8)] else { return nil }
        return members.nodes[position].node
    }

    /// Sets the node for a key of an object, replacing an earlier node in place or appending a new one.
    func setMember(_ key: String, to node: EncodedNode) {
        guard case .object(var members) = content else { return }
        content = .empty  // So that the members are not copied.
        let bytes = Array(key.utf8)
        if let position = members.positions[bytes] {
            members.nodes[position].node = node
        } else {
            members.positions[bytes] = members.nodes.count
            members.nodes.append((key, node))
        }
        content = .object(members)
    }

    /// The key type used by the standard library to encode dictionaries, determined by encoding one.
    ///
    /// Checking the value's type instead would miss a dictionary that a wrapper encodes into its own encoder.
    private static let dictionaryKeyType: ObjectIdentifier? = {
        let probe = EncodedNode()
        try? ["": 0].encode(to: EncodedNodeEncoder(node: probe, codingPath: [], session: EncodingSession()))
        guard case .object(let members) = probe.content else { return nil }
        return members.keyType
    }()

    /// Whether a key sorts before another: integers first, by value; then other keys, by text.
    private static func isOrdered(_ left: String, _ right: String) -> Bool {
        switch (Int(left), Int(right)) {
        case (let left?, let right?) where left != right: left < right
        case (.some, nil): true
        case (nil, .some): false
        default: left < right
        }
    }
}

/// An encoder that writes into a node.
struct EncodedNodeEncoder: Encoder {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    let session: EncodingSession

    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(object(keyedBy: type))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { array() }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleNodeContainer(encoder: self) }

    /// Returns an encoder for a child node.
    func child(_ node: EncodedNode, _ key: any CodingKey) -> EncodedNodeEncoder {
        let path = codingPath + [key]
        guard path.count <= EncodingSession.maximumDepth else {
            session.fail(session.tooDeep(codingPath))
            // Stop extending the path, and discard anything encoded below it.
            return EncodedNodeEncoder(node: EncodedNode(), codingPath: codingPath, session: session)
        }
        return EncodedNodeEncoder(node: node, codingPath: path, session: session)
    }

    func object<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedNodeContainer<Key> {
        let keyType = ObjectIdentifier(type)
        guard node.becomeObject(keyType: keyType) else {
            let detached = failing("a keyed container")
            _ = detached.node.becomeObject(keyType: keyType)
            return KeyedNodeContainer(encoder: detached)
        }
        return KeyedNodeContainer(encoder: self)
    }

    func array() -> UnkeyedNodeContainer {
        guard node.becomeArray() else {
            let detached = failing("an unkeyed container")
            _ = detached.node.becomeArray()
            return UnkeyedNodeContainer(encoder: detached)
        }
        return UnkeyedNodeContainer(encoder: self)
    }

    /// Records an error and returns an encoder whose node is discarded.
    private func failing(_ request: String) -> EncodedNodeEncoder {
        session.fail(
            .invalidValue(
                (),
                .init(
                    codingPath: codingPath,
                    debugDescription: "The value asked for \(request) after it had encoded something else."
                )
            )
        )
        return EncodedNodeEncoder(node: EncodedNode(), codingPath: codingPath, session: session)
    }
}

/// The state shared by all encoders and containers of one value.
final class EncodingSession {
    let nils: ValueEncoder.Nils
    let userInfo: [CodingUserInfoKey: Any]

    /// The first error that could not be thrown immediately.
    private(set) var failure: EncodingError?

    private var depth = 0

    static let maximumDepth = 512

    init(nils: ValueEncoder.Nils = .omitted, userInfo: [CodingUserInfoKey: Any] = [:]) {
        self.nils = nils
        self.userInfo = userInfo
    }

    /// Encodes a value into an empty node.
    func encode(_ value: some Encodable, into node: EncodedNode, at codingPath: [any CodingKey]) throws {
        if let leaf = value as? any LeafValue { return node.set(.leaf(leaf)) }
        guard depth < Self.maximumDepth else { throw tooDeep(codingPath) }
        depth += 1
        defer { depth -= 1 }
        try value.encode(to: EncodedNodeEncoder(node: node, codingPath: codingPath, session: self))
        if value is any StringDictionary { node.becomeStringDictionary() }
    }

    /// Whether to omit a value because it is a nil optional.
    func omits(_ value: some Encodable) -> Bool {
        nils == .omittedEverywhere && (value as? any OptionalValue)?.isNil ?? false
    }

    /// Records an error to throw at the end, unless one is already recorded.
    ///
    /// It is used by protocol methods that cannot throw.
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

/// A dictionary whose keys Foundation's encoder treats as data.
private protocol StringDictionary {}

extension Dictionary: StringDictionary where Key == String, Value: Encodable {}

/// A value that can be nil, possibly as a nested optional.
protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    var isNil: Bool {
        switch self {
        case .none: true
        case .some(let value): (value as? any OptionalValue)?.isNil ?? false
        }
    }
}
