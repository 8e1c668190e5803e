import WaybillHTTP
import WaybillTransports

/// A strict decoder of the chunked transfer coding (RFC 9112, section 7.1).
///
/// libcurl parses a size of `0x2` as 0 and the following bytes as trailer fields, so a body would end early without an
/// error. This decoder reports all violations of the grammar.
struct ChunkedDecoder {
    /// A violation of the chunked coding.
    struct Failure: Error {
        /// The location and the cause: `chunk 3: its size is not a hexadecimal number`.
        let text: String
        /// Whether the trailer fields exceed their limit.
        var isTooLong = false
    }

    /// The grammar element to which the next byte belongs.
    private enum Part {
        case size
        case spaceAfterSize
        case chunkExtension
        case sizeLineFeed
        case data
        case dataReturn
        case dataLineFeed
        case trailer
        case end
    }

    /// The maximum size of a chunk's extensions, in bytes.
    private static let extensionBytes = 16 * 1024

    /// The lines of the trailer section, without the final empty line.
    private(set) var trailer: [UInt8] = []

    private let trailerLimit: Int
    private var part = Part.size
    private var number = 1
    private var size = 0
    private var digits = 0
    private var extensionCount = 0
    private var trailerLine: [UInt8] = []

    /// Creates a decoder.
    ///
    /// - Parameter trailerLimit: the maximum size of the trailer section, in bytes.
    init(trailerLimit: Int) { self.trailerLimit = trailerLimit }

    /// Whether the last chunk and the trailer section have been read.
    var isAtEnd: Bool { part == .end }

    /// Decodes bytes up to the end of the coding.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - body: called with each piece of the content.
    /// - Returns: the number of bytes that belong to the coding; less than the number of `bytes` if others follow it.
    /// - Throws: `Failure` if the bytes violate the grammar.
    mutating func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) -> Int {
        var index = 0
        while index < bytes.count, part != .end {
            if part == .data {
                let count = min(size, bytes.count - index)
                body(UnsafeRawBufferPointer(rebasing: bytes[index..<index + count]))
                size -= count
                index += count
                if size == 0 { part = .dataReturn }
            } else {
                try read(bytes[index])
                index += 1
            }
        }
        return index
    }

    private mutating func read(_ byte: UInt8) throws(Failure) {
        switch part {
        case .size: try readSize(byte)
        case .spaceAfterSize, .chunkExtension:
            extensionCount += 1
            guard extensionCount <= Self.extensionBytes else { throw failure("its extensions are too long") }
            if part == .spaceAfterSize {
                guard byte != 0x20, byte != 0x09 else { break }
                guard byte == 0x0D || byte == UInt8(ascii: ";") else {
                    throw failure("its size is not a hexadecimal number")
                }
                part = .chunkExtension
            }
            if byte == 0x0D { part = .sizeLineFeed }
            if byte == 0x0A { throw failure("its size line does not end in CR LF") }
        case .sizeLineFeed:
            guard byte == 0x0A else { throw failure("its size line does not end in CR LF") }
            (digits, extensionCount) = (0, 0)
            part = size == 0 ? .trailer : .data
        case .dataReturn:
            guard byte == 0x0D else { throw failure("it is longer than its size") }
            part = .dataLineFeed
        case .dataLineFeed:
            guard byte == 0x0A else { throw failure("its content does not end in CR LF") }
            number += 1
            part = .size
        case .trailer: try readTrailer(byte)
        case .data, .end: break
        }
    }

    private mutating func readSize(_ byte: UInt8) throws(Failure) {
        if let digit = Self.digit(byte) {
            let (shifted, overflows) = size.multipliedReportingOverflow(by: 16)
            guard !overflows, digits < 16, shifted <= .max - digit else { throw failure("its size is too large") }
            (size, digits) = (shifted + digit, digits + 1)
            return
        }
        guard digits > 0 else { throw failure("its size is not a hexadecimal number") }
        switch byte {
        case 0x0D: part = .sizeLineFeed
        case UInt8(ascii: ";"): part = .chunkExtension
        // Some servers pad the size with spaces.
        case 0x20, 0x09: part = .spaceAfterSize
        default: throw failure("its size is not a hexadecimal number")
        }
    }

    private mutating func readTrailer(_ byte: UInt8) throws(Failure) {
        trailerLine.append(byte)
        guard trailer.count + trailerLine.count <= trailerLimit else {
            throw Failure(text: "the trailer section is too long", isTooLong: true)
        }
        guard byte == 0x0A else { return }
        defer { trailerLine.removeAll(keepingCapacity: true) }
        if trailerLine == [0x0D, 0x0A] || trailerLine == [0x0A] {
            part = .end
            return
        }
        let isFolded = trailerLine.first.map { $0 == 0x20 || $0 == 0x09 } ?? false
        guard isFolded ? !trailer.isEmpty : Self.isField(trailerLine) else {
            throw Failure(text: "a line of the trailer section is not a field")
        }
        trailer += trailerLine
    }

    private func failure(_ text: String) -> Failure { Failure(text: "chunk \(number): \(text)") }

    private static func isField(_ line: [UInt8]) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return Token.isValid(String(decoding: line[..<colon], as: UTF8.self))
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte - 0x30)
        case 0x41...0x46: Int(byte - 0x37)
        case 0x61...0x66: Int(byte - 0x57)
        default: nil
        }
    }
}
