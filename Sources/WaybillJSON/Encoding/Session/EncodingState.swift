import WaybillSystem

/// The state of encoding one document, stored at a fixed address so that containers can be trivial types.
struct EncodingState {
    /// The number of bytes that can be written beyond the capacity.
    ///
    /// A number or literal takes at most 40 bytes, including temporary ones, and follows text for which memory was
    /// reserved. It is therefore written without another capacity check.
    static let slack = 64

    /// The output of the current segment.
    var bytes: UnsafeMutablePointer<UInt8>
    var count = 0
    var capacity: Int
    /// The length of the previous document.
    private var expectedCount = 0
    /// The value being written, at the top of the current segment's stack.
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

    /// The slash if slashes are escaped; otherwise the quotation mark, which is always escaped.
    var slash = UInt8(ascii: "/")
    var writesInt64AsText = false
    /// Whether a user-supplied closure converts keys, possibly differently at each path.
    var hasCustomKeys = false
    var convertsToSnakeCase = false
    /// The members of open objects, if keys are sorted.
    var sorter = MemberSorter()
    var maximumDepth = 512
    /// Whether an object may contain the same key twice.
    var hasDuplicates = false
    /// The first deferred error, from a method that cannot throw.
    var failure: (any Error)?
    /// Whether the call has ended while its containers or encoders are still referenced; all of their methods then
    /// throw.
    var isDetached = false

    var types = TypeCache<EncodingTypeEntry>()
    var keyTypes = TypeCache<UnsafeMutablePointer<EncodingKeyType>>()
    /// The cursors that have been used since the call began.
    var cursorsInUse: [UnsafeMutablePointer<KeyedCursor>] = []
    let powers = PowersOfFive.shared
    /// Whether small strings are read directly as words, without a copy in memory.
    let readsSmallStrings = SmallString.isAvailable

    /// The session, which owns this state and outlives it.
    let session: Unmanaged<EncodingSession>

    init(session: Unmanaged<EncodingSession>, at address: UnsafeMutablePointer<EncodingState>) {
        self.session = session
        capacity = 512
        bytes = OutputMemory.allocate(capacity + Self.slack)
        slotCapacity = 16
        slots = .allocate(capacity: slotCapacity)
        root = .allocate(capacity: 1)
        root.initialize(to: ValueSlot(state: address, place: -1))
        root.pointee.kind = .document
        root.pointee.isOpen = true
    }

    /// Frees the memory that the state owns.
    func deallocate() {
        OutputMemory.deallocate(bytes)
        sorter.deallocate()
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

    /// Frees all slots except the first `count`.
    private mutating func keepSlots(_ count: Int) {
        while slotCount > count {
            slotCount -= 1
            slots[slotCount].deinitialize(count: 1)
            slots[slotCount].deallocate()
        }
    }

    /// Frees excess memory after a large value.
    mutating func shrink(to bytes: Int, slots: Int) {
        keepSlots(slots)
        sorter.shrink(to: bytes)
        guard capacity > bytes else { return }
        capacity = 512
        self.bytes = OutputMemory.resize(self.bytes, to: capacity + Self.slack)
    }

    /// Returns the output, transferring ownership of its memory if the output is large.
    mutating func takeOutput() -> Data {
        expectedCount = count
        guard count >= OutputMemory.copiedBytes else { return Data(bytes: bytes, count: count) }
        let output = bytes
        bytes = OutputMemory.allocate(Self.slack)
        capacity = 0
        return OutputMemory.data(output, count)
    }

    /// Reserves memory for a document, assuming that it is as long as the previous one.
    mutating func prepareOutput(for maximumCount: Int) {
        count = 0
        let expected = min(expectedCount, maximumCount)
        if expected > capacity { grow(by: expected) }
    }

    /// Enlarges the buffer to hold more bytes.
    @inline(never)
    mutating func grow(by count: Int) {
        capacity = max(2 * capacity, self.count + count)
        bytes = OutputMemory.resize(bytes, to: capacity + Self.slack)
    }
}

extension UnsafeMutablePointer<EncodingState> {
    @inline(__always)
    var session: EncodingSession { pointee.session._withUnsafeGuaranteedRef { $0 } }

    /// Reserves memory for bytes, plus the excess from copying 16 bytes at a time.
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
        slot.pointee.isSorted = false
        slot.pointee.wrappers = 0
        slot.pointee.depth = parent.depthOfNested
        slot.pointee.segment = pointee.segment
        slot.pointee.start = pointee.count
        slot.pointee.below = pointee.top
        slot.pointee.parent = parent
        slot.pointee.parentKey = parent.pointee.key
        if parent.pointee.name != nil { slot.pointee.parentName = parent.pointee.name }
        pointee.top = slot
        return slot
    }

    /// Whether a slot is the top of the current segment's stack.
    @inline(__always)
    func isTop(_ slot: UnsafeMutablePointer<ValueSlot>) -> Bool {
        // Comparing optionals would take several more instructions per member.
        UInt(bitPattern: pointee.top) == UInt(bitPattern: slot)
    }

    /// Ends a value and all values nested in it.
    @inline(__always)
    func finish(_ slot: UnsafeMutablePointer<ValueSlot>) {
        guard isTop(slot), pointee.used == slot.pointee.place &+ 1, !slot.pointee.isContinuation else {
            return finishAll(from: slot)
        }
        if slot.pointee.kind == .object {
            if pointee.sorter.isEnabled { sortMembers(of: slot) }
            append(UInt8(ascii: "}"))
        } else if slot.pointee.kind == .array {
            append(UInt8(ascii: "]"))
        } else if slot.pointee.kind == .pending {
            finishPending(slot)
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
        if slot.pointee.tracksNames {
            slot.pointee.tracksNames = false
            slot.pointee.name = nil
            slot.pointee.names.removeAll(keepingCapacity: slot.pointee.names.count < 256)
        }
    }

    /// Ends a value for which nothing was encoded; it becomes an empty object unless it is the whole document.
    @inline(never)
    private func finishPending(_ slot: UnsafeMutablePointer<ValueSlot>) {
        if slot.pointee.parent?.pointee.kind == .document { return }
        append("{}")
    }

    /// Ends all values that began after a slot's value, in any segment.
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
    ///   - count: the output length before the value and its key.
    ///   - wasEmpty: whether the array or object was empty before the value.
    ///   - used: the previous number of slots in use.
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
            // Output written elsewhere in the meantime is indistinguishable from the value's output.
            if pointee.failure == nil { pointee.failure = error }
            return
        }
        while let top = pointee.top, top != slot {
            top.pointee.isOpen = false
            pointee.top = top.pointee.below
        }
        while pointee.used > used { release(pointee.slots[pointee.used - 1]) }
        pointee.count = count
        pointee.sorter.removeMembers(from: count)
        slot.pointee.isEmpty = wasEmpty
    }
}
