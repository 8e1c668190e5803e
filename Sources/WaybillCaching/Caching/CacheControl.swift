import Waybill

/// The directives in the `Cache-Control` fields of a request or a response (RFC 9111, section 5.2).
///
/// Names are case-insensitive, arguments may be quoted, and unknown directives are ignored.
struct CacheControl: Sendable, Equatable {
    private struct Directive: Sendable, Equatable {
        let name: String
        let argument: String?
    }

    /// The argument of a directive, in seconds.
    enum Seconds: Sendable, Equatable {
        case absent
        case valid(Double)
        /// Not a number, negative, or repeated with different values.
        case invalid
    }

    private var directives: [Directive] = []

    /// Whether a quoted argument is unterminated, so directives may be missing.
    private(set) var isMalformed = false

    init(_ fields: HTTPFields) {
        let values = fields[values: .cacheControl]
        for value in values { read(Array(value.utf8)) }
        // `Pragma`, from HTTP/1.0, applies only if `Cache-Control` is absent (RFC 9111, section 5.4).
        if values.isEmpty, let pragma = HTTPField.Name("Pragma"), let value = fields[pragma] {
            var old = CacheControl([])
            old.read(Array(value.utf8))
            if old.contains("no-cache") { directives.append(Directive(name: "no-cache", argument: nil)) }
        }
    }

    /// Whether a directive is present, with or without an argument.
    func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Whether a directive is present without an argument and so applies to the whole message.
    func containsUnqualified(_ name: String) -> Bool {
        directives.contains { $0.name == name && ($0.argument ?? "").isEmpty }
    }

    /// Returns the argument of a directive in seconds, at most 2^31 (RFC 9111, section 1.2.2).
    func seconds(_ name: String) -> Seconds {
        let found = Set(directives.filter { $0.name == name }.map { $0.argument.flatMap(Self.seconds(in:)) })
        guard let first = found.first else { return .absent }
        guard found.count == 1, let value = first else { return .invalid }
        return .valid(value)
    }

    /// Returns the field names in the arguments of a directive, such as `no-cache="Set-Cookie"`.
    func fieldNames(_ name: String) -> [HTTPField.Name] {
        directives.filter { $0.name == name }.flatMap { directive in
            (directive.argument ?? "").split { ", \t".contains($0) }.compactMap { HTTPField.Name(String($0)) }
        }
    }

    /// Parses a non-negative integer of seconds; returns nil for any other text.
    static func seconds(in text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Double(text) ?? .infinity, 2_147_483_648)
    }

    private mutating func read(_ bytes: [UInt8]) {
        var index = 0
        while index < bytes.count {
            let name = bytes[index...].prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") }
            index = name.endIndex
            var argument: String?
            if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
                argument = readArgument(bytes, &index)
            }
            // Skip any other text before the comma.
            index = bytes[min(index, bytes.count)...].firstIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? bytes.count
            let text = Self.trimmed(name).asciiLowercased
            if !text.isEmpty { directives.append(Directive(name: text, argument: argument)) }
        }
    }

    /// Reads the argument after an equals sign, and advances the index past it.
    private mutating func readArgument(_ bytes: [UInt8], _ index: inout Int) -> String {
        index += 1
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            let token = bytes[min(index, bytes.count)...].prefix { $0 != UInt8(ascii: ",") }
            index = token.endIndex
            return Self.trimmed(token)
        }
        index += 1
        var quoted: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
            quoted.append(bytes[index])
            index += 1
        }
        if index >= bytes.count { isMalformed = true }
        index = min(index + 1, bytes.count)
        return String(decoding: quoted, as: UTF8.self)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let head = bytes.drop(while: isSpace)
        let end = head.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? head.startIndex
        return String(decoding: head[..<end], as: UTF8.self)
    }
}
