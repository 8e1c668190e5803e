import Foundation
import Waybill

/// A search for many values in many texts.
///
/// With many values, the search time is nearly independent of their number.
///
/// A log of 5,000 calls can contain as many secrets, for example if each response sets a new cookie.
struct SecretSearch {
    /// The values, keyed by their last eight bytes, because tokens often share a prefix.
    private var byEnd: [UInt64: [[UInt8]]] = [:]
    /// The values with non-ASCII characters, which have several equivalent Unicode spellings.
    private var composed: [String] = []
    /// The values, if there are few; each is searched for by its rarest byte, with `memchr`.
    private var few: [RareByteSearch] = []
    /// A bit set of ending hashes, which rules out most positions in a few instructions.
    private var filter = [UInt64](repeating: 0, count: 1024)

    /// The maximum number of values to search for one after another.
    private static let fewestByEnd = 400

    /// Creates a search for values of at least eight bytes; shorter ASCII values are ignored.
    init(_ values: [String]) {
        composed = values.filter { value in !value.utf8.allSatisfy { $0 < 0x80 } }
        // In a form, a plus sign encodes a space.
        let values = values + values.filter { $0.contains(" ") }.map { $0.replacing(bytes: " ", with: "+") }
        guard values.count > Self.fewestByEnd else {
            few = values.compactMap { RareByteSearch(Array($0.utf8)) }
            return
        }
        for value in values {
            let bytes = value.utf8.suffix(8)
            guard bytes.count == 8 else { continue }
            let end = bytes.reduce(0) { $0 << 8 | UInt64($1) }
            byEnd[end, default: []].append(Array(value.utf8))
            let (word, bit) = Self.place(of: end)
            filter[word] |= bit
        }
    }

    private static func place(of end: UInt64) -> (word: Int, bit: UInt64) {
        let hash = (end &* 0x9E37_79B9_7F4A_7C15) >> 48
        return (Int(hash >> 6), 1 << (hash & 63))
    }

    /// Whether there is nothing to search for.
    var isEmpty: Bool { byEnd.isEmpty && few.isEmpty }

    /// Returns a text without the values, whether plain or escaped.
    func removed(from text: String) -> String {
        let found = values(in: Array(text.utf8))
        return found.isEmpty ? text : Redaction.removing(found, from: text)
    }

    /// Returns the values found in an exchange, whether plain or escaped.
    func values(in exchange: RecordedExchange) -> [String] {
        guard !isEmpty else { return [] }
        var texts = [exchange.template, exchange.url, exchange.responseURL ?? "", exchange.status.reasonPhrase]
        for fields in [exchange.requestFields, exchange.responseFields, exchange.trailerFields] {
            texts += fields.map(\.value)
        }
        texts += [exchange.requestBody?.mediaType, exchange.fault?.message].compactMap { $0 }
        var bytes = Array(texts.joined(separator: "\n").utf8)
        for body in [exchange.requestBody?.bytes ?? Data(), exchange.plainResponseBody] {
            bytes.append(UInt8(ascii: "\n"))
            // In UTF-16 and UTF-32, ASCII characters contain zero bytes.
            bytes += body.contains(0) ? body.filter { $0 != 0 } : body
        }
        return values(in: bytes)
    }

    private func values(in bytes: [UInt8]) -> [String] {
        guard !isEmpty else { return [] }
        var found = Set(valuesAsTheyAre(in: bytes))
        var plain = bytes
        // JSON in a JSON string is escaped twice.
        for _ in 0..<4 {
            guard let unescaped = Self.unescaped(plain) else { break }
            plain = unescaped
            found.formUnion(valuesAsTheyAre(in: plain))
        }
        let others = composed.isEmpty || plain.allSatisfy { $0 < 0x80 } ? [] : composed
        return found.map { String(decoding: $0, as: UTF8.self) } + others
    }

    private func valuesAsTheyAre(in bytes: [UInt8]) -> [[UInt8]] {
        guard few.isEmpty else { return few.filter { $0.isFound(in: bytes) }.map(\.value) }
        var end: UInt64 = 0
        var found: [[UInt8]] = []
        for (place, byte) in bytes.enumerated() {
            end = end << 8 | UInt64(byte)
            let (word, bit) = Self.place(of: end)
            guard filter[word] & bit != 0, let values = byEnd[end] else { continue }
            let before = bytes[...place]
            found += values.filter { $0.count <= before.count && before.suffix($0.count).elementsEqual($0) }
        }
        return found
    }

    /// Returns the index of the next backslash, percent sign or ampersand.
    private static func nextEscape(_ bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        // This loop is three times as fast as a closure called for each byte.
        while place < bytes.count {
            let byte = bytes[place]
            if byte == 0x5C || byte == 0x25 || byte == 0x26 { return place }
            place += 1
        }
        return nil
    }

    /// Resolves the escapes of JSON, Swift, URLs and HTML in a text; returns nil if there are no escapes.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8]? {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var place = 0
        var isChanged = false
        while let next = nextEscape(bytes, from: place) {
            kept += bytes[place..<next]
            let escape: Escape? =
                switch bytes[next] {
                case 0x25: hexadecimal(bytes, at: next + 1, 2...2).map { ([UInt8($0.value)], $0.end) }
                case 0x26: entity(bytes, at: next + 1)
                default: backslashEscape(bytes, at: next + 1)
                }
            isChanged = isChanged || escape != nil
            kept += escape?.replacement ?? [bytes[next]]
            place = escape?.end ?? next + 1
        }
        return isChanged ? kept + bytes[place...] : nil
    }

    private typealias Escape = (replacement: [UInt8], end: Int)

    /// Returns the character for a backslash escape, or no bytes for an unknown one, which loses its backslash.
    private static func backslashEscape(_ bytes: [UInt8], at place: Int) -> Escape? {
        guard place < bytes.count else { return nil }
        let number: (value: UInt32, end: Int)?
        switch bytes[place] {
        case UInt8(ascii: "n"): return ([0x0A], place + 1)
        case UInt8(ascii: "r"): return ([0x0D], place + 1)
        case UInt8(ascii: "t"): return ([0x09], place + 1)
        case UInt8(ascii: "b"): return ([0x08], place + 1)
        case UInt8(ascii: "f"): return ([0x0C], place + 1)
        case UInt8(ascii: "x"): number = hexadecimal(bytes, at: place + 1, 2...2)
        case UInt8(ascii: "U"): number = hexadecimal(bytes, at: place + 1, 8...8)
        case UInt8(ascii: "u"):
            let isBraced = place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "{")
            number = isBraced ? braced(bytes, at: place + 2) : utf16(bytes, at: place + 1)
        default: return ([], place)
        }
        return number.flatMap(scalar) ?? ([], place)
    }

    private static func braced(_ bytes: [UInt8], at place: Int) -> (value: UInt32, end: Int)? {
        hexadecimal(bytes, at: place, 1...8).map { ($0.value, min($0.end + 1, bytes.count)) }
    }

    /// Returns the value of four hexadecimal digits, or of a surrogate pair.
    private static func utf16(_ bytes: [UInt8], at place: Int) -> (value: UInt32, end: Int)? {
        guard let first = hexadecimal(bytes, at: place, 4...4), 0xD800..<0xDC00 ~= first.value,
            bytes[first.end...].starts(with: #"\u"#.utf8), let second = hexadecimal(bytes, at: first.end + 2, 4...4),
            0xDC00..<0xE000 ~= second.value
        else { return hexadecimal(bytes, at: place, 4...4) }
        return (0x10000 + (first.value - 0xD800) << 10 + (second.value - 0xDC00), second.end)
    }

    /// Returns the character of the HTML entity whose name begins at the given index, or nil if the entity is unknown.
    private static func entity(_ bytes: [UInt8], at place: Int) -> Escape? {
        guard let end = bytes[place...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[place..<end], as: UTF8.self)
        let known: [String: Character] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let character = known[name] { return (Array(String(character).utf8), end + 1) }
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.dropFirst().first?.lowercased() == "x"
        let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        return number.flatMap { scalar(($0, end + 1)) }
    }

    private static func scalar(_ number: (value: UInt32, end: Int)) -> Escape? {
        Unicode.Scalar(number.value).map { (Array(String(Character($0)).utf8), number.end) }
    }

    private static func hexadecimal(
        _ bytes: [UInt8],
        at start: Int,
        _ counts: ClosedRange<Int>
    ) -> (value: UInt32, end: Int)? {
        var (value, end) = (UInt32(0), start)
        while end < bytes.count, end - start < counts.upperBound,
            let digit = Character(Unicode.Scalar(bytes[end])).hexDigitValue, bytes[end] < 0x80
        {
            value = value << 4 | UInt32(digit)
            end += 1
        }
        return counts.contains(end - start) ? (value, end) : nil
    }
}

/// A search for a value by its rarest byte.
private struct RareByteSearch: Sendable {
    let value: [UInt8]
    private let rare: UInt8
    private let offset: Int

    /// Creates a search; nil for a value of fewer than eight bytes.
    init?(_ value: [UInt8]) {
        guard value.count >= 8 else { return nil }
        self.value = value
        // In most text, capital letters and uncommon letters are rare, and spaces and digits are frequent.
        let rank = { (byte: UInt8) -> Int in
            switch byte {
            case 0x61...0x7A: "etaoinsrlhdcu".utf8.contains(byte) ? 4 : 2
            case 0x41...0x5A: 1
            case 0x30...0x39: 3
            case 0x20, 0x22, 0x2C, 0x3A: 5
            default: 1
            }
        }
        let rarest = value.indices.min { rank(value[$0]) < rank(value[$1]) } ?? 0
        (rare, offset) = (value[rarest], rarest)
    }

    func isFound(in bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress, buffer.count >= value.count else { return false }
            let end = buffer.count - value.count + offset
            var from = offset
            while from <= end, let found = memchr(start + from, Int32(rare), end - from + 1) {
                let place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
                if memcmp(start + (place - offset), value, value.count) == 0 { return true }
                from = place + 1
            }
            return false
        }
    }
}
