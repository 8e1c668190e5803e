#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of a document, kept for the errors in it.
struct JSONSource: Sendable {
    /// The bytes, in UTF-8.
    let data: Data
    /// The part that the bytes are; nil for the whole document.
    let part: JSONPart?
    /// The range in them of the value that the part is about.
    var range: Range<Int>

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
