/// An edit to JSON text that preserves the bytes of unchanged values.
struct JSONSplice {
    private let bytes: [UInt8]
    private var index = 0
    private var output: [UInt8] = []

    /// Creates an edit to text that begins with a value.
    init(_ text: String) {
        bytes = Array(text.utf8)
        output.reserveCapacity(bytes.count + 64)
    }

    /// The text written so far.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// Writes a new value in place of the one at the current index, and advances past the old one.
    ///
    /// - Parameters:
    ///   - old: the value at the index.
    ///   - new: the value to write.
    /// - Returns: whether the text matches the old value; if not, the output is incomplete.
    mutating func write(_ old: JSONValue, as new: JSONValue) -> Bool {
        guard let end = ValueBounds.endOfValue(in: bytes, from: index) else { return false }
        if old.isIdentical(to: new) {
            output += bytes[index..<end]
            index = end
            return true
        }
        switch (old, new) {
        case (.object(let old), .object(let new)): return writeMembers(old, as: new)
        case (.array(let old), .array(let new)): return writeElements(old, as: new)
        default:
            output += new.description.utf8
            index = end
            return true
        }
    }

    private mutating func writeMembers(_ old: [String: JSONValue], as new: [String: JSONValue]) -> Bool {
        guard skip(UInt8(ascii: "{")) else { return false }
        output.append(UInt8(ascii: "{"))
        // Whether the first member with each name is unchanged. Names are compared as dictionary keys; of several equal
        // names, the value contains only the first one's member.
        var seen: [String: (name: String, stays: Bool)] = [:]
        var isFirst = true
        while !skip(UInt8(ascii: "}")) {
            guard seen.isEmpty || skip(UInt8(ascii: ",")) else { return false }
            skipSpace()
            let start = index
            guard start < bytes.count, bytes[start] == UInt8(ascii: "\""),
                let nameEnd = ValueBounds.endOfString(in: bytes, from: start), nameEnd <= bytes.count
            else { return false }
            let name = JSONText.string(of: bytes[start..<nameEnd].dropFirst().dropLast())
            index = nameEnd
            guard skip(UInt8(ascii: ":")) else { return false }
            skipSpace()
            if let (first, stays) = seen[name] {
                guard let end = ValueBounds.endOfValue(in: bytes, from: index) else { return false }
                index = end
                // A server that reads the last of repeated members would otherwise miss the change to the first one.
                guard stays || !first.utf8.elementsEqual(name.utf8) else { continue }
                separate(&isFirst)
                output += bytes[start..<end]
                continue
            }
            guard let before = old[name] else { return false }
            guard let after = new[name] else {
                guard let end = ValueBounds.endOfValue(in: bytes, from: index) else { return false }
                index = end
                seen[name] = (name, false)
                continue
            }
            seen[name] = (name, before.isIdentical(to: after))
            separate(&isFirst)
            output += bytes[start..<index]
            guard write(before, as: after) else { return false }
        }
        for (name, value) in new.sorted(by: { $0.key < $1.key }) where seen[name] == nil {
            separate(&isFirst)
            output += "\(JSONValue.string(name)):\(value)".utf8
        }
        output.append(UInt8(ascii: "}"))
        return true
    }

    private mutating func writeElements(_ old: [JSONValue], as new: [JSONValue]) -> Bool {
        guard skip(UInt8(ascii: "[")) else { return false }
        var starts: [Int] = []
        while !skip(UInt8(ascii: "]")) {
            guard starts.isEmpty || skip(UInt8(ascii: ",")) else { return false }
            skipSpace()
            starts.append(index)
            guard let end = ValueBounds.endOfValue(in: bytes, from: index) else { return false }
            index = end
        }
        guard starts.count == old.count else { return false }
        let end = index
        // The common prefix and suffix keep their bytes.
        let prefix = zip(old, new).prefix { $0.isIdentical(to: $1) }.count
        let most = min(old.count, new.count) - prefix
        let suffix = zip(old.reversed(), new.reversed()).prefix(most).prefix { $0.isIdentical(to: $1) }.count
        output.append(UInt8(ascii: "["))
        var isFirst = true
        for (position, element) in new.enumerated() {
            separate(&isFirst)
            let place: Int? =
                if position < prefix || old.count == new.count {
                    position
                } else if position >= new.count - suffix {
                    position - new.count + old.count
                } else {
                    nil
                }
            guard let place else {
                output += element.description.utf8
                continue
            }
            index = starts[place]
            guard write(old[place], as: element) else { return false }
        }
        output.append(UInt8(ascii: "]"))
        index = end
        return true
    }

    private mutating func separate(_ isFirst: inout Bool) {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    /// Skips whitespace and the given byte; returns whether the byte was present.
    private mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }
}
