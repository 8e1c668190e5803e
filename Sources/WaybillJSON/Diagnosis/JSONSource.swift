import Foundation

/// The bytes of a document, kept for the errors in it.
struct JSONSource: Sendable {
    /// The bytes, in UTF-8.
    let data: Data
    /// What the bytes are, where they are not the whole document.
    let part: JSONPart?
    /// Where in them the value is that the part is about.
    let range: Range<Int>

    /// A whole document.
    init(data: Data) {
        self.data = data
        part = nil
        range = 0..<0
    }

    /// A value of a document, or a place where a value should be; only the text around it may be shown.
    @inline(__always)
    init(data: Data, range: Range<Int>, of part: JSONPart) {
        self.data = data
        self.range = range
        self.part = part
    }
}
