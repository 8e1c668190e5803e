import WaybillSystem

/// The bytes of a document or of part of one, retained to diagnose errors.
struct JSONSource: Sendable {
    /// The bytes, in UTF-8.
    let data: Data
    /// The part of the document that the bytes represent; nil for the whole document.
    let part: JSONPart?
    /// The range of the value in the bytes, if they are only part of a document.
    var range: Range<Int>

    /// The maximum number of bytes of a value to examine for a diagnosis, unless the whole document is available.
    ///
    /// The server controls the length of a value, so the time to report an error must be bounded.
    static let readableByteCount = 1 << 20

    /// Whether only the beginning of the value is examined.
    var isTruncated: Bool { part != nil && range.count > Self.readableByteCount }

    /// The whole document, or the examined bytes of the value.
    var readable: Data {
        part == nil ? data : Data(data.dropFirst(range.lowerBound).prefix(min(range.count, Self.readableByteCount)))
    }

    /// The same source without bytes that are never examined, if it begins at the value.
    var trimmed: JSONSource {
        guard isTruncated, range.lowerBound == 0, let part else { return self }
        return JSONSource(data: Data(data.prefix(Self.readableByteCount)), range: range, of: part)
    }

    /// Creates the source for a whole document.
    init(data: Data) {
        self.data = data
        part = nil
        range = 0..<0
    }

    /// Creates the source for a value of a document, or for the location of a missing value.
    @inline(__always)
    init(data: Data, range: Range<Int>, of part: JSONPart) {
        self.data = data
        self.range = range
        self.part = part
    }
}

/// A part of a document whose remaining bytes are unavailable.
///
/// A class, so that all elements of a chunk can share one instance.
final class JSONPart: Sendable {
    /// The reason why a document cannot be read further.
    ///
    /// Offsets are relative to the first byte of the part; earlier bytes have negative offsets.
    enum Fault: Sendable {
        case syntax(JSONSyntaxError)
        case other(summary: String, place: Range<Int>)
    }

    /// The number of coding path steps to the value.
    let pathLength: Int
    /// The location of the bytes in the document.
    let tracker: LocationTracker
    /// The fault at the location of the value; nil if the value is valid JSON.
    let fault: Fault?
    /// The position in the document, if it cannot be computed from the bytes.
    let position: TextPosition?
    /// Whether the bytes are a substitute for the value rather than part of the document.
    let isStandIn: Bool
    /// Whether bytes with a fault begin at the value; if not, their keys are unknown, so they are hidden.
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
