extension JSONRewriter {
    /// Finds the members of all arrays and objects.
    ///
    /// - Returns: the root value.
    mutating func findMembers() -> Member {
        // The members of open arrays and objects; they are moved to `found` when the array or object is closed.
        var pending: [Member] = []
        var levels: [Level] = []
        var member = Member()
        var position = 0
        var isKey = false
        while position < count {
            let byte = text[position]
            switch byte {
            case UInt8(ascii: "\""):
                let (end, hasEscapes) = endOfString(position)
                if isKey {
                    member = Member(keyStart: position + 1, keyEnd: end - 1, hasEscapes: hasEscapes)
                    if isSorted { member.prefix = prefix(position + 1, end - 1) }
                    isKey = false
                } else {
                    member.start = position
                    member.end = end
                    pending.append(member)
                }
                position = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = byte == UInt8(ascii: "{")
                member.start = position
                pending.append(member)
                levels.append(Level(next: pending.count, isObject: isObject))
                (member, isKey) = (Member(), isObject)
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                position += 1
                guard let level = levels.popLast() else { continue }
                let range = block(of: &pending, from: level.next, level.isObject)
                (pending[level.next - 1].first, pending[level.next - 1].last) = (range.lowerBound, range.upperBound)
            case UInt8(ascii: ","):
                (member, isKey) = (Member(), levels.last?.isObject == true)
                position += 1
            case UInt8(ascii: ":"):
                position += 1
            case Self.merge:
                member.isMerged = true
                position += 1
            default:
                member.start = position
                position = endOfScalar(position)
                member.end = position
                pending.append(member)
            }
        }
        return pending.first ?? Member()
    }

    /// Moves the members of an array or object to `found`, sorted and without duplicates as requested.
    private mutating func block(of pending: inout [Member], from start: Int, _ isObject: Bool) -> Range<Int> {
        if isObject, removesDuplicates { removeDuplicates(of: &pending, from: start) }
        let first = found.count
        found.append(contentsOf: pending[start...])
        pending.removeSubrange(start...)
        if isObject, isSorted { sort(first..<found.count) }
        return first..<found.count
    }

    /// Removes repeated keys, keeping the position of the first member and the value of the last.
    private mutating func removeDuplicates(of members: inout [Member], from start: Int) {
        var places: [String: Int] = [:]
        var end = start
        for index in start..<members.count {
            var member = members[index]
            let key = key(of: member)
            guard let place = places[key] else {
                places[key] = end
                members[end] = member
                end += 1
                continue
            }
            let before = members[place]
            if member.isMerged, text[before.start] == text[member.start] {
                var both = Array(found[before.first..<before.last] + found[member.first..<member.last])
                let range = block(of: &both, from: 0, text[member.start] == UInt8(ascii: "{"))
                (member.first, member.last) = (range.lowerBound, range.upperBound)
            }
            members[place] = member
        }
        members.removeSubrange(end...)
    }

    /// Sorts the members of an object, using insertion sort if there are only a few.
    private mutating func sort(_ range: Range<Int>) {
        guard range.count > 1 else { return }
        let text = text
        found.withUnsafeMutableBufferPointer { found in
            guard range.count <= 32 else {
                return found[range].sort { Self.precedes($0, $1, in: text) }
            }
            for index in range.dropFirst() {
                let member = found[index]
                var place = index
                while place > range.lowerBound, Self.precedes(member, found[place &- 1], in: text) {
                    found[place] = found[place &- 1]
                    place &-= 1
                }
                found[place] = member
            }
        }
    }

    @inline(__always)
    private static func precedes(_ left: Member, _ right: Member, in text: UnsafePointer<UInt8>) -> Bool {
        if left.hasEscapes || right.hasEscapes {
            return KeyOrder.precedes(unescaped(left, in: text), unescaped(right, in: text))
        }
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return KeyOrder.precedes(
            UnsafeBufferPointer(start: text + left.keyStart, count: left.keyEnd - left.keyStart),
            UnsafeBufferPointer(start: text + right.keyStart, count: right.keyEnd - right.keyStart)
        )
    }

    private func prefix(_ start: Int, _ end: Int) -> UInt64 {
        if start + 8 <= end {
            return UInt64(bigEndian: UnsafeRawPointer(text + start).loadUnaligned(as: UInt64.self))
        }
        var prefix: UInt64 = 0
        for index in start..<end { prefix |= UInt64(text[index]) << UInt64(56 - 8 * (index - start)) }
        return prefix
    }

    private func endOfString(_ start: Int) -> (end: Int, hasEscapes: Bool) {
        var position = start + 1
        var hasEscapes = false
        while position < count {
            while position + 8 <= count {
                let word = UnsafeRawPointer(text + position).loadUnaligned(as: UInt64.self)
                guard !JSONEscaping.isNeeded(in: word, JSONEscaping.quotationMarks) else { break }
                position &+= 8
            }
            let byte = position < count ? text[position] : UInt8(ascii: "\"")
            if byte == UInt8(ascii: "\"") { return (position + 1, hasEscapes) }
            if byte == UInt8(ascii: "\\") { hasEscapes = true }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return (count, hasEscapes)
    }

    private func endOfScalar(_ start: Int) -> Int {
        var position = start
        // A `,`, `]` or `}` ends a number or a literal. Setting the bit 0x20 turns `]` into `}`.
        while position < count, text[position] != UInt8(ascii: ","), text[position] | 0x20 != UInt8(ascii: "}") {
            position &+= 1
        }
        return position
    }

    private func key(of member: Member) -> String {
        member.hasEscapes
            ? Self.unescaped(member, in: text)
            : String(
                decoding: UnsafeBufferPointer(start: text + member.keyStart, count: member.keyEnd - member.keyStart),
                as: UTF8.self
            )
    }

    /// Returns the key of a member of the encoder's output, with its escapes resolved.
    private static func unescaped(_ member: Member, in text: UnsafePointer<UInt8>) -> String {
        var bytes: [UInt8] = []
        var position = member.keyStart
        while position < member.keyEnd {
            let byte = text[position]
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch text[position] {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"):
                // The encoder escapes only control characters this way.
                let low = text[position + 4]
                bytes.append((text[position + 3] & 1) << 4 | (low < 0x40 ? low & 15 : low - UInt8(ascii: "a") + 10))
                position += 4
            case let other: bytes.append(other)
            }
            position += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
