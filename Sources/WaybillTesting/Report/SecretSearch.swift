import Foundation
import Waybill

/// A search for many values in many texts, whose time does not grow with the number of values.
///
/// A log of 5,000 calls may have as many values, as of cookies that change with each response.
struct SecretSearch {
    /// The values by their last eight bytes: tokens often begin alike.
    private var byEnd: [UInt64: [[UInt8]]] = [:]
    /// A bit for each value of a hash, which tells of most other bytes in a few instructions that they end no value.
    private var filter = [UInt64](repeating: 0, count: 1024)

    /// Creates a search; a value of fewer than eight bytes is not searched for.
    init(_ values: [String]) {
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

    /// Returns a text without the values, plain or escaped.
    func removed(from text: String) -> String {
        guard !byEnd.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var found = Set(values(in: bytes))
        let isEscaped = bytes.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") }
        if isEscaped { found.formUnion(values(in: Self.unescaped(bytes))) }
        guard !found.isEmpty else { return text }
        return Redaction.removing(found.map { String(decoding: $0, as: UTF8.self) }, from: text)
    }

    private func values(in bytes: [UInt8]) -> [[UInt8]] {
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

    /// Returns the bytes of a text with characters in place of the escapes of JSON and of URLs; any other byte stays.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "%"):
                let byte = hexadecimal(bytes, at: place + 1, count: 2).map { UInt8(truncatingIfNeeded: $0) }
                kept.append(byte ?? bytes[place])
                place += byte == nil ? 1 : 3
            case UInt8(ascii: "\\"):
                place += 1
                guard place < bytes.count, bytes[place] == UInt8(ascii: "u"),
                    let scalar = hexadecimal(bytes, at: place + 1, count: 4).flatMap(Unicode.Scalar.init)
                else { continue }
                kept += Array(String(Character(scalar)).utf8)
                place += 5
            default:
                kept.append(bytes[place])
                place += 1
            }
        }
        return kept
    }

    private static func hexadecimal(_ bytes: [UInt8], at start: Int, count: Int) -> UInt32? {
        guard start + count <= bytes.count else { return nil }
        return bytes[start..<start + count].reduce(0 as UInt32?) { value, byte in
            guard let value, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            return value << 4 | UInt32(digit)
        }
    }
}
