/// Leaves out the elements of a list that cannot be decoded, and reports them.
///
/// ```swift
/// let response = try await shop.products.endpoints.list().response()
/// response.droppedItems       // each with its place and its error
/// ```
///
/// A streamed response of JSON Lines, or with a JSON text sequence, goes on behind texts that are not JSON, too.
///
/// Without it, one such element is an ``APIError/DecodingFailure`` of the whole.
public struct DropInvalidItems: Setting {
    /// Leaves such elements out.
    public init() {}

    /// That it holds: `yes`.
    public var summary: String { "yes" }
}
