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

/// A part of a document whose other bytes are not available.
///
/// It is an object, so that all elements of a chunk can share one.
final class JSONPart: Sendable {
    /// The reason for which a document is not read on.
    ///
    /// Offsets are those of the bytes, and below zero before them.
    enum Fault: Sendable {
        case syntax(JSONSyntaxError)
        case other(summary: String, place: Range<Int>)
    }

    /// The number of a coding path's steps to the value.
    let pathLength: Int
    /// The location of the bytes in the document.
    let tracker: LocationTracker
    /// The fault at the location of the value; nil for a value that is JSON.
    let fault: Fault?
    /// The position in the document, if it is too late to count to it.
    let position: TextPosition?
    /// Whether the bytes only stand for the value, and are not those of the document.
    let isStandIn: Bool
    /// Whether the bytes with the fault begin where the value begins, so that they show which of them are secret.
    let beginsAtValue: Bool

    init(
        pathLength: Int,
        tracker: LocationTracker,
        fault: Fault? = nil,
        position: TextPosition? = nil,
        isStandIn: Bool = false,
        beginsAtValue: Bool = false
    ) {
        self.pathLength = pathLength
        self.tracker = tracker
        self.fault = fault
        self.position = position
        self.isStandIn = isStandIn
        self.beginsAtValue = beginsAtValue
    }
}
