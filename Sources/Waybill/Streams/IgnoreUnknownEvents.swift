/// Passes over server-sent events whose name is not a case of a ``NamedEvent``.
///
/// ```swift
/// endpoint {
///     GET("stock/events")
///     IgnoreUnknownEvents()
/// }
/// ```
///
/// Without it, such an event is an ``APIError/decoding(_:)``. Data that is a problem declared for the status of the
/// response is that problem, whatever the name of its event is.
public struct IgnoreUnknownEvents: Setting {
    /// Passes over such events.
    public init() {}

    /// That it holds: `yes`.
    public var summary: String { "yes" }
}
