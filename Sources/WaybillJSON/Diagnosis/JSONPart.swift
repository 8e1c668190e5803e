/// What some bytes of a document are, where the rest of it is not at hand.
///
/// It is an object, so that all elements of a chunk can share one.
final class JSONPart: Sendable {
    /// Why a document is not read on.
    ///
    /// Offsets are those of the bytes, and below zero before them.
    enum Fault: Sendable {
        case syntax(JSONSyntaxError)
        case other(summary: String, place: Range<Int>)
    }

    /// How many steps of a coding path lead to the value.
    let pathLength: Int
    /// Where the bytes are in the document.
    let trail: TextTrail
    /// What is wrong where the value should be; nil for a value that is JSON.
    let fault: Fault?
    /// The place in the document, where counting to it is too late.
    let position: TextPosition?
    /// Whether the bytes only stand for the value, and nobody has written them.
    let isStandIn: Bool

    init(
        pathLength: Int,
        trail: TextTrail,
        fault: Fault? = nil,
        position: TextPosition? = nil,
        isStandIn: Bool = false
    ) {
        self.pathLength = pathLength
        self.trail = trail
        self.fault = fault
        self.position = position
        self.isStandIn = isStandIn
    }
}
