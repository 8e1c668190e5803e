/// The decoder of a value on the tape, which is passed to the type's `init(from:)`.
struct TapeDecoder: Decoder {
    let session: DecodingSession
    private let place: (index: UInt32, container: UInt32)

    @inline(__always)
    init(session: DecodingSession, index: Int, container: Int) {
        self.session = session
        place = (UInt32(truncatingIfNeeded: index), UInt32(truncatingIfNeeded: container))
    }

    @inline(__always)
    var state: UnsafeMutablePointer<DecodingState> { session.state }

    /// The tape index of the value.
    @inline(__always)
    var index: Int { Int(place.index) }

    /// The tape index of the value's container; 0 for the root value.
    @inline(__always)
    var container: Int { Int(place.container) }

    var codingPath: [any CodingKey] { state.codingPath(to: index, in: container) }

    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try state.keyedContainer(keyedBy: type, at: index, in: container)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try UnkeyedContainer(session: session, array: index, in: container)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { state.isNull(index) }

    func decode(_ type: Bool.Type) throws -> Bool { try state.bool(at: index, in: container) }

    func decode(_ type: String.Type) throws -> String { try state.string(at: index, in: container) }

    func decode(_ type: Double.Type) throws -> Double { try state.double(at: index, in: container) }

    func decode(_ type: Float.Type) throws -> Float { try state.float(at: index, in: container) }

    func decode(_ type: Int.Type) throws -> Int { try state.integer(Int.self, at: index, in: container) }

    func decode(_ type: Int8.Type) throws -> Int8 { try state.integer(Int8.self, at: index, in: container) }

    func decode(_ type: Int16.Type) throws -> Int16 { try state.integer(Int16.self, at: index, in: container) }

    func decode(_ type: Int32.Type) throws -> Int32 { try state.integer(Int32.self, at: index, in: container) }

    func decode(_ type: Int64.Type) throws -> Int64 { try state.integer(Int64.self, at: index, in: container) }

    func decode(_ type: UInt.Type) throws -> UInt { try state.integer(UInt.self, at: index, in: container) }

    func decode(_ type: UInt8.Type) throws -> UInt8 { try state.integer(UInt8.self, at: index, in: container) }

    func decode(_ type: UInt16.Type) throws -> UInt16 { try state.integer(UInt16.self, at: index, in: container) }

    func decode(_ type: UInt32.Type) throws -> UInt32 { try state.integer(UInt32.self, at: index, in: container) }

    func decode(_ type: UInt64.Type) throws -> UInt64 { try state.integer(UInt64.self, at: index, in: container) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try state.integer(Int128.self, at: index, in: container) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try state.integer(UInt128.self, at: index, in: container) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try state.decode(type, at: index, in: container)
    }
}

extension DecodingState {
    /// The JSON text that represents a missing member.
    static var null: UnsafeBufferPointer<UInt8> {
        let text: StaticString = "null"
        return UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// Returns the document's text, starting at the first byte of a value.
    func text(fromValueAt index: Int) -> UnsafeBufferPointer<UInt8> {
        guard index < pointee.tape.count else { return DecodingState.null }
        let word = pointee.tape[index]
        let offset =
            switch TapeWord.kind(word) {
            case TapeKind.array, TapeKind.object: TapeWord.lower(pointee.tape[index &+ 1])
            // The offset of a string points past its opening quotation mark.
            case TapeKind.asciiString...TapeKind.longString: TapeWord.lower(word) &- 1
            default: TapeWord.lower(word)
            }
        return UnsafeBufferPointer(start: pointee.bytes + offset, count: pointee.count &- offset)
    }

    /// Appends a `null` for a missing member after the document's words, and returns its tape index.
    func absentValue(named name: String) -> Int {
        let index = pointee.tape.count + pointee.absentValues.count
        // Reading a number loads the following word before checking the kind, so that word must exist.
        if index + 1 >= pointee.tape.capacity { pointee.tape.growWithoutDocument(toHold: index + 16) }
        pointee.tape.words[index] = TapeWord.make(TapeKind.null, payload: 0, offset: 0)
        pointee.absentValues.append(name)
        return index
    }
}
