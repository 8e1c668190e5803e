import WaybillSystem

extension Array: CollectionWriter where Element: Encodable {
    func write(to state: UnsafeMutablePointer<EncodingState>, in parent: UnsafeMutablePointer<ValueSlot>) throws {
        let slot = try state.beginCollection(in: parent)
        state.openArray(slot)
        let generation = slot.pointee.generation
        let entry = state.typeEntry(Element.self).pointee
        // Iterating over the array directly would copy each element twice, and require a type lookup for optional
        // elements.
        try withUnsafeBufferPointer { elements in
            for index in elements.indices {
                try state.activate(slot, generation)
                state.beginElement(of: slot)
                if entry.strategy == .itself {
                    try state.writeItself(elements[index], in: slot)
                } else {
                    try state.write(elements[index], entry, in: slot)
                }
                slot.pointee.key = index &+ 1
            }
        }
        state.finish(slot)
    }
}

extension Dictionary: CollectionWriter where Key: Encodable, Value: Encodable {
    func write(to state: UnsafeMutablePointer<EncodingState>, in parent: UnsafeMutablePointer<ValueSlot>) throws {
        if Key.self == String.self {
            try unsafeBitCast(self, to: [String: Value].self).writeMembers(to: state, in: parent) { $0 }
        } else if Key.self == Int.self {
            try unsafeBitCast(self, to: [Int: Value].self).writeMembers(to: state, in: parent) { "\($0)" }
        } else {
            // Encodes as an array of alternating keys and values, or as an object if the key type provides coding keys.
            try state.writeItself(self, in: parent)
        }
    }

    /// Writes an object whose keys are data and are therefore not converted.
    fileprivate func writeMembers(
        to state: UnsafeMutablePointer<EncodingState>,
        in parent: UnsafeMutablePointer<ValueSlot>,
        _ name: (Key) -> String
    ) throws {
        let slot = try state.beginCollection(in: parent)
        state.openObject(slot)
        slot.pointee.tracksNames = true
        slot.pointee.isSorted = true
        let generation = slot.pointee.generation
        // Members are sorted, because dictionary order differs between runs of a program.
        let values = Array<Value>(self.values)
        for member in KeyOrder.sorted(keys.map(name)) {
            try state.activate(slot, generation)
            slot.pointee.name = PathKey(member.name)
            state.writeName(member.name, in: slot)
            try state.write(values[member.index], in: slot)
        }
        state.finish(slot)
    }
}

/// The order of keys by UTF-8 bytes, which equals the order by code points.
enum KeyOrder {
    /// Returns names in sorted order with their original indices.
    ///
    /// The values are not sorted along with the names: their type is unknown at compile time, so each comparison would
    /// allocate memory.
    static func sorted(_ names: [String]) -> [(name: String, index: Int)] {
        var entries: [Entry] = []
        entries.reserveCapacity(names.count)
        for index in names.indices { entries.append(Entry(names[index], index)) }
        entries.sort { left, right in
            if left.first != right.first { return left.first < right.first }
            if left.second != right.second { return left.second < right.second }
            return precedes(names[left.index], names[right.index])
        }
        return entries.map { (name: names[$0.index], index: $0.index) }
    }

    /// A name's first 16 bytes as numbers, which are enough for nearly all comparisons and need no reference counting.
    private struct Entry {
        let first: UInt64
        let second: UInt64
        let index: Int

        init(_ name: String, _ index: Int) {
            var name = name
            let block = name.withUTF8 { text in
                UnsafeRawPointer(text.baseAddress).map { start in
                    text.count < 16
                        ? JSONEscaping.load(start, text.count) : start.loadUnaligned(as: SIMD2<UInt64>.self)
                }
            }
            first = block?.x.bigEndian ?? 0
            second = block?.y.bigEndian ?? 0
            self.index = index
        }
    }

    static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in right.withUTF8 { right in precedes(left, right) } }
    }

    @inline(__always)
    static func precedes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = Swift.min(left.count, right.count)
        guard count > 0, let start = left.baseAddress, let other = right.baseAddress else {
            return left.count < right.count
        }
        let order = memcmp(start, other, count)
        return order == 0 ? left.count < right.count : order < 0
    }
}

extension UnsafeMutablePointer<EncodingState> {
    /// Begins an array or object that is written without a container.
    @inline(__always)
    fileprivate func beginCollection(
        in parent: UnsafeMutablePointer<ValueSlot>
    ) throws -> UnsafeMutablePointer<ValueSlot> {
        let slot = push(in: parent)
        guard slot.pointee.depth <= pointee.maximumDepth else { throw tooDeep(slot.codingPath) }
        return slot
    }

    /// Appends an array of integers.
    @inline(never)
    func append(_ numbers: [Int], in parent: UnsafeMutablePointer<ValueSlot>) throws {
        try append(numbers, in: parent) { number, _ in appendInteger(number) }
    }

    /// Appends an array of numbers; infinity and NaN follow the encoder's strategy.
    @inline(never)
    func append(_ numbers: [Double], in parent: UnsafeMutablePointer<ValueSlot>) throws {
        try append(numbers, in: parent) { number, index in
            if number.isFinite {
                appendFinite(number)
            } else {
                try appendNonConforming(number, at: parent.pathOfCurrent + [PathKey(index: index)])
            }
        }
    }

    /// Appends an array of strings.
    @inline(never)
    func append(_ texts: [String], in parent: UnsafeMutablePointer<ValueSlot>) throws {
        try append(texts, in: parent) { text, _ in appendString(text) }
    }

    /// Appends an array of elements that need no slots; the array then needs none either.
    @inline(__always)
    private func append<Element>(
        _ elements: [Element],
        in parent: UnsafeMutablePointer<ValueSlot>,
        by appendElement: (Element, Int) throws -> Void
    ) throws {
        guard parent.depthOfNested <= pointee.maximumDepth else { throw tooDeep(parent.pathOfCurrent) }
        append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            try appendElement(element, index)
        }
        append(UInt8(ascii: "]"))
    }
}
