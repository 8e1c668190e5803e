/// A place of an ``EncodedValue`` while it is being filled; containers and encoders share it.
final class EncodedNode {
    private enum Content {
        case empty
        case single(EncodedValue)
        case array([EncodedNode])
        case object(Members)
    }

    private struct Members {
        var nodes: [(key: String, node: EncodedNode)] = []
        /// By the keys' bytes: a string equals another one of other bytes that looks the same.
        var positions: [[UInt8]: Int] = [:]
        /// The type of the keys; nil if containers with several types of keys share the node.
        var keyType: ObjectIdentifier?
        /// Whether they are those of a dictionary with strings as keys, encoded as such.
        var areOfStringDictionary = false
    }

    private var content = Content.empty

    /// Whether nothing has been encoded here.
    var isEmpty: Bool {
        if case .empty = content { true } else { false }
    }

    /// The number of elements so far.
    var count: Int {
        if case .array(let nodes) = content { nodes.count } else { 0 }
    }

    /// Returns the value that was encoded here; see ``ValueEncoder/convertsOtherKeys``.
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

    /// Makes this a value that is not taken apart, or null.
    func set(_ value: EncodedValue) { content = .single(value) }

    /// Makes this what another node is.
    func adopt(_ other: EncodedNode) { content = other.content }

    /// Notes that the members are those of a dictionary with strings as keys.
    func becomeStringDictionary() {
        guard case .object(var members) = content else { return }
        content = .empty  // So that the members are not copied.
        members.areOfStringDictionary = true
        content = .object(members)
    }

    /// Makes this an object, unless it is something else already; returns whether it is one now.
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

    /// Makes this an array, unless it is something else already; returns whether it is one now.
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

    /// Adds an element to an array.
    func append(_ node: EncodedNode) {
        guard case .array(var nodes) = content else { return }
        content = .empty  // So that the elements are not copied.
        nodes.append(node)
        content = .array(nodes)
    }

    /// Returns the node of a key of an object; nil without such a key.
    func member(_ key: String) -> EncodedNode? {
        guard case .object(let members) = content, let position = members.positions[Array(key.utf8)] else { return nil }
        return members.nodes[position].node
    }

    /// Sets the node of a key of an object: in place of an earlier one, else after the others.
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

    /// The type of the keys with which the standard library's dictionaries encode themselves, learnt by encoding one.
    ///
    /// Asking for the type of the value would miss a dictionary that a wrapper encodes with its own encoder.
    private static let dictionaryKeyType: ObjectIdentifier? = {
        let probe = EncodedNode()
        try? ["": 0].encode(to: EncodedNodeEncoder(node: probe, codingPath: [], session: EncodingSession()))
        guard case .object(let members) = probe.content else { return nil }
        return members.keyType
    }()

    /// Whether a key comes before another one: whole numbers by value, then all other keys by text.
    private static func isOrdered(_ left: String, _ right: String) -> Bool {
        switch (Int(left), Int(right)) {
        case (let left?, let right?) where left != right: left < right
        case (.some, nil): true
        case (nil, .some): false
        default: left < right
        }
    }
}

/// The encoder of one node.
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

    /// Returns the encoder of a node below this one.
    func child(_ node: EncodedNode, _ key: any CodingKey) -> EncodedNodeEncoder {
        let path = codingPath + [key]
        guard path.count <= EncodingSession.maximumDepth else {
            session.fail(session.tooDeep(codingPath))
            // The path no longer grows, and what continues below is left behind.
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

    /// Returns an encoder of a node that is discarded, after the error has been stored.
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

/// A value that may be nil, also within another one.
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
