import Foundation

/// A circuit that lets no call through, because the calls before it have failed; see ``RefusedFailure``.
public struct OpenCircuit: Sendable {
    /// Where the calls go.
    public let origin: Origin

    /// How many calls have failed one after the other.
    public let failures: Int

    /// When the last of them did.
    public let since: Date

    /// When a call is tried again.
    public let until: Date

    /// Whether that one is on its way; how it ends decides for the others.
    public let isOnTrial: Bool

    /// Why the last call failed that was sent.
    public let cause: APIError

    /// Creates a description.
    public init(
        origin: Origin,
        failures: Int,
        since: Date,
        until: Date,
        isOnTrial: Bool = false,
        cause: APIError
    ) {
        self.origin = origin
        self.failures = failures
        self.since = since
        self.until = until
        self.isOnTrial = isOnTrial
        self.cause = cause
    }
}
