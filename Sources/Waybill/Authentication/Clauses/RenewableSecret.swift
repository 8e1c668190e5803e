import WaybillSystem

/// A secret that is replaced when it expires or when a server rejects it.
package protocol RenewableSecret: Sendable {
    /// The error in the declaration of the secret; nil if it is valid.
    var declarationError: Scope.DeclarationError? { get }

    /// The response statuses that can indicate a rejected secret.
    var rejectedStatuses: HTTPResponse.StatusSet { get }

    /// Returns whether a response with one of the `rejectedStatuses` rejects the secret.
    ///
    /// The body has been read, unless reading the body of a 401 failed.
    func isRejected(by response: HTTPResponse) -> Bool

    /// The current secret, even if it has expired.
    var present: IssuedSecret { get }

    /// Returns the secret to send, renewing it first if it has expired.
    ///
    /// - Throws: any error thrown by the renewal.
    func issued(now: @escaping @Sendable () -> Date) async throws -> IssuedSecret

    /// Returns a newer secret than a rejected one, renewing it if necessary.
    ///
    /// - Parameters:
    ///   - rejected: the rejected secret.
    ///   - headerFields: the header fields of the response that rejected it.
    ///   - now: a closure that returns the current date.
    /// - Returns: the newer secret.
    /// - Throws: any error thrown by the renewal.
    func renewed(
        after rejected: IssuedSecret,
        by headerFields: HTTPFields,
        now: @escaping @Sendable () -> Date
    ) async throws -> IssuedSecret

    /// Records a rejection; the next call renews the secret.
    func reject(_ rejected: IssuedSecret, by headerFields: HTTPFields)
}

/// A snapshot of a renewable secret.
package struct IssuedSecret: Sendable {
    /// The secret; nil to send the request without one, for example to elicit a challenge.
    package let text: String?

    /// The sequence number of the secret.
    package let number: Int

    /// Whether the call waited for a renewal.
    package let wasAwaited: Bool

    package init(text: String?, number: Int, wasAwaited: Bool) {
        self.text = text
        self.number = number
        self.wasAwaited = wasAwaited
    }
}

extension IssuedSecret: CustomStringConvertible, PartlyShown {
    /// The sequence number; the secret is redacted.
    package var description: String { "IssuedSecret(\(number), \(Redaction.mark))" }

    package var shownParts: KeyValuePairs<String, Any> { ["number": number] }
}
