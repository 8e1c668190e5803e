import WaybillSystem

extension ElementParser {
    private static let keysShown = 16

    mutating func noteKey() {
        guard let level = levels.indices.last else { return }
        // A longer key is truncated, possibly within a character, and cannot match a requested key.
        guard validator.keyBytes.count < validator.longestKey else {
            levels[level].child = nil
            return
        }
        levels[level].child = tree.child(of: levels[level].node, key: validator.keyBytes)
        if levels[level].keys.count < Self.keysShown {
            levels[level].keys.append(String(decoding: validator.keyBytes, as: UTF8.self))
        }
    }

    /// Begins the value at ``index``; if it is on a path, checks and enters it, or starts keeping its bytes.
    mutating func beginValue() throws -> Step? {
        if isElement { return passesElements ? nil : .elementBegins }
        guard let node = nextNode() else { return nil }
        let byte = chunk[chunk.startIndex + index]
        tree.enter(node, at: byte)
        switch tree.nodes[node].role {
        case .kept:
            beginKeeping(for: node)
        case .elements:
            guard byte == UInt8(ascii: "[") else { throw mismatch([Any].self) }
            enter(node)
            outline?.pause(chunk, at: index)
        case .passage:
            let next = tree.nodes[node].next
            switch next.flatMap({ tree.nodes[$0].step }) {
            case .key where byte != UInt8(ascii: "{"): throw mismatch([String: Any].self)
            case .index where byte != UInt8(ascii: "["): throw mismatch([Any].self)
            default: break
            }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { enter(node) }
        }
        return nil
    }

    /// Whether values at the current depth are elements of the array or sequence.
    private var isElement: Bool {
        guard validator.sequence == nil else { return validator.depth == 0 }
        guard let level = levels.last, levels.count == validator.depth else { return false }
        return tree.nodes[level.node].role == .elements
    }

    private mutating func nextNode() -> Int? {
        guard let level = levels.indices.last else { return 0 }
        if validator.isObject {
            defer { levels[level].child = nil }
            return levels[level].child
        }
        defer { levels[level].count += 1 }
        return tree.child(of: levels[level].node, index: levels[level].count)
    }

    private mutating func enter(_ node: Int) {
        levels.append(Level(node: node, place: tree.nodes[node].next == nil ? nil : place()))
        validator.watchedDepth = levels.count
    }

    /// Ends a value that is on a path or is a child of a container on a path.
    mutating func endValue() throws -> Step? {
        guard levels.count > validator.depth else {
            guard kept != nil || isElement else { return nil }
            return try endKeeping()
        }
        let level = levels.removeLast()
        validator.watchedDepth = levels.count
        if tree.nodes[level.node].role == .elements { outline?.resume(at: index - 1) }
        if let next = tree.nodes[level.node].next, !tree.nodes[next].isFound { throw missing(next, in: level) }
        return nil
    }

    /// Whether the next byte is within the array.
    var isWithinElements: Bool { levels.last.map { tree.nodes[$0.node].role == .elements } ?? false }

    /// The part of the document read so far, without its elements, completed with closing brackets.
    ///
    /// The outline is nil if it was not requested or exceeds its limit.
    var closedOutline: Data? {
        guard let outline, !outline.isTruncated else { return nil }
        guard isWithinElements else { return outline.data }
        let brackets = levels.indices.reversed().map { level in
            validator.containers[level >> 6] >> UInt64(level & 63) & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")
        }
        return outline.data + brackets
    }

    /// Starts retaining the bytes of the value at ``index``.
    mutating func beginKeeping(for node: Int? = nil) {
        let (bytes, start) = (chunk, index)
        count(to: start)
        var place = tracker
        bytes.withUnsafeBytes { place.cut(to: start, in: $0.assumingMemoryBound(to: UInt8.self)) }
        kept = BufferedValue(start: start, tracker: place, node: node)
    }

    /// Checks that the element, up to an offset in the chunk, does not exceed the size limit.
    ///
    /// - Throws: ``ElementTooLarge`` if it does, after discarding its bytes.
    mutating func checkSize(to end: Int) throws {
        guard let start = kept?.start, let count = kept?.data.count, kept?.node == nil else { return }
        guard end - start > elementLimit - count else { return }
        kept = nil
        throw ElementTooLarge(path: pathKeys + [PathKey(index: elementIndex)], limit: elementLimit)
    }

    /// Retains the value's bytes up to an offset in the chunk.
    ///
    /// - Throws: ``ElementTooLarge`` if an element exceeds the size limit.
    mutating func keep(to end: Int) throws {
        guard let start = kept?.start, start <= end else { return }
        try checkSize(to: end)
        kept?.data.append(contentsOf: chunk.dropFirst(start).prefix(end - start))
        kept?.start = 0
    }

    private mutating func endKeeping() throws -> Step? {
        guard kept != nil else {
            // The element is skipped.
            elementIndex += 1
            return nil
        }
        try keep(to: index)
        guard let value = kept, let node = value.node else { return .elementEnds }
        metadata[node] = value
        kept = nil
        return nil
    }
}

/// The bytes of a document without the elements of its array, such as `{"total":3,"items":[],"meta":{}}`.
struct ElementOutline: Sendable {
    private(set) var data = Data()
    /// Whether the outline exceeded its limit, in which case it is discarded.
    private(set) var isTruncated = false
    /// The offset of the next byte to append in the chunk; nil within the array.
    private var start: Int? = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Appends the rest of a fully read chunk.
    mutating func take(_ chunk: Data) {
        guard let start else { return }
        append(chunk.dropFirst(start))
        self.start = 0
    }

    /// Appends the bytes through the array's opening bracket, and then skips bytes until resumed.
    mutating func pause(_ chunk: Data, at index: Int) {
        guard let start else { return }
        append(chunk.dropFirst(start).prefix(index + 1 - start))
        self.start = nil
    }

    /// Resumes appending at an offset in the chunk.
    mutating func resume(at index: Int) { start = index }

    private mutating func append(_ bytes: Data) {
        guard !isTruncated else { return }
        if bytes.count <= limit - data.count {
            data.append(bytes)
        } else {
            isTruncated = true
            data = Data()
        }
    }
}
