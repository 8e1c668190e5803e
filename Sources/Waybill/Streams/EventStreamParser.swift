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
    /// The offset of a line feed of the chunk, or its end; of the next one if it is not before ``index``.
    private var lineFeed = -1
    /// The beginning of a line that is in several chunks.
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether a line feed at the next byte belongs to a carriage return before it.
    private var passesLineFeed = false

    private var name = ""
    /// The lines of data; nil without one.
    private var data: Data?
    private var id: String

    /// The most bytes of an event, its name and the stream's last id included, and of a line.
    private let limit: Int
    /// Whether an event or a line has more bytes than the limit; there are no further events then.
    package private(set) var isTooLarge = false
    /// Whether the bytes so far end within an event, which has no blank line after it.
    package var isWithinEvent: Bool {
        data != nil || !name.isEmpty || line.first.map { $0 != UInt8(ascii: ":") } ?? false
    }
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
        (index, lineFeed) = (0, -1)
    }

    /// Returns the next event; nil if the appended bytes complete no other one, or if ``isTooLarge``.
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

    /// Reads the line that begins at ``index``, as far as the chunk has it.
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

    /// Returns the offset of the next line break, or that of the end of the chunk.
    private mutating func lineEnd(in bytes: UnsafeRawBufferPointer) -> Int {
        // A stream without line feeds is searched for them once.
        if lineFeed < index { lineFeed = Self.offset(of: UInt8(ascii: "\n"), in: bytes, index..<bytes.count) }
        return Self.offset(of: UInt8(ascii: "\r"), in: bytes, index..<lineFeed)
    }

    /// Returns the offset of a byte in a range, or the end of the range.
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
        // Bytes are compared: a string for each line takes as long as the rest of the parser.
        if let value = Self.value(of: "data", in: line) {
            takeData(value)
        } else if let value = Self.value(of: "event", in: line) {
            name = String(decoding: value, as: UTF8.self)
        } else if let value = Self.value(of: "id", in: line) {
            if !value.contains(where: Self.isControl) { id = String(decoding: value, as: UTF8.self) }
        } else if let value = Self.value(of: "retry", in: line), value.allSatisfy({ $0 &- 0x30 < 10 }) {
            // Digits that overflow are the longest time; without digits the field is ignored.
            if !value.isEmpty { retry = Int(String(decoding: value, as: UTF8.self)) ?? .max }
        }
        return nil
    }

    /// Returns the value of a field; nil if the line has another one.
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

    /// Whether a byte is a control character that no header field has: the id could not be sent back.
    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    private mutating func dispatch() -> Message? {
        lastID = id
        defer { name = "" }
        guard let data = data.take() else { return nil }
        eventCount += 1
        return Message(name: name.isEmpty ? "message" : name, data: data, id: lastID)
    }
}
