import Foundation
import Waybill

/// An incremental parser that turns a connection's bytes into request events, without I/O.
///
/// ```text
/// parser.append(bytes)
/// while let event = try parser.next() { handle(event) }      // nil: it needs more bytes
/// ```
///
/// A request's events are its head, the pieces of its body, and its end. Further requests can follow in the same bytes.
/// After a rejection, the connection is unusable and the parser throws the same rejection each time.
struct RequestParser: Sendable {
    /// A parsed part of a request.
    enum Event: Sendable, Hashable {
        case head(RequestHead)
        case body(Data)
        case end(trailerFields: HTTPFields)
    }

    private enum State: Sendable {
        case head
        case body(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailer
        case end(HTTPFields)
        case rejected(RequestRejection)
    }

    private let limits: LoopbackServer.Limits
    private var state = State.head
    private var buffer: [UInt8] = []
    /// The index of the first unread byte.
    private var position = 0
    /// The index from which to continue the search for the end of a head or line, so each byte is examined once.
    private var searched = 0
    private var bodyCount = 0

    init(limits: LoopbackServer.Limits = LoopbackServer.Limits()) { self.limits = limits }

    /// Whether the buffer contains bytes that no event covers yet.
    var hasUnreadBytes: Bool { position < buffer.count }

    /// Appends bytes received on the connection.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        if position > 0 {
            buffer.removeSubrange(..<position)
            searched = max(0, searched - position)
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next event, or nil if more bytes are needed.
    mutating func next() throws(RequestRejection) -> Event? {
        do {
            while true {
                switch try step() {
                case .event(let event): return event
                case .goOn: continue
                case .needsBytes: return nil
                }
            }
        } catch {
            state = .rejected(error)
            throw error
        }
    }

    private enum Progress {
        case event(Event)
        case goOn
        case needsBytes
    }

    private mutating func step() throws(RequestRejection) -> Progress {
        switch state {
        case .head: return try readHead()
        case .body(let remaining): return readBody(remaining: remaining, then: .end([])) { .body(remaining: $0) }
        case .chunkSize: return try readChunkSize()
        case .chunk(let remaining): return readBody(remaining: remaining, then: .chunkEnd) { .chunk(remaining: $0) }
        case .chunkEnd: return try readChunkEnd()
        case .trailer: return try readTrailer()
        case .end(let trailerFields):
            state = .head
            return .event(.end(trailerFields: trailerFields))
        case .rejected(let rejection): throw rejection
        }
    }
}

extension RequestParser {
    private mutating func readHead() throws(RequestRejection) -> Progress {
        // A client may send extra empty lines after its previous request (RFC 9112, section 2.2).
        while buffer[position...].starts(with: Self.newline) {
            position += 2
            searched = position
        }
        let bytes = try take(through: Self.emptyLine, limit: limits.headBytes) { $0.headTooLarge }
        guard let bytes else { return .needsBytes }
        let parsed = try RequestHeadParser.parse(bytes)
        bodyCount = 0
        switch parsed.framing {
        case .chunked: state = .chunkSize
        case .length(let length):
            guard length <= limits.bodyBytes else { throw bodyTooLarge }
            state = length == 0 ? .end([]) : .body(remaining: length)
        }
        return .event(.head(parsed))
    }

    private mutating func readBody(remaining: Int, then next: State, rest: (Int) -> State) -> Progress {
        let piece = buffer[position...].prefix(remaining)
        guard !piece.isEmpty else { return .needsBytes }
        position = piece.endIndex
        searched = position
        state = piece.count == remaining ? next : rest(remaining - piece.count)
        return .event(.body(Data(piece)))
    }

    private mutating func readChunkSize() throws(RequestRejection) -> Progress {
        let taken = try take(through: Self.newline, limit: 1024) { _ in
            .malformed("the line of a chunk's size is too long")
        }
        guard let line = taken else { return .needsBytes }
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\r") }
        guard !digits.isEmpty, digits.count <= 15, !line.dropLast(2).contains(where: { $0 < 0x20 && $0 != 0x09 }),
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else {
            throw .malformed("that is not a chunk size: \(String(decoding: line, as: UTF8.self).debugDescription)")
        }
        guard size <= limits.bodyBytes - bodyCount else { throw bodyTooLarge }
        bodyCount += size
        state = size == 0 ? .trailer : .chunk(remaining: size)
        return .goOn
    }

    private mutating func readChunkEnd() throws(RequestRejection) -> Progress {
        let end = buffer[position...].prefix(2)
        guard Self.newline.starts(with: end) else { throw .malformed("a chunk is longer than its declared size") }
        guard end.count == 2 else { return .needsBytes }
        position += 2
        searched = position
        state = .chunkSize
        return .goOn
    }

    private mutating func readTrailer() throws(RequestRejection) -> Progress {
        let beginning = buffer[position...].prefix(2)
        if beginning.count < 2 && Self.newline.starts(with: beginning) { return .needsBytes }
        let isEmpty = beginning.elementsEqual(Self.newline)
        let bytes = try take(through: isEmpty ? Self.newline : Self.emptyLine, limit: limits.headBytes) { parser in
            let reason = "the trailer fields have more than \(parser.limits.headBytes) bytes"
            return RequestRejection(status: 431, reason: reason)
        }
        guard let bytes else { return .needsBytes }
        var fields = HTTPFields()
        for line in try RequestHeadParser.lines(of: bytes) { fields.append(try RequestHeadParser.field(line)) }
        state = .end(fields)
        return .goOn
    }

    /// Consumes and returns the bytes through the next `ending`; returns nil if more bytes are needed.
    private mutating func take(
        through ending: [UInt8],
        limit: Int,
        orReject rejection: (RequestParser) -> RequestRejection
    ) throws(RequestRejection) -> ArraySlice<UInt8>? {
        while let found = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            guard found + 1 - position <= limit else { throw rejection(self) }
            guard found > position, buffer[found - 1] == UInt8(ascii: "\r") else {
                throw .malformed("a line ends in an LF alone")
            }
            searched = found + 1
            if buffer[position...found].suffix(ending.count).elementsEqual(ending) {
                defer { position = searched }
                return buffer[position...found]
            }
        }
        searched = buffer.count
        guard buffer.count - position < limit else { throw rejection(self) }
        return nil
    }

    private var headTooLarge: RequestRejection {
        let hasLine = buffer[position...].prefix(limits.headBytes).contains(UInt8(ascii: "\n"))
        return hasLine
            ? RequestRejection(status: 431, reason: "the head has more than \(limits.headBytes) bytes")
            : RequestRejection(status: 414, reason: "the request line has more than \(limits.headBytes) bytes")
    }

    private var bodyTooLarge: RequestRejection {
        RequestRejection(status: 413, reason: "the body has more than \(limits.bodyBytes) bytes")
    }

    private static let newline: [UInt8] = [0x0D, 0x0A]
    private static let emptyLine: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
}
