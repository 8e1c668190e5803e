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

extension UnkeyedContainer {
    mutating func decode(_ type: Bool.Type) throws -> Bool {
        let value = try state.bool(at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: String.Type) throws -> String {
        let value = try state.string(at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        let value = try state.double(at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        let value = try state.float(at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Int.Type) throws -> Int {
        let value = try state.integer(Int.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        let value = try state.integer(Int8.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        let value = try state.integer(Int16.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        let value = try state.integer(Int32.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        let value = try state.integer(Int64.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: UInt.Type) throws -> UInt {
        let value = try state.integer(UInt.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        let value = try state.integer(UInt8.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        let value = try state.integer(UInt16.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        let value = try state.integer(UInt32.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        let value = try state.integer(UInt64.self, at: next(type), in: array)
        advance()
        return value
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        let value = try state.integer(Int128.self, at: next(type), in: array)
        advance()
        return value
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        let value = try state.integer(UInt128.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try state.decode(type, at: next(type), in: array)
        advance()
        return value
    }
}
