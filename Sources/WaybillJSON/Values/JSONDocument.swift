import WaybillSystem

/// A JSON value with the text that it was read from.
///
/// The text has what the value lacks: the spelling of numbers and strings, the order of members, and members whose
/// names are repeated or equal to another one for Swift, such as `é` in its two Unicode forms.
package struct JSONDocument: Sendable {
    /// The value.
    package let value: JSONValue

    /// The text that the value was read from; nil for a value without one.
    private let source: String?

    /// Creates a document.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - source: the text that it was read from, without spaces around it; nil for a value without one.
    package init(_ value: JSONValue, source: String? = nil) {
        self.value = value
        self.source = source
    }

    /// Creates the array of documents.
    package init(elements: [JSONDocument]) {
        value = .array(elements.map(\.value))
        source =
            elements.contains { $0.hasSource } ? "[" + elements.map(\.text).joined(separator: ",") + "]" : nil
    }

    /// Whether it has the text that it was read from.
    package var hasSource: Bool { source != nil }

    /// The text of the value: the one that it was read from, or else the description of the value.
    package var text: String { source ?? value.description }

    /// Returns the document of another value: what is equal in both values keeps its bytes.
    ///
    /// - Parameter new: the other value.
    /// - Returns: the document of that value, without a source if this one has none.
    package func changed(to new: JSONValue) -> JSONDocument {
        guard let source else { return JSONDocument(new) }
        if value.isIdentical(to: new) { return JSONDocument(new, source: source) }
        var splice = JSONSplice(source)
        guard splice.write(value, as: new) else { return JSONDocument(new) }
        return JSONDocument(new, source: splice.text)
    }

    /// Returns the offset after a value of JSON; nil if the bytes end within it.
    static func endOfValue<Bytes: RandomAccessCollection<UInt8>>(
        in bytes: Bytes,
        from start: Int
    ) -> Int? where Bytes.Index == Int {
        var depth = 0
        var index = start
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard let end = endOfString(in: bytes, from: index) else { return nil }
                index = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: " "), 0x09, 0x0A, 0x0D:
                index += 1
                continue
            default:
                while index < bytes.endIndex, !isDelimiter(bytes[index]) { index += 1 }
            }
            if depth <= 0 { return depth == 0 ? index : nil }
        }
        return nil
    }

    /// Returns the offset after a string.
    static func endOfString<Bytes: RandomAccessCollection<UInt8>>(
        in bytes: Bytes,
        from start: Int
    ) -> Int? where Bytes.Index == Int {
        var index = start + 1
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: " "), 0x09, 0x0A, 0x0D: true
        default: false
        }
    }
}
