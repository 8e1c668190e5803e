extension UnsafeMutablePointer<EncodingState> {
    @inline(__always)
    func appendNull() {
        reserve(4)
        UnsafeMutableRawPointer(pointee.bytes + pointee.count)
            .storeBytes(of: UInt32(littleEndian: 0x6C6C_756E), as: UInt32.self)
        pointee.count &+= 4
    }

    @inline(__always)
    func appendBool(_ value: Bool) {
        reserve(8)
        let text = UInt64(littleEndian: value ? 0x6575_7274 : 0x65_736C_6166)
        UnsafeMutableRawPointer(pointee.bytes + pointee.count).storeBytes(of: text, as: UInt64.self)
        pointee.count &+= value ? 4 : 5
    }

    /// Appends a string with quotation marks and the required escapes.
    @inline(__always)
    func appendString(_ text: String) {
        var text = text
        text.withUTF8 { appendQuoted($0) }
    }

    /// Appends UTF-8 text with quotation marks and the required escapes.
    @inline(never)
    func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        let count = text.count
        reserve(count &+ 2)
        var target = pointee.bytes + pointee.count
        target.pointee = UInt8(ascii: "\"")
        target += 1
        if let source = text.baseAddress, !copy(source, count, to: target) {
            pointee.count &+= 1
            return appendEscaped(text)
        }
        target[count] = UInt8(ascii: "\"")
        pointee.count &+= count &+ 2
    }

    /// Copies a text without escapes; returns false if a character needs one.
    @inline(__always)
    private func copy(_ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>) -> Bool {
        let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
        let slashes = pointee.slashes
        guard count >= 8 else {
            var index = 0
            if count >= 4 {
                let word = from.loadUnaligned(as: UInt32.self)
                to.storeBytes(of: word, as: UInt32.self)
                if JSONEscaping.isNeeded(in: UInt64(word) | 0x2020_2020_0000_0000, slashes) { return false }
                index = 4
            }
            while index < count {
                let byte = source[index]
                target[index] = byte
                if JSONEscaping.isNeeded(in: UInt64(byte) | 0x2020_2020_2020_2000, slashes) { return false }
                index &+= 1
            }
            return true
        }
        var offset = 0
        let last = count &- 8
        while offset < last {
            let word = from.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            to.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
            if JSONEscaping.isNeeded(in: word, slashes) { return false }
            offset &+= 8
        }
        // Copies the last eight bytes, some of which may have been copied already.
        let word = from.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        to.storeBytes(of: word, toByteOffset: last, as: UInt64.self)
        return !JSONEscaping.isNeeded(in: word, slashes)
    }

    /// Appends a text with escapes, followed by the closing quotation mark.
    private func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        guard let source = text.baseAddress else { return }
        let slashes = pointee.slashes
        var index = 0
        while index < text.count {
            // Each of the next eight bytes can expand to six.
            reserve(text.count &- index &+ 48)
            let end = Swift.min(index &+ 8, text.count)
            if end == index &+ 8 {
                let word = UnsafeRawPointer(source).loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if !JSONEscaping.isNeeded(in: word, slashes) {
                    UnsafeMutableRawPointer(pointee.bytes + pointee.count).storeBytes(of: word, as: UInt64.self)
                    pointee.count &+= 8
                    index = end
                    continue
                }
            }
            while index < end {
                appendEscaped(source[index], slashes)
                index &+= 1
            }
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends a byte of a text, escaped if needed; the caller has reserved the memory.
    @inline(__always)
    private func appendEscaped(_ byte: UInt8, _ slashes: UInt64) {
        let target = pointee.bytes + pointee.count
        guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == UInt8(truncatingIfNeeded: slashes) else {
            target.pointee = byte
            pointee.count &+= 1
            return
        }
        target[0] = UInt8(ascii: "\\")
        if let short = JSONEscaping.short(byte) {
            target[1] = short
            pointee.count &+= 2
        } else {
            target[1] = UInt8(ascii: "u")
            target[2] = UInt8(ascii: "0")
            target[3] = UInt8(ascii: "0")
            target[4] = byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1")
            target[5] = (byte & 15) + (byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            pointee.count &+= 6
        }
    }
}

/// The escapes of strings (RFC 8259, section 7).
enum JSONEscaping {
    /// A word of eight slashes.
    static let slashes: UInt64 = 0x2F2F_2F2F_2F2F_2F2F
    /// A word of eight quotation marks.
    static let quotationMarks: UInt64 = 0x2222_2222_2222_2222

    /// Whether any of eight bytes is a control character, a quotation mark, a backslash or the byte repeated in
    /// `other`.
    @inline(__always)
    static func isNeeded(in word: UInt64, _ other: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ quotationMarks
        let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let others = word ^ other
        // A matching byte sets its highest bit by borrowing.
        let found =
            (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
            | (others &- ones) & ~others
        return found & 0x8080_8080_8080_8080 != 0
    }

    /// Returns the second character of a byte's two-character escape; nil if it has no such escape.
    @inline(__always)
    static func short(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x22, 0x5C, 0x2F: byte
        case 0x08: UInt8(ascii: "b")
        case 0x0C: UInt8(ascii: "f")
        case 0x0A: UInt8(ascii: "n")
        case 0x0D: UInt8(ascii: "r")
        case 0x09: UInt8(ascii: "t")
        default: nil
        }
    }
}
