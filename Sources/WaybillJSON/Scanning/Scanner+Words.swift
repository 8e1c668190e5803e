extension Scanner {
    /// Passes over space, tab, line feed and carriage return.
    @inline(__always)
    func skipWhiteSpace(_ index: inout Int) {
        if index < count, bytes[index] <= 0x20 { skipLongerWhiteSpace(&index) }
    }

    @inline(__always)
    private func skipLongerWhiteSpace(_ index: inout Int) {
        var position = index
        while position < count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            position &+= 1
            // Indentation comes in rows of spaces.
            while position &+ 8 <= count {
                let word = UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self)
                let other = word ^ 0x2020_2020_2020_2020
                guard other == 0 else {
                    position &+= other.trailingZeroBitCount &>> 3
                    break
                }
                position &+= 8
            }
        }
        index = position
    }

    /// Reads `true`, `false` or `null`.
    @inline(__always)
    func scanLiteral(_ index: inout Int, _ word: UnsafeMutablePointer<UInt64>) -> Bool {
        guard index &+ 4 <= count else { return false }
        let start = index
        let kind: UInt64
        switch UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt32.self).littleEndian {
        case 0x6C6C_756E: (kind, index) = (TapeKind.null, index &+ 4)
        case 0x6575_7274: (kind, index) = (TapeKind.true, index &+ 4)
        case 0x736C_6166:
            guard index &+ 5 <= count, bytes[index &+ 4] == UInt8(ascii: "e") else { return false }
            (kind, index) = (TapeKind.false, index &+ 5)
        default: return false
        }
        word.pointee = TapeWord.make(kind, payload: 0, offset: start)
        return true
    }
}
