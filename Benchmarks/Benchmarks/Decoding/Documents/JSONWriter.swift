import Foundation

/// A JSON writer with the indentation, key order and escaping of various services.
struct JSONWriter {
    /// The order of an object's keys.
    enum KeyOrder {
        /// The order in the tree.
        case declared
        /// A different order, the same for all objects with the same keys.
        case perType
        /// A different order for each object.
        case perObject
    }

    private(set) var bytes: [UInt8] = []

    private let indentation: Int
    private let keyOrder: KeyOrder
    private let isSafeForHTML: Bool
    private var random = SplitMix64(seed: 11)

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - indentation: the number of spaces per level; 0 to write a single line.
    ///   - keyOrder: the order of each object's keys.
    ///   - isSafeForHTML: whether to escape slashes, angle brackets and characters outside the Basic Multilingual
    ///     Plane, as services do for JSON embedded in HTML.
    init(indentation: Int = 0, keyOrder: KeyOrder = .declared, isSafeForHTML: Bool = false) {
        self.indentation = indentation
        self.keyOrder = keyOrder
        self.isSafeForHTML = isSafeForHTML
    }

    /// The written bytes.
    var data: Data { Data(bytes) }

    /// Writes a value.
    mutating func write(_ tree: JSONTree, level: Int = 0) {
        switch tree {
        case .absent: break
        case .null: write("null")
        case .bool(let value): write(value ? "true" : "false")
        case .int(let value): write("\(value)")
        case .double(let value): write("\(value)")
        case .string(let value): writeString(value)
        case .array(let elements):
            writeList(elements, "[", "]", level) { $0.write($1, level: level + 1) }
        case .object(let members):
            writeList(ordered(members), "{", "}", level) { writer, member in
                writer.writeString(member.key)
                writer.write(writer.indentation > 0 ? ": " : ":")
                writer.write(member.value, level: level + 1)
            }
        }
    }

    /// Writes text verbatim.
    mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes bytes verbatim.
    mutating func write(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    private mutating func ordered(_ members: [(key: String, value: JSONTree)]) -> [(key: String, value: JSONTree)] {
        switch keyOrder {
        case .declared: members
        case .perType: members.sorted { Self.rank($0.key) < Self.rank($1.key) }
        case .perObject: members.shuffled(using: &random)
        }
    }

    private static func rank(_ key: String) -> UInt64 {
        key.utf8.reduce(0) { SplitMix64.mixed($0 &+ UInt64($1) &+ 1) }
    }

    private mutating func writeList<Element>(
        _ elements: [Element],
        _ open: String,
        _ close: String,
        _ level: Int,
        writing writeElement: (inout JSONWriter, Element) -> Void
    ) {
        write(open)
        for (place, element) in elements.enumerated() {
            if place > 0 { write(",") }
            writeLineBreak(level + 1)
            writeElement(&self, element)
        }
        if !elements.isEmpty { writeLineBreak(level) }
        write(close)
    }

    private mutating func writeLineBreak(_ level: Int) {
        guard indentation > 0 else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * indentation))
    }

    private mutating func writeString(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": write("\\\"")
            case "\\": write("\\\\")
            case "\n": write("\\n")
            case "\t": write("\\t")
            case "/" where isSafeForHTML: write("\\/")
            case "\u{0}"..<" ": writeEscape(UInt16(scalar.value))
            case "<" where isSafeForHTML, ">" where isSafeForHTML: writeEscape(UInt16(scalar.value))
            case "\u{10000}"... where isSafeForHTML: UTF16.encode(scalar)?.forEach { writeEscape($0) }
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        write("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
    }
}
