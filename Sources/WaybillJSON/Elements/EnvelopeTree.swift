/// The paths that are followed through a document, laid over each other.
struct EnvelopeTree: Sendable {
    enum Role: Sendable {
        /// It leads to others.
        case passage
        /// The array whose elements are handed out.
        case elements
        /// A value whose bytes are kept.
        case kept
    }

    struct Node: Sendable {
        let step: EnvelopeKey?
        var role = Role.passage
        var children: [Int] = []
        /// The child that leads to the elements.
        var next: Int?
        /// Whether the document has it; of members with the same key the first one counts.
        var isVisited = false
        /// The first byte of the value.
        var firstByte: UInt8 = 0
    }

    private(set) var nodes = [Node(step: nil)]
    /// What is wrong with the paths.
    private(set) var refusal: (path: [EnvelopeKey], reason: String)?

    /// Lays paths over each other.
    ///
    /// - Parameters:
    ///   - elements: The way to the array.
    ///   - kept: The ways to values that are kept; one that leads into another of them needs nothing of its own.
    init(elements: [EnvelopeKey], keeping kept: [[EnvelopeKey]]) {
        guard let array = insert(elements) else { return }
        nodes[array].role = .elements
        for path in kept.sorted(by: { $0.count < $1.count }) {
            guard let node = insert(path) else { continue }
            if nodes[node].role == .elements || nodes[node].next != nil || path.isEmpty {
                refusal = (path, "The metadata contains the elements, or is within them; it cannot be kept.")
            } else {
                nodes[node].role = .kept
            }
        }
    }

    /// How many bytes of a key matter: each of a key's own may be written as an escape, and by other scalars.
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
                refusal = (path, "The place of an element from the end is not known before the end.")
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

    /// The child for a key that is met for the first time.
    mutating func child(of node: Int, key bytes: [UInt8]) -> Int? {
        var text: String?
        for child in nodes[node].children {
            guard case .key(let key) = nodes[child].step else { continue }
            if !bytes.elementsEqual(key.utf8) {
                // The same text may be spelled otherwise, with escapes or by other scalars.
                guard bytes.contains(where: { $0 == UInt8(ascii: "\\") || $0 >= 0x80 }) else { continue }
                let spelled = text ?? bytes.withUnsafeBufferPointer(JSONEscapes.resolving)
                text = spelled
                guard spelled == key else { continue }
            }
            return visit(child)
        }
        return nil
    }

    /// The child for a place in an array.
    mutating func child(of node: Int, index: Int) -> Int? {
        nodes[node].children.first { nodes[$0].step == .index(index) }.flatMap { visit($0) }
    }

    private mutating func visit(_ node: Int) -> Int? {
        guard !nodes[node].isVisited else { return nil }
        nodes[node].isVisited = true
        return node
    }

    /// Remembers how the value of a node begins.
    mutating func enter(_ node: Int, at byte: UInt8) {
        nodes[node].isVisited = true
        nodes[node].firstByte = byte
    }

    /// The node of the value that was kept at the start of a path, and the rest of the path.
    func kept(at path: [EnvelopeKey]) -> (node: Int, rest: ArraySlice<EnvelopeKey>)? {
        var node = 0
        for (place, step) in path.enumerated() {
            guard let child = nodes[node].children.first(where: { nodes[$0].step == step }) else { return nil }
            node = child
            if nodes[node].role == .kept { return (node, path[(place + 1)...]) }
        }
        return nil
    }

    /// How many steps of a path the document has.
    func visitedSteps(of path: [EnvelopeKey]) -> (count: Int, node: Int) {
        var node = 0
        for (count, step) in path.enumerated() {
            guard let child = nodes[node].children.first(where: { nodes[$0].step == step }), nodes[child].isVisited
            else {
                return (count, node)
            }
            node = child
        }
        return (path.count, node)
    }
}
