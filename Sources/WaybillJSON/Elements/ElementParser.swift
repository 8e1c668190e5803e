import WaybillSystem

/// A parser for the elements of an array in a document that arrives in chunks.
///
/// The rest of the document is validated and discarded. Besides unread chunks, the parser retains only the bytes of one
/// element and of the requested metadata.
struct ElementParser: Sendable {
    /// The reason why ``advance()`` stopped.
    enum Step {
        /// All appended bytes have been read.
        case needsBytes
        /// An element begins at ``index``.
        case elementBegins
        /// The bytes of the element are in ``kept``.
        case elementEnds
    }

    /// A container on one of the requested paths.
    struct Level {
        let node: Int
        let place: TextPosition?
        /// The number of array elements begun so far.
        var count = 0
        /// The child node for the most recent key.
        var child: Int?
        /// The first keys of an object, with escapes unresolved, used in the error for a missing key.
        var keys: [String] = []
    }

    let strategies: DecodingStrategies
    let path: [EnvelopeKey]
    let pathKeys: [PathKey]
    var tree: EnvelopeTree
    var validator: JSONValidator
    var levels: [Level] = []

    /// The current chunk, the read position in it, and the following chunks.
    var chunk = Data()
    var index = 0
    var waiting = ChunkQueue()
    /// The number of bytes before the chunk.
    var offset = 0
    var tracker = LocationTracker()
    /// A snapshot of the tracker, shared by the elements of the chunk.
    var part: JSONPart?
    /// The whole document, if it is available.
    var document: Data?

    /// The value whose bytes are being retained.
    var kept: BufferedValue?
    /// The retained metadata, keyed by node.
    var metadata: [Int: BufferedValue] = [:]
    /// The index of the current or next element.
    var elementIndex = 0
    /// Whether elements are skipped.
    var passesElements = false
    /// The document without its elements, if requested.
    var outline: ElementOutline?
    /// Whether to skip an invalid text in a sequence, up to the next separator.
    var passesBrokenTexts = false
    /// The separator up to which bytes are being skipped.
    var soughtSeparator: UInt8?
    /// The maximum size of an element, in bytes.
    var elementLimit = Int.max
    /// The number of bytes reread after invalid texts.
    var repeatedByteCount = 0
    /// The error that ended parsing.
    var failure: (any Error)?

    init(_ strategies: DecodingStrategies, at path: [EnvelopeKey], keeping metadata: [[EnvelopeKey]]) {
        self.strategies = strategies
        self.path = path
        pathKeys = path.map { PathKey($0) }
        tree = EnvelopeTree(elements: path, keeping: metadata)
        validator = JSONValidator(maximumDepth: strategies.maximumDepth, longestKey: tree.longestKey)
        if let rejection = tree.rejection {
            failure = DecodingError.dataCorrupted(
                .init(codingPath: rejection.path.map { PathKey($0) }, debugDescription: rejection.reason)
            )
        }
    }

    /// The number of retained bytes, excluding those of requested metadata.
    var heldByteCount: Int {
        chunk.count + waiting.byteCount + (kept?.data.count ?? 0) + tracker.recent.count + validator.keyBytes.count
    }

    /// Advances to the next element or to the end of the appended bytes.
    mutating func advance() throws -> Step {
        if let failure { throw failure }
        do {
            while true {
                if let step = try step() { return step }
            }
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func step() throws -> Step? {
        if let soughtSeparator, !skipToSeparator(soughtSeparator) {
            try leaveChunk()
            guard let next = waiting.next() else { return .needsBytes }
            chunk = next
            return nil
        }
        let bytes = chunk
        let event = bytes.withUnsafeBytes {
            validator.read($0.assumingMemoryBound(to: UInt8.self), from: &index)
        }
        switch event {
        case .needsBytes:
            try leaveChunk()
            guard let next = waiting.next() else { return .needsBytes }
            chunk = next
        case .byteOrderMark:
            // The byte order mark does not count toward columns and is not shown.
            chunk = chunk.dropFirst(index)
            offset += index
            index = 0
            tracker = LocationTracker()
            part = nil
            outline?.resume(at: 0)
        case .key:
            noteKey()
        case .valueBegins:
            return try beginValue()
        case .valueEnds:
            return try endValue()
        case .rejected(let rejection):
            // The size is checked first, so that which of two errors is thrown does not depend on chunk boundaries.
            try checkSize(to: index)
            throw error(of: rejection)
        }
        return nil
    }

    private mutating func leaveChunk() throws {
        guard !chunk.isEmpty else { return }
        if kept != nil { try keep(to: chunk.count) }
        outline?.take(chunk)
        chunk.withUnsafeBytes { tracker.leave($0.assumingMemoryBound(to: UInt8.self)) }
        offset += chunk.count
        chunk = Data()
        index = 0
        part = nil
    }

    /// Counts lines and characters up to an offset in the chunk.
    mutating func count(to offset: Int) {
        let bytes = chunk
        bytes.withUnsafeBytes { tracker.count(to: offset, in: $0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Validates the remaining appended bytes, and checks that the document is complete.
    mutating func finish() throws {
        if let failure { throw failure }
        passesElements = true
        reading: while true {
            switch try advance() {
            case .needsBytes: break reading
            case .elementBegins: break
            case .elementEnds:
                kept = nil
                elementIndex += 1
            }
        }
        guard let rejection = validator.finish() else { return }
        let error = error(of: rejection, atEnd: true)
        failure = error
        throw error
    }
}

/// A queue of chunks.
struct ChunkQueue: Sendable {
    private var chunks: [Data] = []
    private var first = 0
    /// The total number of bytes.
    private(set) var byteCount = 0

    mutating func append(_ chunk: Data) {
        guard !chunk.isEmpty else { return }
        chunks.append(chunk)
        byteCount += chunk.count
    }

    /// Removes and returns the next chunk, in amortized constant time.
    mutating func next() -> Data? {
        guard first < chunks.count else { return nil }
        let chunk = chunks[first]
        chunks[first] = Data()
        first += 1
        byteCount -= chunk.count
        if 2 * first >= chunks.count {
            chunks.removeFirst(first)
            first = 0
        }
        return chunk
    }
}

/// The bytes of a value, collected across chunks.
struct BufferedValue: Sendable {
    var data = Data()
    /// The offset in the chunk of the next byte to collect.
    var start: Int
    /// The location of the value in the document.
    var tracker: LocationTracker
    /// The node of requested metadata; nil for an element.
    let node: Int?
}
