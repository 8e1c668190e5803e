/// An element of a list that could not be decoded and was left out, because the declaration asks for that.
///
/// See ``DropInvalidItems``.
public struct DroppedItem: Sendable {
    /// The element's place in the list, from 0.
    public let index: Int

    /// Why it could not be decoded.
    public let error: any Error

    package init(index: Int, error: any Error) {
        self.index = index
        self.error = error
    }
}
