import Waybill
import WaybillSystem

/// A parser of server-sent events from chunks of any size (WHATWG HTML, section 9.2.6).
package struct EventStreamParser: Sendable {
    /// An undecoded event of the stream.
    package struct Message: Sendable, Equatable {
        /// The name of the event; `message` by default.
        package var name: String
        /// The data lines, joined by line feeds.
        package var data: Data
        /// The last event ID of the stream, from this event or an earlier one.
        package var id: String
        /// Whether there were data lines.
        package var hasData = true
    }

    /// The last event ID as of the last blank line, to be sent when reconnecting.
    package private(set) var lastID: String
    /// The reconnection time requested by the server, in milliseconds.
    package private(set) var retry: Int?

    private var chunk = Data()
    private var index = 0
    /// The offset of a line feed in the chunk, or the end of the chunk; outdated if less than ``index``.
    private var lineFeed = -1
    /// The beginning of a line that spans several chunks.
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether to skip the next byte if it is a line feed, because it follows a carriage return.
    private var passesLineFeed = false

    private var name = ""
    /// The data lines so far; nil before the first one.
    private var data: Data?
    private var id: String

    /// The maximum number of bytes of an event, including its name, the last event ID and the current line.
    private let limit: Int
    /// The names of events that are returned even without data.
    private let namesWithoutData: Set<String>
    /// Whether an event exceeds the limit; if so, no further events are returned.
    package private(set) var isTooLarge = false
    /// Whether the received bytes end within an event, without the blank line that completes it.
    package var isWithinEvent: Bool {
        data != nil || !name.isEmpty || line.first.map { $0 != UInt8(ascii: ":") } ?? false
    }
    /// The number of events so far.
    package private(set) var eventCount = 0

    /// Creates a parser for a connection.
    ///
    /// - Parameters:
    ///   - lastID: the last event ID of the preceding connection.
    ///   - limit: the maximum number of bytes of an event.
    ///   - names: the names of events that are returned even without data.
    package init(lastID: String = "", limit: Int = .max, namesWithoutData names: Set<String> = []) {
        self.lastID = lastID
        id = lastID
        self.limit = limit
        namesWithoutData = names
    }

    /// Supplies the next bytes after ``next()`` has returned nil.
    package mutating func append(_ chunk: Data) {
        self.chunk = chunk
        (index, lineFeed) = (0, -1)
    }

    /// Returns the next event; nil if the supplied bytes do not complete one, or if ``isTooLarge``.
    package mutating func next() -> Message? {
        let chunk = chunk
        let message = chunk.withUnsafeBytes { bytes -> Message? in
            while !isTooLarge, index < bytes.count {
                if let message = readLine(in: bytes) { return message }
            }
            return nil
        }
        if message == nil { append(Data()) }
        return message
    }

    /// Reads the line at ``index``, up to the end of the chunk.
    private mutating func readLine(in bytes: UnsafeRawBufferPointer) -> Message? {
        if passesLineFeed {
            passesLineFeed = false
            if bytes[index] == UInt8(ascii: "\n") { index += 1 }
        }
        let end = lineEnd(in: bytes)
        let part = UnsafeRawBufferPointer(rebasing: bytes[index..<end])
        let isComplete = end < bytes.count
        index = isComplete ? end + 1 : end
        let held = (data.map { $0.count + 1 } ?? 0) + name.utf8.count + id.utf8.count
        guard line.count + part.count <= limit - min(limit, held) else {
            isTooLarge = true
            (line, data) = ([], nil)
            return nil
        }
        if isComplete { passesLineFeed = bytes[end] == UInt8(ascii: "\r") }
        if isComplete, line.isEmpty { return read(part) }
        line.append(contentsOf: part)
        guard isComplete else { return nil }
        let whole = line
        line = []
        return whole.withUnsafeBytes { read($0) }
    }

    /// Returns the offset of the next line break, or the end of the chunk.
    private mutating func lineEnd(in bytes: UnsafeRawBufferPointer) -> Int {
        // Searched only once per chunk, even if the stream contains no line feeds.
        if lineFeed < index { lineFeed = Self.offset(of: UInt8(ascii: "\n"), in: bytes, index..<bytes.count) }
        return Self.offset(of: UInt8(ascii: "\r"), in: bytes, index..<lineFeed)
    }

    /// Returns the offset of a byte in a range, or the range's end.
    private static func offset(of byte: UInt8, in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        guard let start = bytes.baseAddress, !range.isEmpty,
            let place = memchr(start + range.lowerBound, Int32(byte), range.count)
        else { return range.upperBound }
        return UnsafeRawPointer(place) - start
    }

    private mutating func read(_ line: UnsafeRawBufferPointer) -> Message? {
        var line = line
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3)) }
        }
        guard !line.isEmpty else { return dispatch() }
        // Compare bytes: creating a string for each line would double the parsing time.
        if let value = Self.value(of: "data", in: line) {
            takeData(value)
        } else if let value = Self.value(of: "event", in: line) {
            name = String(decoding: value, as: UTF8.self)
        } else if let value = Self.value(of: "id", in: line) {
            if !value.contains(where: Self.isControl) { id = String(decoding: value, as: UTF8.self) }
        } else if let value = Self.value(of: "retry", in: line), value.allSatisfy({ $0 &- 0x30 < 10 }) {
            // An overflowing number becomes the maximum; a field without digits is ignored.
            if !value.isEmpty { retry = Int(String(decoding: value, as: UTF8.self)) ?? .max }
        }
        return nil
    }

    /// Returns the value of the field with the given name; nil if the line contains a different field.
    private static func value(of name: StaticString, in line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let length = name.utf8CodeUnitCount
        guard line.count >= length, let start = line.baseAddress, memcmp(start, name.utf8Start, length) == 0 else {
            return nil
        }
        guard line.count > length else { return UnsafeRawBufferPointer(start: start, count: 0) }
        guard line[length] == UInt8(ascii: ":") else { return nil }
        let hasSpace = line.count > length + 1 && line[length + 1] == UInt8(ascii: " ")
        return UnsafeRawBufferPointer(rebasing: line[(length + (hasSpace ? 2 : 1))...])
    }

    private mutating func takeData(_ value: UnsafeRawBufferPointer) {
        guard var data = data.take() else {
            data = value.isEmpty ? Data() : Data(value)
            return
        }
        data.append(UInt8(ascii: "\n"))
        data.append(contentsOf: value)
        self.data = data
    }

    /// Whether a byte is a control character, which an ID in a header field cannot contain.
    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    private mutating func dispatch() -> Message? {
        lastID = id
        defer { name = "" }
        guard let data = data.take() else {
            // Not an event according to the specification, but some servers end their streams this way.
            guard namesWithoutData.contains(name) else { return nil }
            return Message(name: name, data: Data(), id: lastID, hasData: false)
        }
        eventCount += 1
        return Message(name: name.isEmpty ? "message" : name, data: data, id: lastID)
    }
}
