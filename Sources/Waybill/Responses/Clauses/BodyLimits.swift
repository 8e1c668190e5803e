/// The limits on the number of bytes of a response's body that are read into memory.
///
/// ```swift
/// BodyLimits(success: 10_000_000)                    // a longer one is an error
/// BodyLimits(success: 100_000, failure: 16_000)      // of a failed response's, the first bytes are kept
/// BodyLimits.none                                    // a successful body of any length is read
/// ```
///
/// A successful response with a longer body is a `TransportError` of kind `bodyTooLarge`: at once if the server says
/// how long it is, else when there are more bytes than that; the rest is not read. Of a failed response's body the
/// first bytes are kept, and ``APIError/StatusFailure/isBodyTruncated`` says that there were more. Bytes are counted
/// after decompression. Without the clause a successful body has at most 100,000,000 bytes on any transport, and of a
/// failed one 256 KiB are kept. A body that a middleware or a caller of a transport reads chunk by chunk is not
/// limited. A negative number is a declaration error: nothing is sent.
///
/// The body of a streamed list or of server-sent events may have any length. The limit holds for each element, for what
/// is kept beside the list, and for each event, with its name, the last id and the present line.
public struct BodyLimits: Setting {
    /// The most bytes of a successful response's body, unless a scope declares another limit.
    package static var defaultSuccess: Int { 100_000_000 }

    /// The number of bytes of a failed response's body that are kept, unless a scope declares another.
    package static var defaultFailure: Int { 256 * 1024 }

    /// The most bytes of a successful response's body; nil for the outer scope's limit.
    public let success: Int?

    /// The number of bytes of a failed response's body that are kept; nil for the outer scope's limit.
    public let failure: Int?

    /// Creates limits; one that is left out is the outer scope's.
    ///
    /// - Parameters:
    ///   - success: the most bytes of a successful response's body.
    ///   - failure: the number of bytes of a failed response's body that are kept.
    public init(success: Int? = nil, failure: Int? = nil) {
        self.success = success
        self.failure = failure
    }

    /// Any number of bytes of a successful response's body, even if an outer scope declares a limit.
    public static let none = BodyLimits(success: .max)

    /// Returns these limits merged over those of an outer scope.
    ///
    /// - Parameter outer: the limits of the outer scope, which hold where this clause gives none.
    /// - Returns: the limits.
    public func merged(over outer: BodyLimits) -> BodyLimits {
        BodyLimits(success: success ?? outer.success, failure: failure ?? outer.failure)
    }

    /// The numbers of bytes.
    public var summary: String {
        let success = success.map { $0 == .max ? "any number of bytes" : "\($0) bytes" }
        return [success, failure.map { "\($0) bytes of a failure" }].compactMap { $0 }.joined(separator: ", ")
    }

    /// Declares the limits.
    public func declare(in scope: inout Scope) {
        for (label, limit) in [("success", success), ("failure", failure)] {
            guard let limit, limit < 0 else { continue }
            scope.declarationErrors.reject(
                "BodyLimits",
                "\(label): \(limit)",
                because: "a limit cannot be negative; give the number of bytes, zero or more"
            )
        }
        scope.declare(self)
    }
}

extension BodyLimits: CombinableSetting {
    package func adviceToCombine(with earlier: BodyLimits) -> String? {
        let complement = earlier.success == nil && failure == nil || earlier.failure == nil && success == nil
        return complement ? "write both in one: BodyLimits(success: …, failure: …)" : nil
    }
}

/// The statuses that count as success; without it, 200...299.
///
/// ```swift
/// Success(.success, 304)          // "not modified" is no failure: for an optional value
/// ```
public struct Success: Setting {
    /// The statuses.
    public let statuses: HTTPResponse.StatusSet

    /// Declares the statuses of one or more sets, and no others.
    ///
    /// - Parameters:
    ///   - first: a set of statuses, such as `.success` or `304`.
    ///   - others: further sets.
    public init(_ first: HTTPResponse.StatusSet, _ others: HTTPResponse.StatusSet...) {
        statuses = others.reduce(first) { $0.union($1) }
    }

    /// The codes.
    public var summary: String { statuses.description }
}

extension Success: CombinableSetting {
    package func adviceToCombine(with earlier: Success) -> String? {
        statuses == earlier.statuses ? nil : "write all statuses in one: Success(…, …)"
    }
}
