/// A value on the tape, for the type that decodes itself from it.
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

    /// The index of the value on the tape.
    @inline(__always)
    var index: Int { Int(place.index) }

    /// The index of its container; 0 for the whole document.
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
