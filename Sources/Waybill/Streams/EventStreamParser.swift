import WaybillSystem

/// A parser of server-sent events, from chunks of any size (WHATWG HTML, section 9.2.6).
package struct EventStreamParser: Sendable {
    /// An event as the stream has it.
    package struct Message: Sendable, Equatable {
        /// The name; `message` unless the stream gives another one.
        package var name: String
        /// The lines of data, a line feed between them.
        package var data: Data
        /// The last id of the stream, of this event or of one before it.
        package var id: String
    }

    /// The last id before a blank line; it outlasts a connection.
    package private(set) var lastID: String
    /// The reconnection time that the server asks for, in milliseconds.
    package private(set) var retry: Int?

    private var chunk = Data()
    private var index = 0
    private var line = Data()
    private var isFirstLine = true
    /// Whether a line feed at the next byte belongs to a carriage return before it.
    private var passesLineFeed = false

    private var name = ""
    private var data = Data()
    private var id: String

    /// The most bytes of an event, its name and the stream's last id included, and of a line.
    private let limit: Int
    /// Whether an event or a line has more bytes than the limit; there are no further events then.
    package private(set) var isTooLarge = false
    /// The number of events so far.
    package private(set) var eventCount = 0

    /// Creates a parser for a connection.
    ///
    /// - Parameters:
    ///   - lastID: the last id of the connection before it.
    ///   - limit: the most bytes of an event and of a line.
    package init(lastID: String = "", limit: Int = .max) {
        self.lastID = lastID
        id = lastID
        self.limit = limit
    }

    /// Takes the next bytes, when ``next()`` has returned nil.
    package mutating func append(_ chunk: Data) {
        self.chunk = chunk
        index = 0
    }

    /// Returns the next event; nil if the appended bytes complete no other one, or if ``isTooLarge``.
    package mutating func next() -> Message? {
        while !isTooLarge, let line = nextLine() {
            if let message = read(line) { return message }
        }
        return nil
    }

    /// Returns the next line; only one that has come in several chunks is copied.
    private mutating func nextLine() -> Data? {
        let first = index
        let (start, end) = chunk.withUnsafeBytes { bytes in
            var start = first
            if passesLineFeed, start < bytes.count {
                passesLineFeed = false
                if bytes[start] == UInt8(ascii: "\n") { start += 1 }
            }
            var end = start
            while end < bytes.count, bytes[end] > 0x0D || bytes[end] != 0x0A && bytes[end] != 0x0D { end += 1 }
            if end < bytes.count { passesLineFeed = bytes[end] == UInt8(ascii: "\r") }
            return (start, end)
        }
        let isComplete = end < chunk.count
        var next = chunk.dropFirst(start).prefix(end - start)
        index = end + 1
        guard line.count + next.count <= limit - min(limit, data.count + name.utf8.count + id.utf8.count) else {
            isTooLarge = true
            (chunk, line, data) = (Data(), Data(), Data())
            return nil
        }
        if !isComplete || !line.isEmpty {
            line.append(next)
            next = line
        }
        guard isComplete else {
            (chunk, index) = (Data(), 0)
            return nil
        }
        line = Data()
        guard isFirstLine else { return next }
        isFirstLine = false
        return next.starts(with: [0xEF, 0xBB, 0xBF]) ? next.dropFirst(3) : next
    }

    private mutating func read(_ line: Data) -> Message? {
        guard !line.isEmpty else { return dispatch() }
        let (field, offset) = line.withUnsafeBytes { bytes in
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            var offset = min(colon + 1, bytes.count)
            if offset < bytes.count, bytes[offset] == UInt8(ascii: " ") { offset += 1 }
            return (Field(bytes[..<colon]), offset)
        }
        if let field { take(field, line.dropFirst(offset)) }
        return nil
    }

    /// A field with a meaning; others are ignored.
    private enum Field {
        case event, data, id, retry

        // Bytes are compared: a string for each line takes as long as the rest of the parser.
        init?(_ name: Slice<UnsafeRawBufferPointer>) {
            if name.elementsEqual("data".utf8) {
                self = .data
            } else if name.elementsEqual("event".utf8) {
                self = .event
            } else if name.elementsEqual("id".utf8) {
                self = .id
            } else if name.elementsEqual("retry".utf8) {
                self = .retry
            } else {
                return nil
            }
        }
    }

    private mutating func take(_ field: Field, _ value: Data) {
        switch field {
        case .event: name = String(decoding: value, as: UTF8.self)
        case .data:
            data.append(value)
            data.append(UInt8(ascii: "\n"))
        case .id: if !value.contains(where: Self.isControl) { id = String(decoding: value, as: UTF8.self) }
        case .retry:
            if value.allSatisfy({ $0 &- 0x30 < 10 }) { retry = Int(String(decoding: value, as: UTF8.self)) ?? retry }
        }
    }

    /// Whether a byte is a control character that no header field has: the id could not be sent back.
    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    private mutating func dispatch() -> Message? {
        lastID = id
        defer { (name, data) = ("", Data()) }
        guard !data.isEmpty else { return nil }
        data.removeLast()
        eventCount += 1
        return Message(name: name.isEmpty ? "message" : name, data: data, id: lastID)
    }
}
