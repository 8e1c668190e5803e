import WaybillSystem

extension Array: CollectionWriter where Element: Encodable {
    func write(to state: UnsafeMutablePointer<EncodingState>, in parent: UnsafeMutablePointer<ValueSlot>) throws {
        let slot = try state.beginCollection(in: parent)
        state.openArray(slot)
        switch state.typeEntry(Element.self).pointee.strategy {
        case .double:
            try unsafeBitCast(self, to: [Double].self).writeNumbers(to: state, in: slot)
        case .int:
            for number in unsafeBitCast(self, to: [Int].self) {
                state.beginElement(of: slot)
                state.appendInteger(number)
            }
        case .string:
            for text in unsafeBitCast(self, to: [String].self) {
                state.beginElement(of: slot)
                state.appendString(text)
            }
        case .itself:
            let generation = slot.pointee.generation
            for element in self {
                try state.activate(slot, generation)
                state.beginElement(of: slot)
                try state.writeItself(element, in: slot)
                slot.pointee.key &+= 1
            }
        default:
            let generation = slot.pointee.generation
            for element in self {
                try state.activate(slot, generation)
                state.beginElement(of: slot)
                try state.write(element, in: slot)
                slot.pointee.key &+= 1
            }
        }
        state.finish(slot)
    }
}

extension [Double] {
    @inline(never)
    fileprivate func writeNumbers(
        to state: UnsafeMutablePointer<EncodingState>,
        in slot: UnsafeMutablePointer<ValueSlot>
    ) throws {
        for (index, number) in enumerated() {
            state.beginElement(of: slot)
            if number.isFinite {
                state.appendFinite(number)
            } else {
                slot.pointee.key = index
                try state.appendNonConforming(number, in: slot)
            }
        }
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

    /// Writes an object whose keys are data and therefore not converted.
    fileprivate func writeMembers(
        to state: UnsafeMutablePointer<EncodingState>,
        in parent: UnsafeMutablePointer<ValueSlot>,
        _ name: (Key) -> String
    ) throws {
        let slot = try state.beginCollection(in: parent)
        state.openObject(slot)
        slot.pointee.tracksNames = true
        let generation = slot.pointee.generation
        // Members are sorted, because the order of a dictionary differs between runs of a program.
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

/// The order of keys by UTF-8 bytes, which is also the order of their code points.
enum KeyOrder {
    /// Returns names in sorted order with their original indices.
    ///
    /// Values are not sorted with them: their type is unknown at compile time, so each comparison would allocate
    /// memory.
    static func sorted(_ names: [String]) -> [(name: String, index: Int)] {
        names.enumerated().map { (name: $1, index: $0) }.sorted { precedes($0.name, $1.name) }
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
}
