import WaybillSystem

/// The state of encoding one document, in plain memory at a fixed address, so that containers can be plain data too.
struct EncodingState {
    /// The number of bytes that can be written past the capacity.
    static let slack = 64

    /// The output of the current segment.
    var bytes: UnsafeMutablePointer<UInt8>
    var count = 0
    var capacity: Int
    /// The value that is being written, at the top of the current segment's stack.
    var top: UnsafeMutablePointer<ValueSlot>?
    /// The number of slots in use.
    var used = 0
    private(set) var slots: UnsafeMutablePointer<UnsafeMutablePointer<ValueSlot>>
    private(set) var slotCount = 0
    private var slotCapacity: Int
    /// The slot that represents the document.
    var root: UnsafeMutablePointer<ValueSlot>

    /// The index of the current segment.
    var segment = 0
    /// All segments, if there is more than one; see ``OutputSegment``.
    var segments: [OutputSegment] = []

    /// A word of eight slashes if slashes are escaped; otherwise eight quotation marks, which are escaped anyway.
    var slashes = JSONEscaping.slashes
    var writesInt64AsText = false
    /// Whether a user-supplied closure converts keys, possibly differently at each path.
    var hasCustomKeys = false
    var convertsToSnakeCase = false
    var maximumDepth = 512
    /// Whether an object may contain the same key twice.
    var hasDuplicates = false
    /// The first error that could not be thrown where it occurred.
    var failure: (any Error)?
    /// Whether the call has ended while containers or encoders that it created are still referenced; all their methods
    /// throw.
    var isDetached = false

    var types = TypeCache<EncodingTypeEntry>()
    var keyTypes = TypeCache<UnsafeMutablePointer<EncodingKeyType>>()
    /// The cursors that have been used since the call began.
    var cursorsInUse: [UnsafeMutablePointer<KeyedCursor>] = []
    let powers = PowersOfFive.shared
    let digitPairs = DecimalDigits.pairs

    /// The session, which owns this state and outlives it.
    let session: Unmanaged<EncodingSession>

    init(session: Unmanaged<EncodingSession>, at address: UnsafeMutablePointer<EncodingState>) {
        self.session = session
        capacity = 512
        bytes = .allocate(capacity: capacity + Self.slack)
        slotCapacity = 16
        slots = .allocate(capacity: slotCapacity)
        root = .allocate(capacity: 1)
        root.initialize(to: ValueSlot(state: address, place: -1))
        root.pointee.kind = .document
        root.pointee.isOpen = true
    }

    /// Frees the memory that the state owns.
    func deallocate() {
        bytes.deallocate()
        for index in 0..<slotCount {
            slots[index].deinitialize(count: 1)
            slots[index].deallocate()
        }
        slots.deallocate()
        root.deinitialize(count: 1)
        root.deallocate()
        keyTypes.forEachValue { EncodingKeyType.free($0.pointee) }
        types.deallocate()
        keyTypes.deallocate()
    }

    /// Adds a slot for one more level of nested values.
    @inline(never)
    mutating func addSlot(_ address: UnsafeMutablePointer<EncodingState>) {
        if slotCount == slotCapacity {
            let larger = UnsafeMutablePointer<UnsafeMutablePointer<ValueSlot>>.allocate(capacity: slotCapacity * 2)
            larger.moveInitialize(from: slots, count: slotCount)
            slots.deallocate()
            slots = larger
            slotCapacity *= 2
        }
        let slot = UnsafeMutablePointer<ValueSlot>.allocate(capacity: 1)
        slot.initialize(to: ValueSlot(state: address, place: slotCount))
        slots[slotCount] = slot
        slotCount += 1
    }

    /// Frees all slots but the first `count`.
    private mutating func keepSlots(_ count: Int) {
        while slotCount > count {
            slotCount -= 1
            slots[slotCount].deinitialize(count: 1)
            slots[slotCount].deallocate()
        }
    }

    /// Frees memory that only one large value needed.
    mutating func shrink(to bytes: Int, slots: Int) {
        keepSlots(slots)
        guard capacity > bytes else { return }
        self.bytes.deallocate()
        capacity = 512
        self.bytes = .allocate(capacity: capacity + Self.slack)
    }

    /// Enlarges the buffer to hold more bytes.
    @inline(never)
    mutating func grow(by count: Int) {
        capacity = max(2 * capacity, self.count + count)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Self.slack)
        larger.update(from: bytes, count: self.count)
        bytes.deallocate()
        bytes = larger
    }
}

extension UnsafeMutablePointer<EncodingState> {
    @inline(__always)
    var session: EncodingSession { pointee.session._withUnsafeGuaranteedRef { $0 } }

    /// Reserves memory for bytes, and for those written past them when copying 16 bytes at a time.
    @inline(__always)
    func reserve(_ count: Int) {
        if pointee.count &+ count > pointee.capacity { pointee.grow(by: count) }
    }

    /// Appends a byte.
    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        pointee.bytes[pointee.count] = byte
        pointee.count &+= 1
    }

    /// Appends a short text.
    @inline(__always)
    func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes unchanged.
    func append(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        reserve(text.count)
        (pointee.bytes + pointee.count).update(from: start, count: text.count)
        pointee.count &+= text.count
    }

    /// Begins a value in an array or object.
    @inline(__always)
    func push(in parent: UnsafeMutablePointer<ValueSlot>) -> UnsafeMutablePointer<ValueSlot> {
        let place = pointee.used
        if place == pointee.slotCount { pointee.addSlot(self) }
        let slot = pointee.slots[place]
        pointee.used = place &+ 1
        slot.pointee.kind = .pending
        slot.pointee.isEmpty = true
        slot.pointee.isOpen = true
        slot.pointee.isContinuation = false
        slot.pointee.isMerged = false
        slot.pointee.wrappers = 0
        // A single value takes the place of its parent.
        slot.pointee.depth = parent.pointee.depth &+ (parent.pointee.kind == .pending ? 0 : 1)
        slot.pointee.segment = pointee.segment
        slot.pointee.start = pointee.count
        slot.pointee.below = pointee.top
        slot.pointee.parent = parent
        slot.pointee.parentKey = parent.pointee.key
        if parent.pointee.name != nil { slot.pointee.parentName = parent.pointee.name }
        pointee.top = slot
        return slot
    }

    /// Ends a value, together with all values that began within it.
    @inline(__always)
    func finish(_ slot: UnsafeMutablePointer<ValueSlot>) {
        guard pointee.top == slot, pointee.used == slot.pointee.place &+ 1, !slot.pointee.isContinuation else {
            return finishAll(from: slot)
        }
        switch slot.pointee.kind {
        case .object: append(UInt8(ascii: "}"))
        case .array: append(UInt8(ascii: "]"))
        case .pending: finishPending(slot)
        case .complete, .document: break
        }
        pointee.top = slot.pointee.below
        release(slot)
    }

    /// Returns a slot to the session for reuse.
    @inline(__always)
    private func release(_ slot: UnsafeMutablePointer<ValueSlot>) {
        pointee.used = slot.pointee.place
        slot.pointee.isOpen = false
        slot.pointee.generation &+= 1
        if slot.pointee.parentName != nil { slot.pointee.parentName = nil }
        if slot.pointee.name != nil { slot.pointee.name = nil }
        if slot.pointee.tracksNames {
            slot.pointee.tracksNames = false
            slot.pointee.names.removeAll(keepingCapacity: slot.pointee.names.count < 256)
        }
    }

    /// Ends a value that has encoded nothing, which becomes an empty object unless it is the whole document.
    @inline(never)
    private func finishPending(_ slot: UnsafeMutablePointer<ValueSlot>) {
        if slot.pointee.parent?.pointee.kind == .document { return }
        append("{}")
    }

    /// Ends all values that began after a slot, in any segment.
    @inline(never)
    private func finishAll(from slot: UnsafeMutablePointer<ValueSlot>) {
        while pointee.used > slot.pointee.place {
            let last = pointee.slots[pointee.used - 1]
            if last.pointee.isOpen {
                select(last.pointee.segment)
                while let top = pointee.top, last.pointee.isOpen { close(top, isFinal: true) }
            }
            release(last)
        }
    }

    /// Ends all values without writing anything.
    func abandonSlots() {
        while pointee.used > 0 { release(pointee.slots[pointee.used - 1]) }
    }

    /// Removes the output of a value that could not be encoded.
    ///
    /// - Parameters:
    ///   - slot: the array or object that contains the value.
    ///   - count: the length of the output before the value and its key.
    ///   - wasEmpty: whether the array or object was empty before.
    ///   - used: the number of slots in use before.
    ///   - error: the error that ends the call if the output cannot be removed.
    @inline(never)
    func undo(
        in slot: UnsafeMutablePointer<ValueSlot>,
        to count: Int,
        wasEmpty: Bool,
        used: Int,
        because error: any Error
    ) {
        guard pointee.segments.isEmpty else {
            // Output that was written elsewhere in the meantime cannot be distinguished from the value's.
            if pointee.failure == nil { pointee.failure = error }
            return
        }
        while let top = pointee.top, top != slot {
            top.pointee.isOpen = false
            pointee.top = top.pointee.below
        }
        while pointee.used > used { release(pointee.slots[pointee.used - 1]) }
        pointee.count = count
        slot.pointee.isEmpty = wasEmpty
    }
}
