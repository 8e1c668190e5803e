import Foundation

/// The bytes of a document, kept for the errors in it.
struct JSONSource: Sendable {
    /// The bytes, in UTF-8.
    let data: Data
}
