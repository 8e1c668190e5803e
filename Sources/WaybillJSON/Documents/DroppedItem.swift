/// An element of an array that could not be decoded and was left out, because that was asked for.
public struct DroppedItem: Error, Sendable, CustomStringConvertible {
    /// The element's place in the array, from 0.
    public let index: Int

    /// Why it could not be decoded: a `DecodingError`, or whatever the type throws that decodes itself.
    public let error: any Error

    /// Creates what decoding might have given.
    public init(index: Int, error: any Error) {
        self.index = index
        self.error = error
    }

    /// What the error means in the document; nil where the decoder has not made it.
    public var diagnosis: JSONDiagnosis? { (error as? DecodingError).flatMap { JSONDiagnosis($0) } }

    /// The diagnosis, or else the error.
    public var description: String { diagnosis?.description ?? "element \(index): \(error)" }
}
