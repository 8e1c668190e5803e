/// Leaves out the elements of a list that cannot be decoded, and reports them.
///
/// ```swift
/// let response = try await shop.products.endpoints.list().response()
/// response.droppedItems       // each with its place and its error
/// ```
///
/// Without it, one such element is a ``DecodingFailure`` of the whole.
public struct DropInvalidItems: Setting {
    /// Leaves such elements out.
    public init() {}

    /// That it holds: `yes`.
    public var summary: String { "yes" }
}
