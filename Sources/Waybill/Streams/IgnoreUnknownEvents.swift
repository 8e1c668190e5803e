extension Events where Value == Never {
    /// Ignores events whose name is not a case of a ``NamedEvent``.
    ///
    /// ```swift
    /// endpoint {
    ///     GET("stock/events")
    ///     Events.ignoreUnknown()
    /// }
    /// ```
    ///
    /// Without it, such an event is an ``APIError/decoding(_:)``. Data that is a problem declared for the status of the
    /// response is that problem, whatever the name of its event is.
    public static func ignoreUnknown() -> IgnoredUnknown { IgnoredUnknown() }

    /// The clause that ignores events with unknown names; ``Events/ignoreUnknown()`` declares it.
    public struct IgnoredUnknown: Setting {
        /// The clause as a declaration writes it.
        public static var clauseName: String { "Events.ignoreUnknown" }

        /// The text `yes`.
        public var summary: String { "yes" }
    }
}
