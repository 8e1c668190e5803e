/// Why one element of an array could not be decoded.
public struct JSONElementFailure: Error, Sendable, CustomStringConvertible {
    /// The place of the element in the array, from 0.
    public let index: Int

    /// What went wrong: a `DecodingError`, or whatever the type throws that decodes itself.
    public let error: any Error

    /// What the error means in the document; nil where the decoder has not made it.
    public var diagnosis: JSONDiagnosis? { (error as? DecodingError).flatMap { JSONDiagnosis($0) } }

    /// The diagnosis, or else the error.
    public var description: String { diagnosis?.description ?? "element \(index): \(error)" }
}
