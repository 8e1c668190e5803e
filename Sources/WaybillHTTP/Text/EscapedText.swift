import WaybillSystem

/// A text that may contain escapes as used in JSON, Swift debug descriptions, URLs, forms or HTML.
///
/// The format of the text is unknown, so a search recognizes all of these escapes.
struct EscapedText {
    let scalars: [Unicode.Scalar]

    /// The number of consecutive backslashes starting at each index; empty if the text has no backslash.
    private let runs: [Int]

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        guard scalars.contains("\\") else {
            runs = []
            return
        }
        var runs = Array(repeating: 0, count: scalars.count)
        var run = 0
        for index in scalars.indices.reversed() {
            run = scalars[index] == "\\" ? run + 1 : 0
            runs[index] = run
        }
        self.runs = runs
    }

    /// Whether a byte can start an escape.
    static func mayBeEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&")
            || byte == UInt8(ascii: "+")
    }

    /// Whether an escape can start at an index.
    func mayEscape(at index: Int) -> Bool {
        switch scalars[index] {
        case "\\", "%", "&", "+": true
        default: false
        }
    }

    /// Returns the end of the longest match of the given characters, plain or escaped, at the given index.
    ///
    /// - Parameters:
    ///   - wanted: the characters.
    ///   - start: the index of the first character.
    ///   - mayBeCut: whether a prefix of the characters suffices if `…` follows.
    /// - Returns: the index after the characters; nil if they do not match.
    func end(of wanted: some Collection<Unicode.Scalar>, from start: Int, mayBeCut: Bool = false) -> Int? {
        // Most characters are not escaped, and this loop is a hundred times as fast as the one below.
        var plain = start
        var rest = wanted.startIndex
        while rest < wanted.endIndex, plain < scalars.count, scalars[plain] == wanted[rest], !mayEscape(at: plain) {
            plain += 1
            wanted.formIndex(after: &rest)
        }
        if rest == wanted.endIndex { return plain }
        var positions: Set<Int> = [plain]
        for (count, scalar) in wanted[rest...].enumerated().lazy.map({ ($0.offset + plain - start, $0.element) }) {
            let next = Set(positions.flatMap { ends(of: scalar, at: $0) })
            if next.isEmpty {
                return mayBeCut && count >= Self.minimumFragmentLength ? positions.filter(isCut).max() : nil
            }
            positions = next
        }
        return positions.max()
    }

    /// The minimum length of a fragment that identifies a cut-off value, in characters.
    static let minimumFragmentLength = 4

    /// Whether the text is cut off at an index, perhaps inside an escape.
    private func isCut(at index: Int) -> Bool {
        guard index < scalars.count else { return false }
        return scalars[index] == "…" || mayEscape(at: index) && scalars[index...].prefix(12).contains("…")
    }

    /// Whether the beginning of a value at an index may have been cut off.
    func mayFollowCut(at index: Int) -> Bool { scalars[..<index].suffix(12).contains("…") }

    /// Returns the possible ends of a character that starts at the given index, plain or escaped.
    func ends(of wanted: Unicode.Scalar, at index: Int) -> [Int] {
        guard index < scalars.count else { return [] }
        let run = runs.isEmpty ? 0 : runs[index]
        // An escaped backslash consists of two characters, and a doubly escaped one of four.
        var ends = wanted == "\\" ? [1, 2, 4, 8].filter { $0 <= run }.map { index + $0 } : []
        let start = index + run
        guard start < scalars.count else { return ends }
        if scalars[start] == wanted, run == 0 || !wanted.isLetterOrDigit { ends.append(start + 1) }
        let escape = run > 0 ? backslashEscape(at: start) : otherEscape(at: start, for: wanted)
        if let escape, escape.scalar == wanted { ends.append(escape.end) }
        return ends
    }

    private typealias Escape = (scalar: Unicode.Scalar, end: Int)

    /// Parses the escape after a backslash.
    private func backslashEscape(at index: Int) -> Escape? {
        switch scalars[index] {
        case "n": ("\n", index + 1)
        case "r": ("\r", index + 1)
        case "t": ("\t", index + 1)
        case "0": ("\0", index + 1)
        case "b": ("\u{8}", index + 1)
        case "f": ("\u{C}", index + 1)
        case "x": hexadecimal(at: index + 1, digits: 2...2).flatMap(Self.escape)
        case "U": hexadecimal(at: index + 1, digits: 8...8).flatMap(Self.escape)
        case "u": braced(at: index + 1) ?? utf16(at: index + 1)
        default: nil
        }
    }

    /// Parses `{1F600}`, the form used in Swift.
    private func braced(at index: Int) -> Escape? {
        guard index < scalars.count, scalars[index] == "{",
            let digits = hexadecimal(at: index + 1, digits: 1...8), digits.end < scalars.count,
            scalars[digits.end] == "}"
        else { return nil }
        return Self.escape((digits.value, digits.end + 1))
    }

    /// Parses `00e9` or `d83d\ude00`, the form used in JSON.
    private func utf16(at index: Int) -> Escape? {
        guard let first = hexadecimal(at: index, digits: 4...4) else { return nil }
        if let escape = Self.escape(first) { return escape }
        let run = runs[min(first.end, scalars.count - 1)]
        let next = first.end + run
        guard run > 0, next < scalars.count, scalars[next] == "u",
            let second = hexadecimal(at: next + 1, digits: 4...4), 0xD800..<0xDC00 ~= first.value,
            0xDC00..<0xE000 ~= second.value
        else { return nil }
        return Self.escape((0x10000 + (first.value - 0xD800) << 10 + (second.value - 0xDC00), second.end))
    }

    /// Parses an escape without a backslash, as used in URLs, forms and HTML.
    private func otherEscape(at index: Int, for wanted: Unicode.Scalar) -> Escape? {
        switch scalars[index] {
        case "+" where wanted == " ": return (" ", index + 1)
        case "%":
            var end = index
            for byte in String(wanted).utf8 {
                guard end < scalars.count, scalars[end] == "%",
                    let found = hexadecimal(at: end + 1, digits: 2...2), found.value == byte
                else { return nil }
                end = found.end
            }
            return (wanted, end)
        case "&": return entity(at: index + 1)
        default: return nil
        }
    }

    private func entity(at index: Int) -> Escape? {
        guard let end = scalars[index...].prefix(10).firstIndex(of: ";") else { return nil }
        let name = String(String.UnicodeScalarView(scalars[index..<end]))
        switch name {
        case "amp": return ("&", end + 1)
        case "lt": return ("<", end + 1)
        case "gt": return (">", end + 1)
        case "quot": return ("\"", end + 1)
        case "apos": return ("'", end + 1)
        default:
            guard name.first == "#" else { return nil }
            let isHexadecimal = name.dropFirst().first?.lowercased() == "x"
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap { Self.escape(($0, end + 1)) }
        }
    }

    private static func escape(_ number: (value: UInt32, end: Int)) -> Escape? {
        Unicode.Scalar(number.value).map { ($0, number.end) }
    }

    private func hexadecimal(at index: Int, digits: ClosedRange<Int>) -> (value: UInt32, end: Int)? {
        var (value, end) = (UInt32(0), index)
        while end < scalars.count, end - index < digits.upperBound,
            let digit = Character(scalars[end]).hexDigitValue, scalars[end].isASCII
        {
            value = value << 4 | UInt32(digit)
            end += 1
        }
        return digits.contains(end - index) ? (value, end) : nil
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool { properties.isAlphabetic || properties.numericType != nil }
}
