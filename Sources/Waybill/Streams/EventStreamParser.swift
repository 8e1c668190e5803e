#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads server-sent events from bytes that are cut anywhere (WHATWG HTML, section 9.2.6).
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

    /// The last id that has come with a blank line; it outlasts a connection.
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

    /// Creates a parser for a connection.
    package init(lastID: String = "") {
        self.lastID = lastID
        id = lastID
    }

    /// The number of bytes of the event that is not yet complete.
    package var pendingByteCount: Int { line.count + data.count }

    /// Takes the next bytes, when ``next()`` has returned nil.
    package mutating func append(_ chunk: Data) {
        self.chunk = chunk
        index = 0
    }

    /// Returns the next event; nil if the appended bytes complete no other one.
    package mutating func next() -> Message? {
        while let line = nextLine() {
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

    /// A field that means something; others are passed over.
    private enum Field {
        case event, data, id, retry

        // Bytes are compared, because a text for each line takes as long as the rest of the parser.
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
        case .id: if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case .retry:
            if value.allSatisfy({ $0 &- 0x30 < 10 }) { retry = Int(String(decoding: value, as: UTF8.self)) ?? retry }
        }
    }

    private mutating func dispatch() -> Message? {
        lastID = id
        defer { (name, data) = ("", Data()) }
        guard !data.isEmpty else { return nil }
        data.removeLast()
        return Message(name: name.isEmpty ? "message" : name, data: data, id: lastID)
    }
}
