/// An element of an array that could not be decoded and was left out, because that was asked for.
public struct DroppedItem: Sendable {
    /// The element's place in the array, from 0.
    public let index: Int

    /// Why it could not be decoded: a `DecodingError` from most.
    public let error: any Error

    package init(index: Int, error: any Error) {
        self.index = index
        self.error = error
    }
}
