import WaybillSystem

/// The bytes of a document, kept for the errors in it.
struct JSONSource: Sendable {
    /// The bytes, in UTF-8.
    let data: Data
    /// The part that the bytes are; nil for the whole document.
    let part: JSONPart?
    /// The range in them of the value that the part is about.
    var range: Range<Int>

    /// The most bytes of a value in a part that are read for its errors; of a longer value the beginning is read.
    ///
    /// A server decides how long a value is: an error must not take longer than the reading has.
    static let readableByteCount = 1 << 20

    /// Whether only the beginning of the value is read.
    var isTruncated: Bool { part != nil && range.count > Self.readableByteCount }

    /// The whole document, or the bytes of the value that are read.
    var readable: Data {
        part == nil ? data : Data(data.dropFirst(range.lowerBound).prefix(min(range.count, Self.readableByteCount)))
    }

    /// The same source, holding no more bytes than are read if the value is the first of them.
    var trimmed: JSONSource {
        guard isTruncated, range.lowerBound == 0, let part else { return self }
        return JSONSource(data: Data(data.prefix(Self.readableByteCount)), range: range, of: part)
    }

    /// Creates a whole document.
    init(data: Data) {
        self.data = data
        part = nil
        range = 0..<0
    }

    /// Creates a value of a document, or the place of one that is missing; only the text around it may be shown.
    @inline(__always)
    init(data: Data, range: Range<Int>, of part: JSONPart) {
        self.data = data
        self.range = range
        self.part = part
    }
}
