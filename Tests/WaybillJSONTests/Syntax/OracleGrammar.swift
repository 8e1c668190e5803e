import Foundation

/// The JSON grammar (RFC 8259), written again independently of the sources: a recursive descent parser with one
/// function for each rule.
struct OracleGrammar {
    /// The offset at which a text stops being JSON, and what the grammar allows there.
    struct Failure: Error, Equatable {
        let offset: Int
        let expected: String
    }

    /// A parsed part of the text: a bracket, a key with its quotation marks, or a scalar.
    enum Piece: Equatable {
        case bracket(Int)
        case key(Range<Int>)
        case scalar(Range<Int>)
    }

    private let bytes: [UInt8]
    private var index: Int
    private(set) var pieces: [Piece] = []
    /// The offset of the first escape that is a lone surrogate.
    private(set) var loneSurrogate: Int?
    private(set) var depth = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Parses a complete text, and returns the offset and the reason of the rejection; nil for valid JSON.
    ///
    /// A text with many containers is parsed on a new thread: under the address sanitizer, the stacks of other threads
    /// are too small for so many calls.
    mutating func failure() -> Failure? {
        guard bytes.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) > 100 else {
            return failureOnThisThread()
        }
        final class Reading: @unchecked Sendable {
            var grammar: OracleGrammar
            var failure: Failure?
            let isOver = DispatchSemaphore(value: 0)

            init(_ grammar: OracleGrammar) { self.grammar = grammar }
        }
        let reading = Reading(self)
        let thread = Thread {
            reading.failure = reading.grammar.failureOnThisThread()
            reading.isOver.signal()
        }
        thread.stackSize = 64 * 1024 * 1024
        thread.start()
        reading.isOver.wait()
        self = reading.grammar
        return reading.failure
    }

    private mutating func failureOnThisThread() -> Failure? {
        do throws(Failure) {
            try text()
            return nil
        } catch {
            return error
        }
    }

    private mutating func text() throws(Failure) {
        try value("a value")
        guard byte == nil else { throw Failure(offset: index, expected: "the end of the text") }
    }

    private mutating func value(_ expected: String, level: Int = 0) throws(Failure) {
        skipSpace()
        let start = index
        switch byte {
        case UInt8(ascii: "["): try array(level + 1)
        case UInt8(ascii: "{"): try object(level + 1)
        case UInt8(ascii: "\""): try string()
        case .some(0x30...0x39), UInt8(ascii: "-"): try number()
        default: try literal(expected)
        }
        if ![UInt8(ascii: "["), UInt8(ascii: "{")].contains(bytes[start]) { pieces.append(.scalar(start..<index)) }
        skipSpace()
    }

    private mutating func array(_ level: Int) throws(Failure) {
        depth = max(depth, level)
        bracket()
        skipSpace()
        if byte == UInt8(ascii: "]") { return bracket() }
        try value("a value or ']'", level: level)
        while byte == UInt8(ascii: ",") {
            index += 1
            try value("a value after ','", level: level)
        }
        guard byte == UInt8(ascii: "]") else { throw Failure(offset: index, expected: "',' or ']'") }
        bracket()
    }

    private mutating func object(_ level: Int) throws(Failure) {
        depth = max(depth, level)
        bracket()
        skipSpace()
        if byte == UInt8(ascii: "}") { return bracket() }
        try member("a key in double quotes or '}'", level)
        while byte == UInt8(ascii: ",") {
            index += 1
            skipSpace()
            try member("a key in double quotes after ','", level)
        }
        guard byte == UInt8(ascii: "}") else { throw Failure(offset: index, expected: "',' or '}'") }
        bracket()
    }

    private mutating func member(_ expected: String, _ level: Int) throws(Failure) {
        let start = index
        guard byte == UInt8(ascii: "\"") else { throw Failure(offset: index, expected: expected) }
        try string()
        pieces.append(.key(start..<index))
        skipSpace()
        guard byte == UInt8(ascii: ":") else { throw Failure(offset: index, expected: "':' after the key") }
        index += 1
        try value("a value after ':'", level: level)
    }

    private mutating func string() throws(Failure) {
        index += 1
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw Failure(offset: index, expected: "an escape such as \\n in the string")
            default: try scalar()
            }
        }
        throw Failure(offset: index, expected: "'\"' at the end of the string")
    }

    private mutating func scalar() throws(Failure) {
        var decoder = UTF8()
        var rest = bytes[index...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else {
            throw Failure(offset: index, expected: "valid UTF-8 in the string")
        }
        index += UTF8.width(scalar)
    }

    private mutating func escape() throws(Failure) {
        let start = index
        index += 1
        guard let byte, "\"\\/bfnrtu".utf8.contains(byte) else {
            throw Failure(offset: index, expected: "one of \" \\ / b f n r t u after '\\'")
        }
        index += 1
        guard byte == UInt8(ascii: "u") else { return }
        let unit = try hexadecimal()
        if UTF16.isLeadSurrogate(unit), bytes[index...].starts(with: "\\u".utf8) {
            let second = index
            index += 2
            if UTF16.isTrailSurrogate(try hexadecimal()) { return }
            index = second
        }
        if UTF16.isSurrogate(unit) { loneSurrogate = loneSurrogate ?? start }
    }

    private mutating func hexadecimal() throws(Failure) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte, let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                throw Failure(offset: index, expected: "four hexadecimal digits after '\\u'")
            }
            unit = unit * 16 + UInt16(digit)
            index += 1
        }
        return unit
    }

    private mutating func number() throws(Failure) {
        if byte == UInt8(ascii: "-") { index += 1 }
        let isZero = byte == UInt8(ascii: "0")
        let first = index
        try digits("a digit after '-'")
        guard !isZero || index == first + 1 else {
            throw Failure(offset: first + 1, expected: "no digit after a leading 0")
        }
        if byte == UInt8(ascii: ".") {
            index += 1
            try digits("a digit after '.'")
        }
        guard byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") else { return }
        index += 1
        if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
        try digits("a digit after the exponent's 'e'")
    }

    private mutating func digits(_ expected: String) throws(Failure) {
        let start = index
        while let byte, 0x30...0x39 ~= byte { index += 1 }
        guard index > start else { throw Failure(offset: index, expected: expected) }
    }

    private mutating func literal(_ expected: String) throws(Failure) {
        let rest = bytes[index...]
        for name in ["true", "false", "null"] {
            if rest.starts(with: name.utf8) {
                index += name.utf8.count
                return
            }
            if !rest.isEmpty, name.utf8.starts(with: rest) {
                throw Failure(offset: bytes.count, expected: "'\(name)'")
            }
        }
        throw Failure(offset: index, expected: expected)
    }

    private mutating func bracket() {
        pieces.append(.bracket(index))
        index += 1
    }

    private mutating func skipSpace() { while let byte, " \t\r\n".utf8.contains(byte) { index += 1 } }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }
}
