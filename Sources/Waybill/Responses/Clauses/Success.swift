/// The statuses that count as success; without it, 200...299.
///
/// ```swift
/// Success(.success, 304)          // "not modified" is no failure: for an optional value
/// ```
public struct Success: Setting {
    /// The statuses.
    public let statuses: HTTPResponse.StatusSet

    /// Declares the statuses of these sets, and no others.
    public init(_ first: HTTPResponse.StatusSet, _ others: HTTPResponse.StatusSet...) {
        statuses = others.reduce(first) { $0.union($1) }
    }

    /// The codes.
    public var summary: String { statuses.description }
}
