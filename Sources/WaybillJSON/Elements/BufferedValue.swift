import WaybillSystem

/// The bytes of a value, collected from the chunks that they came in.
struct BufferedValue: Sendable {
    var data = Data()
    /// The start in the chunk of the part that is still to be collected.
    var start: Int
    /// The place of the value in the document.
    var tracker: LocationTracker
    /// The node that wants it; nil for an element.
    let node: Int?
}
