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
