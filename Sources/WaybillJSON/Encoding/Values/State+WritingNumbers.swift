import WaybillSystem

extension UnsafeMutablePointer<EncodingState> {
    /// Appends an integer of up to 64 bits, using the slack.
    @inline(__always)
    func appendInteger<Value: FixedWidthInteger>(_ value: Value) {
        var target = pointee.bytes + pointee.count
        if value < 0 {
            target.pointee = UInt8(ascii: "-")
            target += 1
        }
        let end = DecimalDigits.write(UInt64(truncatingIfNeeded: value.magnitude), to: target)
        pointee.count = end - pointee.bytes
    }

    /// Appends an `Int64` or `UInt64` with the encoder's strategy.
    @inline(__always)
    func appendInteger64<Value: FixedWidthInteger>(_ value: Value) {
        guard pointee.writesInt64AsText else { return appendInteger(value) }
        append(UInt8(ascii: "\""))
        appendInteger(value)
        append(UInt8(ascii: "\""))
    }

    /// Appends an integer of more than 64 bits.
    @inline(never)
    func appendLongInteger<Value: FixedWidthInteger>(_ value: Value) {
        var text = String(value)
        text.withUTF8 { append($0) }
    }

    /// Appends a number; infinity and NaN follow the encoder's strategy.
    @inline(__always)
    func append(_ value: Double, in slot: UnsafeMutablePointer<ValueSlot>) throws {
        if value.isFinite { appendFinite(value) } else { try appendNonConforming(value, in: slot) }
    }

    /// Appends a number; infinity and NaN follow the encoder's strategy.
    @inline(__always)
    func append(_ value: Float, in slot: UnsafeMutablePointer<ValueSlot>) throws {
        if value.isFinite { appendFinite(value) } else { try appendNonConforming(value, in: slot) }
    }

    /// Appends infinity or NaN with the encoder's strategy.
    @inline(never)
    func appendNonConforming<Value: BinaryFloatingPoint>(
        _ value: Value,
        in slot: UnsafeMutablePointer<ValueSlot>
    ) throws {
        try appendNonConforming(value, at: slot.pathOfCurrent)
    }

    /// Appends infinity or NaN with the encoder's strategy.
    @inline(never)
    func appendNonConforming<Value: BinaryFloatingPoint>(
        _ value: Value,
        at path: @autoclosure () -> [any CodingKey]
    ) throws {
        guard
            case .convertToString(let positiveInfinity, let negativeInfinity, let nan) = session.strategies
                .nonConformingFloats
        else { throw invalid(value, path(), "JSON has no number for \(Value.self).\(value).") }
        appendString(value.isNaN ? nan : value > 0 ? positiveInfinity : negativeInfinity)
    }

    /// Appends the shortest text that denotes a finite number, using the slack.
    @inline(__always)
    func appendFinite(_ value: Double) {
        let target = pointee.bytes + pointee.count
        guard let end = ShortestDecimal.write(value, to: target, pointee.powers) else {
            return appendDescription(value.description)
        }
        pointee.count = end - pointee.bytes
    }

    /// Appends the shortest text that denotes a finite number, using the slack.
    @inline(__always)
    func appendFinite(_ value: Float) {
        let target = pointee.bytes + pointee.count
        guard let end = ShortestDecimal.write(value, to: target, pointee.powers) else {
            return appendDescription(value.description)
        }
        pointee.count = end - pointee.bytes
    }

    /// Appends the standard library's text, which has the same format, for a number too small for the table of powers.
    @inline(never)
    private func appendDescription(_ description: String) {
        var text = description
        text.withUTF8 { append($0) }
    }

    /// Appends a date in RFC 3339 format, in UTC if possible; returns false if the format cannot express the date.
    func appendISO8601(_ date: Date, withMilliseconds: Bool) -> Bool {
        guard let written = ISO8601Date.written(date, roundedToMilliseconds: withMilliseconds) else { return false }
        // The number of milliseconds overflows a 32-bit `Int`.
        let milliseconds = written.milliseconds
        let days = (milliseconds / 86_400_000).rounded(.down)
        let time = Int(milliseconds - days * 86_400_000)
        let day = CivilDate(daysSince1970: Int(days))
        let (seconds, fraction) = time.quotientAndRemainder(dividingBy: 1000)
        reserve(48)
        var target = pointee.bytes + pointee.count
        func put(_ byte: UInt8) {
            target.pointee = byte
            target += 1
        }
        func putPair(_ number: Int) {
            target[0] = UInt8(ascii: "0") + UInt8(number / 10)
            target[1] = UInt8(ascii: "0") + UInt8(number % 10)
            target += 2
        }
        put(UInt8(ascii: "\""))
        putPair(day.year / 100)
        putPair(day.year % 100)
        put(UInt8(ascii: "-"))
        putPair(day.month)
        put(UInt8(ascii: "-"))
        putPair(day.day)
        put(UInt8(ascii: "T"))
        putPair(seconds / 3600)
        put(UInt8(ascii: ":"))
        putPair(seconds / 60 % 60)
        put(UInt8(ascii: ":"))
        putPair(seconds % 60)
        if fraction > 0 {
            put(UInt8(ascii: "."))
            put(UInt8(ascii: "0") + UInt8(fraction / 100))
            putPair(fraction % 100)
        }
        if written.offset == 0 {
            put(UInt8(ascii: "Z"))
        } else {
            put(written.offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            putPair(abs(written.offset) / 60)
            put(UInt8(ascii: ":"))
            putPair(abs(written.offset) % 60)
        }
        put(UInt8(ascii: "\""))
        pointee.count = target - pointee.bytes
        return true
    }
}

extension ISO8601Date {
    /// Returns an explanation of why a date cannot be encoded.
    package static func reason(against date: Date) -> String {
        let interval = date.timeIntervalSince1970
        return interval.isFinite
            ? "a date outside the years 0 to 9999 cannot be written"
            : "a date that is \(interval) seconds from 1970 cannot be written"
    }
}
