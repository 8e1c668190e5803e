/// The maximum number of bytes to read into memory from a response's body.
///
/// ```swift
/// BodyLimits(successBytes: 10_000_000)                         // a longer one is an error
/// BodyLimits(successBytes: 100_000, failureBytes: 16_000)      // of a failed response's, the first bytes are kept
/// BodyLimits.none                                              // a successful body of any length is read
/// ```
///
/// If the body of a successful response exceeds its limit, the call fails with a `TransportError` of kind
/// `bodyTooLarge`: immediately if the server announces the length, otherwise on reaching the limit. The rest of the
/// body is not read.
///
/// A failed response's body is truncated to its limit, and ``APIError/StatusFailure/isBodyTruncated`` is set.
///
/// The default limits are 100,000,000 bytes for successful responses and 256 KiB for failed ones. Bytes are counted
/// after decompression. A negative limit is a declaration error, and nothing is sent.
///
/// The limits do not apply to a body read in chunks by a middleware or by code that calls a transport directly. A
/// streamed list or server-sent event stream can have any length: the limit applies to each element or event, and to
/// the values kept from the document around a list.
public struct BodyLimits: Setting {
    /// The default limit for a successful response, in bytes.
    package static var defaultSuccess: Int { 100_000_000 }

    /// The default limit for a failed response, in bytes.
    package static var defaultFailure: Int { 256 * 1024 }

    /// The limit for successful responses, in bytes; nil for the outer scope's limit.
    public let successBytes: Int?

    /// The number of bytes kept from a failed response; nil for the outer scope's limit.
    public let failureBytes: Int?

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - successBytes: the limit for successful responses, in bytes; nil for the outer scope's limit.
    ///   - failureBytes: the number of bytes to keep from a failed response; nil for the outer scope's limit.
    public init(successBytes: Int? = nil, failureBytes: Int? = nil) {
        self.successBytes = successBytes
        self.failureBytes = failureBytes
    }

    /// No limit for successful responses, overriding outer scopes.
    public static let none = BodyLimits(successBytes: .max)

    /// Returns these limits, with omitted ones taken from the outer scope.
    ///
    /// - Parameter outer: the limits of the outer scope.
    /// - Returns: the combined limits.
    public func merged(over outer: BodyLimits) -> BodyLimits {
        BodyLimits(
            successBytes: successBytes ?? outer.successBytes,
            failureBytes: failureBytes ?? outer.failureBytes
        )
    }

    /// The limits in bytes.
    public var summary: String {
        let success = successBytes.map { $0 == .max ? "any number of bytes" : "\($0) bytes" }
        return [success, failureBytes.map { "\($0) bytes of a failure" }].compactMap { $0 }.joined(separator: ", ")
    }

    /// Adds the limits to a scope.
    ///
    /// A negative limit is a declaration error.
    ///
    /// - Parameter scope: the scope that declares the limits.
    public func declare(in scope: inout Scope) {
        for (label, limit) in [("successBytes", successBytes), ("failureBytes", failureBytes)] {
            guard let limit, limit < 0 else { continue }
            scope.declarationErrors.reject(
                "BodyLimits",
                "\(label): \(limit)",
                because: "a limit cannot be negative; give zero bytes or more"
            )
        }
        scope.declare(self)
    }
}

extension BodyLimits: CombinableSetting {
    package func adviceToCombine(with earlier: BodyLimits) -> String? {
        let complement =
            earlier.successBytes == nil && failureBytes == nil || earlier.failureBytes == nil && successBytes == nil
        return complement ? "write both in one: BodyLimits(successBytes: …, failureBytes: …)" : nil
    }
}

/// The statuses that count as success.
///
/// The default is 200 through 299.
///
/// ```swift
/// Success(.success, 304)          // "not modified" is no failure: for an optional value
/// ```
public struct Success: Setting {
    /// The success statuses.
    public let statuses: HTTPResponse.StatusSet

    /// Declares the statuses that count as success, replacing the default.
    ///
    /// - Parameters:
    ///   - first: a set of statuses, such as `.success` or `304`.
    ///   - others: more sets of statuses.
    public init(_ first: HTTPResponse.StatusSet, _ others: HTTPResponse.StatusSet...) {
        statuses = others.reduce(first) { $0.union($1) }
    }

    /// The status codes.
    public var summary: String { statuses.description }
}

extension Success: CombinableSetting {
    package func adviceToCombine(with earlier: Success) -> String? {
        statuses == earlier.statuses ? nil : "write all statuses in one: Success(…, …)"
    }
}
