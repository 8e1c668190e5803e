/// The requested paths in a document, merged into a tree.
struct EnvelopeTree: Sendable {
    enum Role: Sendable {
        /// A container on the path to a requested value.
        case passage
        /// The array whose elements are returned.
        case elements
        /// A value whose bytes are retained.
        case kept
    }

    struct Node: Sendable {
        let step: EnvelopeKey?
        var role = Role.passage
        var children: [Int] = []
        /// The child on the path to the elements.
        var next: Int?
        /// Whether the document contains the value; if a key is repeated, the first member wins.
        var isFound = false
        /// The first byte of the value.
        var firstByte: UInt8 = 0
    }

    private(set) var nodes = [Node(step: nil)]
    /// The reason why the requested paths are invalid; nil if they are valid.
    private(set) var rejection: (path: [EnvelopeKey], reason: String)?

    /// Creates a tree by merging the given paths.
    ///
    /// - Parameters:
    ///   - elements: the path to the array.
    ///   - kept: the paths to the values to retain; a path within one of these values has no effect.
    init(elements: [EnvelopeKey], keeping kept: [[EnvelopeKey]]) {
        guard let array = insert(elements) else { return }
        nodes[array].role = .elements
        for path in kept.sorted(by: { $0.count < $1.count }) {
            guard let node = insert(path) else { continue }
            if nodes[node].role == .elements || nodes[node].next != nil || path.isEmpty {
                rejection = (path, "The metadata contains the elements, or is within them; it cannot be kept.")
            } else {
                nodes[node].role = .kept
            }
        }
    }

    /// The maximum number of bytes of a document key to compare.
    ///
    /// It allows for keys spelled with escapes or with canonically equivalent scalars.
    var longestKey: Int {
        nodes.reduce(0) { longest, node in
            if case .key(let key) = node.step { max(longest, 18 * key.utf8.count + 18) } else { longest }
        }
    }

    private mutating func insert(_ path: [EnvelopeKey]) -> Int? {
        var node = 0
        let isWayToElements = nodes[0].role == .passage && nodes[0].children.isEmpty
        for step in path {
            if case .index(..<0) = step {
                rejection = (path, "The place of an element from the end is not known before the end.")
                return nil
            }
            switch nodes[node].role {
            case .kept: return nil
            case .elements: return node
            case .passage: break
            }
            if let child = nodes[node].children.first(where: { nodes[$0].step == step }) {
                node = child
                continue
            }
            nodes.append(Node(step: step))
            nodes[node].children.append(nodes.count - 1)
            if isWayToElements { nodes[node].next = nodes.count - 1 }
            node = nodes.count - 1
        }
        return node
    }

    /// Returns the child for a key if this is its first occurrence.
    mutating func child(of node: Int, key bytes: [UInt8]) -> Int? {
        var text: String?
        for child in nodes[node].children {
            guard case .key(let key) = nodes[child].step else { continue }
            if !bytes.elementsEqual(key.utf8) {
                // The same key may be spelled with escapes or with canonically equivalent scalars.
                guard bytes.contains(where: { $0 == UInt8(ascii: "\\") || $0 >= 0x80 }) else { continue }
                let spelled = text ?? bytes.withUnsafeBufferPointer(JSONEscapes.resolving)
                text = spelled
                guard spelled == key else { continue }
            }
            return markFound(child)
        }
        return nil
    }

    /// Returns the child for an array index if this is its first occurrence.
    mutating func child(of node: Int, index: Int) -> Int? {
        nodes[node].children.first { nodes[$0].step == .index(index) }.flatMap { markFound($0) }
    }

    /// Returns the node if this is its first occurrence; nil otherwise.
    private mutating func markFound(_ node: Int) -> Int? {
        guard !nodes[node].isFound else { return nil }
        nodes[node].isFound = true
        return node
    }

    /// Records the first byte of a node's value.
    mutating func enter(_ node: Int, at byte: UInt8) {
        nodes[node].isFound = true
        nodes[node].firstByte = byte
    }

    /// Returns the node of the first retained value on a path, and the rest of the path; nil without one.
    func kept(at path: [EnvelopeKey]) -> (node: Int, rest: ArraySlice<EnvelopeKey>)? {
        var node = 0
        for (place, step) in path.enumerated() {
            guard let child = nodes[node].children.first(where: { nodes[$0].step == step }) else { return nil }
            node = child
            if nodes[node].role == .kept { return (node, path[(place + 1)...]) }
        }
        return nil
    }

    /// Returns the number of leading steps of a path that the document contains, and the node of the last one.
    func foundSteps(of path: [EnvelopeKey]) -> (count: Int, node: Int) {
        var node = 0
        for (count, step) in path.enumerated() {
            guard let child = nodes[node].children.first(where: { nodes[$0].step == step }), nodes[child].isFound
            else {
                return (count, node)
            }
            node = child
        }
        return (path.count, node)
    }
}
