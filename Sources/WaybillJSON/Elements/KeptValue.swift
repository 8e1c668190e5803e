import Foundation

/// The bytes of a value, collected from the chunks that they came in.
struct KeptValue: Sendable {
    var data = Data()
    /// Where in the chunk the part begins that is still to be collected.
    var start: Int
    /// Where the value is in the document.
    var trail: TextTrail
    /// The node that wants it; nil for an element.
    let node: Int?
}
