/// The encoder of a single value, which is passed to the type's `encode(to:)`.
struct SlotEncoder: NumeralEncoder {
    private let session: EncodingSession
    private let slot: UnsafeMutablePointer<ValueSlot>
    private let generation: Int

    /// Creates the encoder for a value that has already begun.
    @inline(__always)
    init(_ slot: UnsafeMutablePointer<ValueSlot>) {
        session = slot.pointee.state.session
        self.slot = slot
        generation = slot.pointee.generation
    }

    private init(unusable session: EncodingSession) {
        self.session = session
        slot = session.state.pointee.root
        generation = -1
    }

    /// Returns an encoder whose methods all throw.
    static func unusable(_ state: UnsafeMutablePointer<EncodingState>) -> SlotEncoder {
        SlotEncoder(unusable: .unusable(state))
    }

    @inline(__always)
    private var state: UnsafeMutablePointer<EncodingState> { session.state }

    var codingPath: [any CodingKey] { slot.pointee.generation == generation ? slot.codingPath : [] }

    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        guard state.canActivate(slot, generation), state.startObject(slot) else {
            return state.unusableContainer(keyedBy: type)
        }
        return state.keyedContainer(keyedBy: type, over: slot)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        guard state.canActivate(slot, generation), state.startArray(slot) else { return UnkeyedEncoder.unusable(state) }
        return UnkeyedEncoder(slot)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension SlotEncoder: SingleValueEncodingContainer {
    /// Encodes a value that cannot fail.
    @inline(__always)
    private func single(_ append: (UnsafeMutablePointer<EncodingState>) -> Void) throws {
        let state = state
        try begin(state)
        append(state)
        slot.pointee.kind = .complete
    }

    @inline(__always)
    private func begin(_ state: UnsafeMutablePointer<EncodingState>) throws {
        try state.activate(slot, generation)
        guard slot.pointee.kind == .pending else { throw state.secondValue(in: slot) }
    }

    func encodeNil() throws { try single { state in state.appendNull() } }

    func encode<Value: Encodable>(_ value: Value) throws {
        let state = state
        try begin(state)
        try state.writeSingle(value, in: slot)
    }

    func encode(_ value: Bool) throws { try single { state in state.appendBool(value) } }

    func encode(_ value: String) throws { try single { state in state.appendString(value) } }

    func encode(_ value: Double) throws {
        try begin(state)
        if value.isFinite {
            state.appendFinite(value)
        } else {
            try state.appendNonConforming(value, at: slot.codingPath)
        }
        slot.pointee.kind = .complete
    }

    func encode(_ value: Float) throws {
        try begin(state)
        if value.isFinite {
            state.appendFinite(value)
        } else {
            try state.appendNonConforming(value, at: slot.codingPath)
        }
        slot.pointee.kind = .complete
    }

    func encode(_ value: Int) throws { try single { state in state.appendInteger(value) } }

    func encode(_ value: Int8) throws { try single { state in state.appendInteger(value) } }

    func encode(_ value: Int16) throws { try single { state in state.appendInteger(value) } }

    func encode(_ value: Int32) throws { try single { state in state.appendInteger(value) } }

    func encode(_ value: UInt) throws { try single { state in state.appendInteger(value) } }

    func encode(_ value: UInt8) throws { try single { state in state.appendInteger(value) } }

    func encode(_ value: UInt16) throws { try single { state in state.appendInteger(value) } }

    func encode(_ value: UInt32) throws { try single { state in state.appendInteger(value) } }

    func encode(_ value: Int64) throws { try single { state in state.appendInteger64(value) } }

    func encode(_ value: UInt64) throws { try single { state in state.appendInteger64(value) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try single { state in state.appendLongInteger(value) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try single { state in state.appendLongInteger(value) } }
}
