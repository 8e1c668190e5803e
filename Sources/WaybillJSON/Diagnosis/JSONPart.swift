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
    /// The place of the bytes in the document.
    let tracker: LocationTracker
    /// The fault at the value's place; nil for a value that is JSON.
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
