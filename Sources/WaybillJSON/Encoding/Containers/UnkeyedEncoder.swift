/// The unkeyed container through which `Encodable` types write an array.
struct UnkeyedEncoder: UnkeyedEncodingContainer {
    private let session: EncodingSession
    private let slot: UnsafeMutablePointer<ValueSlot>
    private let generation: Int

    /// Creates the container for an array that has already begun.
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

    /// Returns a container whose methods all throw.
    static func unusable(_ state: UnsafeMutablePointer<EncodingState>) -> UnkeyedEncoder {
        UnkeyedEncoder(unusable: .unusable(state))
    }

    private var state: UnsafeMutablePointer<EncodingState> { session.state }

    var codingPath: [any CodingKey] { slot.pointee.generation == generation ? slot.codingPath : [] }

    var count: Int { slot.pointee.generation == generation ? slot.pointee.key : 0 }

    func encodeNil() throws { try element { state in state.appendNull() } }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        guard let nested = nestedSlot(), state.startObject(nested) else {
            return state.unusableContainer(keyedBy: type)
        }
        return state.keyedContainer(keyedBy: type, over: nested)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        guard let nested = nestedSlot(), state.startArray(nested) else { return Self.unusable(state) }
        return UnkeyedEncoder(nested)
    }

    func superEncoder() -> any Encoder { nestedSlot().map { SlotEncoder($0) } ?? SlotEncoder.unusable(state) }

    /// Begins an element; nil if the container cannot be used.
    private func nestedSlot() -> UnsafeMutablePointer<ValueSlot>? {
        guard state.canActivate(slot, generation) else { return nil }
        state.beginElement(of: slot)
        let nested = state.push(in: slot)
        slot.pointee.key += 1
        return nested
    }

    /// Encodes an element that cannot fail.
    @inline(__always)
    private func element(_ append: (UnsafeMutablePointer<EncodingState>) -> Void) throws {
        let state = state
        try state.activate(slot, generation)
        state.beginElement(of: slot)
        append(state)
        slot.pointee.key &+= 1
    }

    /// Encodes an element that can fail; if the caller catches the error, the array does not contain the element.
    @inline(__always)
    private func value(_ write: (UnsafeMutablePointer<EncodingState>) throws -> Void) throws {
        let state = state
        try state.activate(slot, generation)
        let (count, used, wasEmpty) = (state.pointee.count, state.pointee.used, slot.pointee.isEmpty)
        state.beginElement(of: slot)
        do {
            try write(state)
        } catch {
            state.undo(in: slot, to: count, wasEmpty: wasEmpty, used: used, because: error)
            throw error
        }
        slot.pointee.key &+= 1
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try self.value { state in try state.write(value, in: slot) }
    }
}

extension UnkeyedEncoder {
    func encode(_ value: Bool) throws { try element { state in state.appendBool(value) } }

    func encode(_ value: String) throws { try element { state in state.appendString(value) } }

    func encode(_ value: Double) throws {
        guard value.isFinite else { return try self.value { state in try state.appendNonConforming(value, in: slot) } }
        try element { state in state.appendFinite(value) }
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else { return try self.value { state in try state.appendNonConforming(value, in: slot) } }
        try element { state in state.appendFinite(value) }
    }

    func encode(_ value: Int) throws { try element { state in state.appendInteger(value) } }

    func encode(_ value: Int8) throws { try element { state in state.appendInteger(value) } }

    func encode(_ value: Int16) throws { try element { state in state.appendInteger(value) } }

    func encode(_ value: Int32) throws { try element { state in state.appendInteger(value) } }

    func encode(_ value: UInt) throws { try element { state in state.appendInteger(value) } }

    func encode(_ value: UInt8) throws { try element { state in state.appendInteger(value) } }

    func encode(_ value: UInt16) throws { try element { state in state.appendInteger(value) } }

    func encode(_ value: UInt32) throws { try element { state in state.appendInteger(value) } }

    func encode(_ value: Int64) throws { try element { state in state.appendInteger64(value) } }

    func encode(_ value: UInt64) throws { try element { state in state.appendInteger64(value) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try element { state in state.appendLongInteger(value) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try element { state in state.appendLongInteger(value) } }
}
