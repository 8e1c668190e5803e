import WaybillSystem

/// A second pass over a document of the encoder, for what its first pass cannot do: sorted keys, indented lines, and
/// the removal of members whose key was encoded again.
///
/// It goes through ranges of the document without recursion.
struct JSONRewriter {
    /// Comes before a value that was begun for a key that had an array or object already; no JSON has it there.
    static let merge: UInt8 = 0x01

    /// The end of an array or object, and the number of those that begin before it.
    private struct Bracket {
        var end: Int
        var next: Int
    }

    /// A member of an object, or an element of an array.
    private struct Member {
        /// The key with its quotation marks; empty for an element.
        var key: Range<Int>
        var value: Range<Int>
        /// The number of the array or object among all of them, if the value is one.
        var number: Int
        /// The index among ``earlier`` of a value with which this one is merged; -1 for none.
        var earlier = -1
        var isMerged = false
    }

    /// An array or object that is being written.
    private struct Level {
        let isObject: Bool
        /// The index of the next member, and of the first one after them.
        var next: Int
        let end: Int
        let start: Int
    }

    private let text: UnsafeBufferPointer<UInt8>
    private let isPretty: Bool
    private let isSorted: Bool
    private var brackets: [Bracket] = []
    private var members: [Member] = []
    private var earlier: [Member] = []
    private var levels: [Level] = []
    private var output: [UInt8] = []

    init(_ text: UnsafeBufferPointer<UInt8>, isPretty: Bool, isSorted: Bool) {
        self.text = text
        self.isPretty = isPretty
        self.isSorted = isSorted
    }

    /// Returns the document in its other form.
    mutating func rewrite(removingDuplicates: Bool) -> Data {
        output.reserveCapacity(isPretty ? text.count * 2 : text.count)
        findBrackets()
        let whole = Member(key: 0..<0, value: 0..<text.count, number: 0)
        begin(whole, removingDuplicates)
        while let level = levels.last {
            if level.next == level.end {
                members.removeSubrange(level.start...)
                levels.removeLast()
                beginLine()
                output.append(level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                continue
            }
            if level.next > level.start { output.append(UInt8(ascii: ",")) }
            levels[levels.count - 1].next += 1
            beginLine()
            let member = members[level.next]
            if level.isObject {
                output.append(contentsOf: text[member.key])
                output.append(contentsOf: isPretty ? " : ".utf8 : ":".utf8)
            }
            begin(member, removingDuplicates)
        }
        return Data(output)
    }

    /// Writes a scalar, or begins an array or an object.
    private mutating func begin(_ member: Member, _ removingDuplicates: Bool) {
        let first = text[member.value.lowerBound]
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            output.append(contentsOf: text[member.value])
            return
        }
        output.append(first)
        let isObject = first == UInt8(ascii: "{")
        let start = members.count
        var parts = [member]
        while let last = parts.last, last.earlier >= 0 { parts.append(earlier[last.earlier]) }
        for part in parts.reversed() { collect(part, isObject) }
        if isObject, removingDuplicates { removeDuplicates(from: start) }
        if isObject, isSorted { sort(from: start) }
        levels.append(Level(isObject: isObject, next: start, end: members.count, start: start))
        if start == members.count, isPretty { output.append(UInt8(ascii: "\n")) }
    }

    private mutating func beginLine() {
        guard isPretty else { return }
        // An empty array or object has its line already.
        output.append(UInt8(ascii: "\n"))
        for _ in levels { output.append(contentsOf: "  ".utf8) }
    }

    /// Finds where each array and object ends.
    private mutating func findBrackets() {
        var open: [Int] = []
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                position = endOfString(position)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(brackets.count)
                brackets.append(Bracket(end: 0, next: 0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let number = open.popLast() { brackets[number] = Bracket(end: position, next: brackets.count) }
            default: break
            }
            position += 1
        }
    }

    private func endOfString(_ start: Int) -> Int {
        var position = start + 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, text.count)
    }

    /// Adds the members of an object, or the elements of an array.
    private mutating func collect(_ container: Member, _ isObject: Bool) {
        var position = container.value.lowerBound + 1
        var number = container.number + 1
        let end = container.value.upperBound - 1
        while position < end {
            if text[position] == UInt8(ascii: ",") { position += 1 }
            var key = 0..<0
            if isObject {
                key = position..<endOfString(position)
                position = key.upperBound + 1
            }
            let isMerged = text[position] == Self.merge
            if isMerged { position += 1 }
            var member = Member(key: key, value: position..<position, number: number, isMerged: isMerged)
            switch text[position] {
            case UInt8(ascii: "\""): position = endOfString(position)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                position = brackets[number].end + 1
                number = brackets[number].next
            default:
                while position < end, text[position] != UInt8(ascii: ",") { position += 1 }
            }
            member.value = member.value.lowerBound..<position
            members.append(member)
        }
    }

    /// Of members with the same key leaves the last value, in the place of the first.
    private mutating func removeDuplicates(from start: Int) {
        var places: [String: Int] = [:]
        var count = start
        for index in start..<members.count {
            var member = members[index]
            let key = unescaped(member.key)
            guard let place = places[key] else {
                places[key] = count
                members[count] = member
                count += 1
                continue
            }
            let before = members[place]
            if member.isMerged, text[before.value.lowerBound] == text[member.value.lowerBound] {
                member.earlier = earlier.count
                earlier.append(before)
            }
            members[place] = member
        }
        members.removeSubrange(count...)
    }

    private mutating func sort(from start: Int) {
        guard members.count - start > 1 else { return }
        let text = text
        members[start...].sort { left, right in
            let (leftKey, rightKey) = (text[left.key], text[right.key])
            guard leftKey.contains(UInt8(ascii: "\\")) || rightKey.contains(UInt8(ascii: "\\")) else {
                return KeyOrder.precedes(
                    UnsafeBufferPointer(rebasing: leftKey.dropLast()),
                    UnsafeBufferPointer(rebasing: rightKey.dropLast())
                )
            }
            return KeyOrder.precedes(Self.unescaped(leftKey), Self.unescaped(rightKey))
        }
    }

    private func unescaped(_ key: Range<Int>) -> String { Self.unescaped(text[key]) }

    /// Returns the text of a key that this encoder has written.
    private static func unescaped(_ key: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        var bytes: [UInt8] = []
        var position = key.startIndex + 1
        while position < key.endIndex - 1 {
            guard key[position] == UInt8(ascii: "\\") else {
                bytes.append(key[position])
                position += 1
                continue
            }
            switch key[position + 1] {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"):
                // Control characters alone are written so.
                let low = key[position + 5]
                bytes.append((key[position + 4] & 1) << 4 | (low < 0x40 ? low & 15 : low - UInt8(ascii: "a") + 10))
                position += 4
            case let other: bytes.append(other)
            }
            position += 2
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
