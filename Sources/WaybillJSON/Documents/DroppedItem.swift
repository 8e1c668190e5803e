/// An element of an array that could not be decoded and was left out on request.
public struct DroppedItem: Error, Sendable, CustomStringConvertible {
    /// The element's place in the array, from 0.
    public let index: Int

    /// The error: a `DecodingError`, or that of a type that decodes itself.
    public let error: any Error

    /// Creates a dropped item, for tests.
    public init(index: Int, error: any Error) {
        self.index = index
        self.error = error
    }

    /// The diagnosis of the error in the document; nil unless the decoder has made it.
    public var diagnosis: JSONDiagnosis? { (error as? DecodingError).flatMap { JSONDiagnosis($0) } }

    /// The diagnosis, or else the error.
    public var description: String { diagnosis?.description ?? "element \(index): \(error)" }
}
