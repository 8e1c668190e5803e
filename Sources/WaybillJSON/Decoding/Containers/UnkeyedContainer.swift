/// The elements of an array, one after the other.
struct UnkeyedContainer: UnkeyedDecodingContainer {
    private let session: DecodingSession
    // 32 bits each, so that the existential that the protocol asks for needs no allocation.
    private let arrayIndex: UInt32
    private var position: UInt32
    private var elementsRead: UInt32 = 0
    private let elementCount: UInt32

    init(session: DecodingSession, array: Int, in container: Int) throws {
        guard TapeWord.kind(session.state.pointee.tape[array]) == TapeKind.array else {
            throw session.state.mismatch([Any].self, at: array, in: container)
        }
        self.session = session
        arrayIndex = UInt32(truncatingIfNeeded: array)
        position = UInt32(truncatingIfNeeded: array &+ 2)
        elementCount = UInt32(truncatingIfNeeded: session.state.elementCount(of: array))
    }

    @inline(__always)
    var state: UnsafeMutablePointer<DecodingState> { session.state }

    /// The index of the array on the tape.
    @inline(__always)
    var array: Int { Int(arrayIndex) }

    var codingPath: [any CodingKey] { state.codingPath(to: array, in: state.container(of: array)) }

    var count: Int? { Int(elementCount) }

    var currentIndex: Int { Int(elementsRead) }

    var isAtEnd: Bool { elementsRead == elementCount }

    /// Returns the index of the next element on the tape.
    @inline(__always)
    func next(_ type: Any.Type) throws -> Int {
        if isAtEnd { throw atEnd(type) }
        return Int(position)
    }

    @inline(never)
    private func atEnd(_ type: Any.Type) -> DecodingError {
        state.error(codingPath + [PathKey(index: currentIndex)], "The array has no more elements.") {
            .valueNotFound(type, $0)
        }
    }

    /// Goes on to the element after the next one.
    @inline(__always)
    mutating func advance() {
        position = UInt32(truncatingIfNeeded: state.pointee.tape.end(of: Int(position)))
        elementsRead &+= 1
    }

    mutating func decodeNil() throws -> Bool {
        guard state.isNull(try next(Any?.self)) else { return false }
        advance()
        return true
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let nested = try state.keyedContainer(
            keyedBy: type,
            at: next(KeyedDecodingContainer<NestedKey>.self),
            in: array
        )
        advance()
        return nested
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let nested = try UnkeyedContainer(
            session: session,
            array: next((any UnkeyedDecodingContainer).self),
            in: array
        )
        advance()
        return nested
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = TapeDecoder(session: session, index: try next((any Decoder).self), container: array)
        advance()
        return decoder
    }
}
