/// A part of the output, with the offsets at which other parts are inserted.
///
/// Almost every document has a single segment. If a type writes to a container again after writing to a nested or
/// enclosing one, the later output goes into a separate segment. All segments are joined at the end.
struct OutputSegment {
    /// The insertion of another segment at an offset.
    struct Insertion {
        let offset: Int
        let segment: Int
    }

    var bytes: UnsafeMutablePointer<UInt8>
    var count = 0
    var capacity: Int
    var top: UnsafeMutablePointer<ValueSlot>?
    /// Whether the segment is a complete value, not content added to an array or object.
    let isValue: Bool
    var insertions: [Insertion] = []
}

extension UnsafeMutablePointer<EncodingState> {
    /// Makes a slot the current one for writing.
    ///
    /// - Throws: an error if the slot's container or encoder is no longer valid.
    @inline(__always)
    func activate(_ slot: UnsafeMutablePointer<ValueSlot>, _ generation: Int) throws {
        if isTop(slot), slot.pointee.generation == generation { return }
        try activateSlowly(slot, generation)
    }

    @inline(never)
    private func activateSlowly(_ slot: UnsafeMutablePointer<ValueSlot>, _ generation: Int) throws {
        if let failure = pointee.failure { throw failure }
        guard slot.pointee.generation == generation else { throw outdated() }
        reopen(slot)
    }

    /// Makes a slot the top of its segment, and makes that segment the current one.
    func reopen(_ slot: UnsafeMutablePointer<ValueSlot>) {
        if slot.pointee.isOpen {
            select(slot.pointee.segment)
            while let top = pointee.top, top != slot { close(top, isFinal: false) }
        } else {
            // The slot was closed or never opened here, so its content continues in a separate segment.
            let segment = addSegment(isValue: false, at: slot.pointee.end, of: slot.pointee.segment)
            select(segment)
            slot.pointee.segment = segment
            slot.pointee.isContinuation = true
            slot.pointee.isOpen = true
            slot.pointee.below = nil
            pointee.top = slot
        }
    }

    /// Pops a slot from the stack of the current segment.
    ///
    /// - Parameters:
    ///   - slot: the slot, which must be at the top.
    ///   - isFinal: whether nothing more can be written to it.
    func close(_ slot: UnsafeMutablePointer<ValueSlot>, isFinal: Bool) {
        pointee.top = slot.pointee.below
        switch slot.pointee.kind {
        case .pending where !isFinal:
            let segment = addSegment(isValue: true, at: pointee.count, of: pointee.segment)
            slot.pointee.segment = segment
            slot.pointee.start = 0
            slot.pointee.below = nil
            pointee.segments[segment].top = slot
            return
        case .pending:
            // A value segment that remains empty becomes an empty object when the segments are joined.
            let isSegment = pointee.count == 0 && pointee.segment > 0
            if !isSegment, slot.pointee.parent?.pointee.kind != .document { append("{}") }
        case .object, .array:
            guard !slot.pointee.isContinuation else {
                // The opening bracket is in an earlier segment.
                slot.pointee.end = pointee.count
                break
            }
            if slot.pointee.kind == .object { pointee.sorter.leaveUnsorted(slot.pointee.firstMember) }
            append(slot.pointee.kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            slot.pointee.end = pointee.count - 1
        case .complete, .document: break
        }
        slot.pointee.isOpen = false
    }

    /// Makes a segment the current one.
    func select(_ segment: Int) {
        guard segment != pointee.segment else { return }
        store()
        let selected = pointee.segments[segment]
        pointee.bytes = selected.bytes
        pointee.count = selected.count
        pointee.capacity = selected.capacity
        pointee.top = selected.top
        pointee.segment = segment
    }

    /// Saves the current segment to the list of segments.
    private func store() {
        pointee.segments[pointee.segment].bytes = pointee.bytes
        pointee.segments[pointee.segment].count = pointee.count
        pointee.segments[pointee.segment].capacity = pointee.capacity
        pointee.segments[pointee.segment].top = pointee.top
    }

    private func addSegment(isValue: Bool, at offset: Int, of segment: Int) -> Int {
        if pointee.segments.isEmpty {
            let first = OutputSegment(
                bytes: pointee.bytes,
                count: pointee.count,
                capacity: pointee.capacity,
                top: pointee.top,
                isValue: false
            )
            pointee.segments.append(first)
        }
        let capacity = 64
        let bytes = OutputMemory.allocate(capacity + EncodingState.slack)
        pointee.segments.append(OutputSegment(bytes: bytes, capacity: capacity, isValue: isValue))
        let index = pointee.segments.count - 1
        pointee.segments[segment].insertions.append(.init(offset: offset, segment: index))
        return index
    }

    /// Joins all segments.
    ///
    /// The result replaces the state's output buffer.
    func joinSegments() {
        guard !pointee.segments.isEmpty else { return }
        select(0)
        store()
        var segments = pointee.segments
        for index in segments.indices {
            // Of several insertions at one offset, the innermost was created first.
            segments[index].insertions.sort { ($0.offset, $0.segment) < ($1.offset, $1.segment) }
        }
        let capacity = segments.reduce(0) { $0 + $1.count + 2 }
        let joined = OutputMemory.allocate(capacity + EncodingState.slack)
        var count = 0
        var open: [(segment: Int, offset: Int, insertion: Int)] = [(0, 0, 0)]
        while let place = open.last {
            let segment = segments[place.segment]
            let isLast = place.insertion == segment.insertions.count
            let end = isLast ? segment.count : segment.insertions[place.insertion].offset
            (joined + count).update(from: segment.bytes + place.offset, count: end - place.offset)
            count += end - place.offset
            if isLast {
                if segment.isValue, segment.count == 0, segment.insertions.isEmpty {
                    joined[count] = UInt8(ascii: "{")
                    joined[count + 1] = UInt8(ascii: "}")
                    count += 2
                }
                open.removeLast()
            } else {
                open[open.count - 1] = (place.segment, end, place.insertion + 1)
                open.append((segment.insertions[place.insertion].segment, 0, 0))
            }
        }
        removeSegments()
        OutputMemory.deallocate(pointee.bytes)
        pointee.bytes = joined
        pointee.count = count
        pointee.capacity = capacity
    }

    /// Frees all segments except the first, whose memory belongs to the state.
    func removeSegments() {
        guard !pointee.segments.isEmpty else { return }
        select(0)
        for segment in pointee.segments.dropFirst() { OutputMemory.deallocate(segment.bytes) }
        pointee.segments = []
    }
}
