extension UnsafeMutablePointer<EncodingState> {
    /// Makes a slot the current one for writing, and returns whether that succeeded.
    @inline(__always)
    func canActivate(_ slot: UnsafeMutablePointer<ValueSlot>, _ generation: Int) -> Bool {
        if isTop(slot), slot.pointee.generation == generation { return true }
        return canActivateSlowly(slot, generation)
    }

    @inline(never)
    private func canActivateSlowly(_ slot: UnsafeMutablePointer<ValueSlot>, _ generation: Int) -> Bool {
        do {
            try activate(slot, generation)
            return true
        } catch {
            fail(error)
            return false
        }
    }

    /// Begins an object or continues it; returns false if the slot contains a different value.
    @inline(__always)
    func startObject(_ slot: UnsafeMutablePointer<ValueSlot>) -> Bool {
        guard slot.pointee.kind == .pending, slot.pointee.depth <= pointee.maximumDepth else {
            return goOn(slot, .object)
        }
        openObject(slot)
        return true
    }

    /// Begins an array or continues it; returns false if the slot contains a different value.
    @inline(__always)
    func startArray(_ slot: UnsafeMutablePointer<ValueSlot>) -> Bool {
        guard slot.pointee.kind == .pending, slot.pointee.depth <= pointee.maximumDepth else {
            return goOn(slot, .array)
        }
        openArray(slot)
        return true
    }

    @inline(__always)
    func openObject(_ slot: UnsafeMutablePointer<ValueSlot>) {
        append(UInt8(ascii: "{"))
        slot.pointee.kind = .object
        slot.pointee.keyType = nil
        slot.pointee.onlyKeyType = nil
        slot.pointee.writtenKeys = (0, 0, 0, 0)
        slot.pointee.firstMember = pointee.sorter.memberCount
    }

    @inline(__always)
    func openArray(_ slot: UnsafeMutablePointer<ValueSlot>) {
        append(UInt8(ascii: "["))
        slot.pointee.kind = .array
        slot.pointee.key = 0
    }

    /// Continues the slot's array or object if it has the given kind.
    @inline(never)
    private func goOn(_ slot: UnsafeMutablePointer<ValueSlot>, _ kind: ValueSlot.Kind) -> Bool {
        switch slot.pointee.kind {
        case kind:
            return true
        case .pending:
            fail(tooDeep(slot.codingPath))
        case .complete where kind == .object && isComplete(slot, UInt8(ascii: "{"), UInt8(ascii: "}")):
            // A type can encode a dictionary or another value as an object, and then add members to it.
            pointee.count -= 1
            slot.pointee.kind = .object
            slot.pointee.isEmpty = pointee.count == slot.pointee.start + 1
            slot.pointee.keyType = nil
            slot.pointee.onlyKeyType = nil
            slot.pointee.tracksNames = true
            slot.pointee.isMerged = true
            pointee.hasDuplicates = true
            return true
        case .complete where kind == .array && isComplete(slot, UInt8(ascii: "["), UInt8(ascii: "]")):
            pointee.count -= 1
            slot.pointee.kind = .array
            slot.pointee.isEmpty = pointee.count == slot.pointee.start + 1
            slot.pointee.key = 0
            return true
        case .complete, .array, .object, .document:
            fail(secondValue(in: slot))
        }
        return false
    }

    private func isComplete(_ slot: UnsafeMutablePointer<ValueSlot>, _ first: UInt8, _ last: UInt8) -> Bool {
        let start = slot.pointee.start
        return pointee.segment == slot.pointee.segment && start + 1 < pointee.count
            && pointee.bytes[start] == first && pointee.bytes[pointee.count - 1] == last
    }

    /// Begins an element by writing the comma.
    @inline(__always)
    func beginElement(of slot: UnsafeMutablePointer<ValueSlot>) {
        if slot.pointee.isEmpty { slot.pointee.isEmpty = false } else { append(UInt8(ascii: ",")) }
    }

    /// Begins a member whose encoded key is stored.
    @inline(__always)
    func writeKey(
        _ entry: EncodingKeyType.Entry,
        _ text: UnsafeMutablePointer<UInt8>,
        in slot: UnsafeMutablePointer<ValueSlot>
    ) {
        if slot.insertKey(entry.bit) { pointee.hasDuplicates = true }
        if pointee.sorter.isEnabled { pointee.sorter.append(key: entry.bit, at: pointee.count) }
        // The text begins with a comma.
        let skipped = slot.pointee.isEmpty ? 1 : 0
        slot.pointee.isEmpty = false
        reserve(entry.count)
        let source = UnsafeRawPointer(text + skipped)
        let target = UnsafeMutableRawPointer(pointee.bytes + pointee.count)
        let count = entry.count &- skipped
        var offset = 0
        repeat {
            let words = source.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
            target.storeBytes(of: words, toByteOffset: offset, as: SIMD2<UInt64>.self)
            offset &+= 16
        } while offset < count
        pointee.count &+= count
    }

    /// Begins a member whose encoded key is not stored.
    @inline(never)
    func writeKeyByName(_ key: any CodingKey, in slot: UnsafeMutablePointer<ValueSlot>) {
        trackNames(of: slot)
        slot.pointee.name = PathKey(key)
        let name = converted(key, in: slot)
        if !slot.pointee.names.insert(name).inserted { pointee.hasDuplicates = true }
        writeName(name, in: slot)
    }

    /// Begins a member by writing the comma, the key and the colon.
    @inline(__always)
    func writeName(_ name: String, in slot: UnsafeMutablePointer<ValueSlot>) {
        beginElement(of: slot)
        appendString(name)
        append(UInt8(ascii: ":"))
    }

    /// Stores the text of a key.
    @inline(never)
    func learn(_ name: String, case number: Int, of keyType: UnsafeMutablePointer<EncodingKeyType>) {
        let name = pointee.convertsToSnakeCase ? SnakeCase.snakeCase(name) : name
        // The encoded key is temporarily written to the end of the output.
        let start = pointee.count
        append(UInt8(ascii: ","))
        appendString(name)
        append(UInt8(ascii: ":"))
        let text = UnsafeBufferPointer(start: pointee.bytes + start, count: pointee.count - start)
        keyType.pointee.learn(case: number, name: name, text: text)
        pointee.count = start
    }

    private func converted(_ key: any CodingKey, in slot: UnsafeMutablePointer<ValueSlot>) -> String {
        if pointee.convertsToSnakeCase { return SnakeCase.snakeCase(key.stringValue) }
        guard case .custom(let convert) = session.strategies.keys else { return key.stringValue }
        return convert(slot.codingPath + [key]).stringValue
    }
}

extension PathKey {
    /// Copies a key of any type.
    fileprivate init(_ key: any CodingKey) {
        stringValue = key.stringValue
        intValue = key.intValue
    }
}
