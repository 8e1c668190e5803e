import WaybillSystem

/// A parser of the elements of an array in a document that arrives in chunks; the rest is checked and dropped.
///
/// Apart from the chunks that were appended and not yet read, it keeps the bytes of one element, and those of the
/// requested metadata.
struct ElementParser: Sendable {
    /// The reason for which ``advance()`` stopped.
    enum Step {
        /// All bytes that were appended have been read.
        case needsBytes
        /// An element begins at ``index``.
        case elementBegins
        /// The element that was to be kept is in ``kept``.
        case elementEnds
    }

    /// A container on one of the paths.
    struct Level {
        let node: Int
        let place: TextPosition?
        /// The number of elements of an array that have begun.
        var count = 0
        /// The child whose key was read last.
        var child: Int?
        /// The first keys of an object, their escapes as they are, for the error of a missing one.
        var keys: [String] = []
    }

    let strategies: DecodingStrategies
    let path: [EnvelopeKey]
    let pathKeys: [PathKey]
    var tree: EnvelopeTree
    var validator: JSONValidator
    var levels: [Level] = []

    /// The chunk that is being read, how far it is, and those after it.
    var chunk = Data()
    var index = 0
    var waiting = ChunkQueue()
    /// The number of bytes before the chunk.
    var offset = 0
    var tracker = LocationTracker()
    /// The tracker, for the elements of the chunk to share.
    var part: JSONPart?
    /// The whole document, if it is available.
    var document: Data?

    /// The value that is being kept.
    var kept: BufferedValue?
    /// The metadata that was kept, by its node.
    var metadata: [Int: BufferedValue] = [:]
    /// The index of the next element, or of the one that is being read.
    var elementIndex = 0
    /// Whether elements are passed over.
    var passesElements = false
    /// The document without its elements, if it is kept.
    var outline: ElementOutline?
    /// Whether a text of a sequence that is not JSON is passed over, up to the next separator.
    var passesBrokenTexts = false
    /// The separator up to which bytes are passed over.
    var soughtSeparator: UInt8?
    /// The most bytes of an element.
    var elementLimit = Int.max
    /// The number of bytes that were read again after texts that are not JSON.
    var repeatedByteCount = 0
    /// The error that ended the reading.
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

    /// The number of bytes that are held, without those of requested metadata.
    var heldByteCount: Int {
        chunk.count + waiting.byteCount + (kept?.data.count ?? 0) + tracker.recent.count + validator.keyBytes.count
    }

    /// Reads on, up to an element or to the end of the bytes.
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
            // It counts for no column, and is not shown.
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
            // The chunks of a document do not decide which of two errors it has.
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

    /// Counts lines and characters up to a byte of the chunk.
    mutating func count(to offset: Int) {
        let bytes = chunk
        bytes.withUnsafeBytes { tracker.count(to: offset, in: $0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Checks the rest of the appended bytes, and that the document ends there.
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

/// Chunks in the order in which they came.
struct ChunkQueue: Sendable {
    private var chunks: [Data] = []
    private var first = 0
    /// The number of bytes in all of them.
    private(set) var byteCount = 0

    mutating func append(_ chunk: Data) {
        guard !chunk.isEmpty else { return }
        chunks.append(chunk)
        byteCount += chunk.count
    }

    /// Returns the next chunk; amortized, in constant time.
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

/// The bytes of a value, collected from the chunks that they came in.
struct BufferedValue: Sendable {
    var data = Data()
    /// The start in the chunk of the part that is still to be collected.
    var start: Int
    /// The location of the value in the document.
    var tracker: LocationTracker
    /// The node that wants it; nil for an element.
    let node: Int?
}
