/// The unkeyed container through which `Decodable` types read an array.
struct UnkeyedContainer: UnkeyedDecodingContainer {
    private let session: DecodingSession
    // 32 bits each, so that the existential container needs no allocation.
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

    /// The tape index of the array.
    @inline(__always)
    var array: Int { Int(arrayIndex) }

    var codingPath: [any CodingKey] { state.codingPath(to: array, in: state.container(of: array)) }

    var count: Int? { Int(elementCount) }

    var currentIndex: Int { Int(elementsRead) }

    var isAtEnd: Bool { elementsRead == elementCount }

    /// Returns the tape index of the next element.
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

    /// Advances past the next element.
    @inline(__always)
    mutating func advance() {
        position = UInt32(truncatingIfNeeded: state.pointee.tape.end(of: Int(position)))
        elementsRead &+= 1
    }

    /// Reads the next element with a closure that receives the tape indices of the element and the array.
    @inline(__always)
    private mutating func read<Value>(
        _ type: Any.Type,
        _ read: (UnsafeMutablePointer<DecodingState>, Int, Int) throws -> Value
    ) throws -> Value {
        let value = try read(state, next(type), array)
        advance()
        return value
    }

    @inline(__always)
    private mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        try read(type) { try $0.integer(Value.self, at: $1, in: $2) }
    }

    mutating func decodeNil() throws -> Bool {
        guard state.isNull(try next(Any?.self)) else { return false }
        advance()
        return true
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try read(KeyedDecodingContainer<NestedKey>.self) { try $0.keyedContainer(keyedBy: type, at: $1, in: $2) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try read((any UnkeyedDecodingContainer).self) { try UnkeyedContainer(session: $0.session, array: $1, in: $2) }
    }

    mutating func superDecoder() throws -> any Decoder {
        try read((any Decoder).self) { TapeDecoder(session: $0.session, index: $1, container: $2) }
    }
}

extension UnkeyedContainer {
    mutating func decode(_ type: Bool.Type) throws -> Bool { try read(type) { try $0.bool(at: $1, in: $2) } }

    mutating func decode(_ type: String.Type) throws -> String { try read(type) { try $0.string(at: $1, in: $2) } }

    mutating func decode(_ type: Double.Type) throws -> Double { try read(type) { try $0.double(at: $1, in: $2) } }

    mutating func decode(_ type: Float.Type) throws -> Float { try read(type) { try $0.float(at: $1, in: $2) } }

    mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }

    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }

    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }

    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }

    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }

    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }

    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }

    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }

    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }

    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Not `Value.self`: `type` can be a subclass known only at run time.
        try read(type) { try $0.decode(type, at: $1, in: $2) }
    }
}
