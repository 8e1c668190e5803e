import WaybillSystem

extension UnsafeMutablePointer<EncodingState> {
    /// Encodes a value of any type as an element or member that has already begun.
    @inline(__always)
    func write<Value: Encodable>(_ value: Value, in parent: UnsafeMutablePointer<ValueSlot>) throws {
        let entry = typeEntry(Value.self)
        if entry.pointee.strategy == .itself { return try writeItself(value, in: parent) }
        try write(value, entry.pointee, in: parent)
    }

    /// Encodes a value with the type's `encode(to:)`.
    @inline(__always)
    func writeItself<Value: Encodable>(_ value: Value, in parent: UnsafeMutablePointer<ValueSlot>) throws {
        let slot = push(in: parent)
        // A type that encodes nested values without end would exhaust the stack.
        guard slot.pointee.depth <= pointee.maximumDepth &+ 1 else { throw tooDeep(slot.codingPath) }
        try value.encode(to: SlotEncoder(slot))
        finish(slot)
    }

    /// Encodes the value of a single-value container.
    func writeSingle<Value: Encodable>(_ value: Value, in slot: UnsafeMutablePointer<ValueSlot>) throws {
        let entry = typeEntry(Value.self)
        let used = pointee.used
        do {
            if entry.pointee.strategy == .itself {
                slot.pointee.wrappers &+= 1
                guard slot.pointee.wrappers <= pointee.maximumDepth else { throw tooDeep(slot.codingPath) }
                try value.encode(to: SlotEncoder(slot))
            } else {
                try write(value, entry.pointee, in: slot)
                try activate(slot, slot.pointee.generation)
                slot.pointee.kind = .complete
            }
        } catch {
            undo(in: slot, to: slot.pointee.start, wasEmpty: true, used: used, because: error)
            slot.pointee.kind = .pending
            throw error
        }
    }

    /// Returns the entry that determines how values of a type are encoded.
    @inline(__always)
    func typeEntry<Value>(_ type: Value.Type) -> UnsafeMutablePointer<EncodingTypeEntry> {
        pointee.types.find(ObjectIdentifier(type)) ?? newTypeEntry(type)
    }

    @inline(never)
    private func newTypeEntry<Value>(_ type: Value.Type) -> UnsafeMutablePointer<EncodingTypeEntry> {
        let key = ObjectIdentifier(type)
        let entry = EncodingTypeEntry(type)
        if pointee.types.find(key) == nil { pointee.types.insert(entry, for: key) }
        return typeEntry(type)
    }

    /// Encodes a value with the strategy for its type.
    @inline(never)
    func write<Value: Encodable>(
        _ value: Value,
        _ entry: EncodingTypeEntry,
        in parent: UnsafeMutablePointer<ValueSlot>
    ) throws {
        switch entry.strategy {
        case .itself: try writeItself(value, in: parent)
        case .string: appendString(unsafeBitCast(value, to: String.self))
        case .bool: appendBool(unsafeBitCast(value, to: Bool.self))
        case .double: try append(unsafeBitCast(value, to: Double.self), in: parent)
        case .float: try append(unsafeBitCast(value, to: Float.self), in: parent)
        case .int: appendInteger(unsafeBitCast(value, to: Int.self))
        case .int8: appendInteger(unsafeBitCast(value, to: Int8.self))
        case .int16: appendInteger(unsafeBitCast(value, to: Int16.self))
        case .int32: appendInteger(unsafeBitCast(value, to: Int32.self))
        case .int64: appendInteger64(unsafeBitCast(value, to: Int64.self))
        case .uint: appendInteger(unsafeBitCast(value, to: UInt.self))
        case .uint8: appendInteger(unsafeBitCast(value, to: UInt8.self))
        case .uint16: appendInteger(unsafeBitCast(value, to: UInt16.self))
        case .uint32: appendInteger(unsafeBitCast(value, to: UInt32.self))
        case .uint64: appendInteger64(unsafeBitCast(value, to: UInt64.self))
        case .int128, .uint128:
            if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
                if entry.strategy == .int128 {
                    appendLongInteger(unsafeBitCast(value, to: Int128.self))
                } else {
                    appendLongInteger(unsafeBitCast(value, to: UInt128.self))
                }
            } else {
                try writeItself(value, in: parent)
            }
        case .date: try append(unsafeBitCast(value, to: Date.self), in: parent)
        case .data: try append(unsafeBitCast(value, to: Data.self), in: parent)
        case .url: appendString(unsafeBitCast(value, to: URL.self).absoluteString)
        case .decimal: try append(unsafeBitCast(value, to: Decimal.self), in: parent)
        case .uuid: append(unsafeBitCast(value, to: UUID.self))
        case .jsonValue: try append(unsafeBitCast(value, to: JSONValue.self), in: parent)
        case .ints: try append(unsafeBitCast(value, to: [Int].self), in: parent)
        case .doubles: try append(unsafeBitCast(value, to: [Double].self), in: parent)
        case .strings: try append(unsafeBitCast(value, to: [String].self), in: parent)
        case .collection:
            guard let writer = entry.writer else { return try writeItself(value, in: parent) }
            try write(value, by: writer, in: parent)
        }
    }

    private func write<Writer: CollectionWriter, Value>(
        _ value: Value,
        by type: Writer.Type,
        in parent: UnsafeMutablePointer<ValueSlot>
    ) throws {
        // The writer was looked up by the value's type, so the two types are the same.
        try unsafeBitCast(value, to: Writer.self).write(to: self, in: parent)
    }

    /// Encodes a value with a user-supplied closure.
    private func write(in parent: UnsafeMutablePointer<ValueSlot>, by encode: (any Encoder) throws -> Void) throws {
        let slot = push(in: parent)
        try encode(SlotEncoder(slot))
        if slot.pointee.kind == .pending, pointee.top == slot { openObject(slot) }
        finish(slot)
    }

    /// Encodes a date with the encoder's strategy.
    @inline(never)
    private func append(_ date: Date, in parent: UnsafeMutablePointer<ValueSlot>) throws {
        switch session.strategies.dates {
        case .deferredToDate: try append(date.timeIntervalSinceReferenceDate, in: parent)
        case .secondsSince1970: try append(seconds: date.timeIntervalSince1970, of: date, in: parent)
        case .millisecondsSince1970: try append(seconds: date.timeIntervalSince1970 * 1000, of: date, in: parent)
        case .iso8601:
            guard appendISO8601(date, withMilliseconds: false) else { throw unwritable(date, in: parent) }
        case .iso8601WithMilliseconds:
            guard appendISO8601(date, withMilliseconds: true) else { throw unwritable(date, in: parent) }
        case .formatted(let text):
            guard let text = text(date) else {
                throw invalid(
                    date.timeIntervalSince1970,
                    parent.pathOfCurrent,
                    "The function for dates has no text for this one."
                )
            }
            appendString(text)
        case .custom(let encode): try write(in: parent) { try encode(date, $0) }
        }
    }

    private func append(seconds: Double, of date: Date, in parent: UnsafeMutablePointer<ValueSlot>) throws {
        guard seconds.isFinite else { throw unwritable(date, in: parent) }
        appendFinite(seconds)
    }

    private func unwritable(_ date: Date, in parent: UnsafeMutablePointer<ValueSlot>) -> EncodingError {
        // The error omits the date itself, because Foundation traps when describing a NaN date.
        invalid(date.timeIntervalSince1970, parent.pathOfCurrent, ISO8601Date.reason(against: date))
    }

    /// Encodes binary data with the encoder's strategy.
    @inline(never)
    private func append(_ data: Data, in parent: UnsafeMutablePointer<ValueSlot>) throws {
        switch session.strategies.data {
        case .deferredToData: try writeItself(data, in: parent)
        case .base64: appendString(data.base64EncodedString())
        case .custom(let encode): try write(in: parent) { try encode(data, $0) }
        }
    }

    /// Encodes a decimal number with all of its digits.
    private func append(_ value: Decimal, in parent: UnsafeMutablePointer<ValueSlot>) throws {
        guard !value.isNaN else {
            throw invalid(value, parent.pathOfCurrent, "JSON has no number for Decimal.nan.")
        }
        var text = value.description
        text.withUTF8 { append($0) }
    }

    /// Encodes a UUID in its canonical form.
    private func append(_ value: UUID) {
        let letters = session.strategies.uuids == .uppercase ? UInt8(ascii: "A") &- 10 : UInt8(ascii: "a") &- 10
        reserve(40)
        var target = pointee.bytes + pointee.count
        target.pointee = UInt8(ascii: "\"")
        target += 1
        withUnsafeBytes(of: value.uuid) { bytes in
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    target.pointee = UInt8(ascii: "-")
                    target += 1
                }
                let (high, low) = (byte >> 4, byte & 15)
                target[0] = high + (high < 10 ? UInt8(ascii: "0") : letters)
                target[1] = low + (low < 10 ? UInt8(ascii: "0") : letters)
                target += 2
            }
        }
        target.pointee = UInt8(ascii: "\"")
        pointee.count &+= 38
    }

    /// Encodes a JSON value; its elements and members are encoded as collections.
    @inline(never)
    private func append(_ value: JSONValue, in parent: UnsafeMutablePointer<ValueSlot>) throws {
        switch value {
        case .null: appendNull()
        case .bool(let value): appendBool(value)
        case .integer(let value): appendInteger(value)
        case .number(let value): try append(value, in: parent)
        case .double(let value): try append(value, in: parent)
        case .numeral(let value):
            var text = value.text
            text.withUTF8 { append($0) }
        case .string(let value): appendString(value)
        case .array(let elements): try elements.write(to: self, in: parent)
        case .object(let members): try members.write(to: self, in: parent)
        }
    }
}
