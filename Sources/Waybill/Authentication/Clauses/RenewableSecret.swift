import WaybillSystem

/// A secret that is replaced when it expires or when a server rejects it.
package protocol RenewableSecret: Sendable {
    /// The declaration error in its parameters; nil if they are valid.
    var declarationError: DeclarationError? { get }

    /// The response statuses that can mean a rejected secret.
    var rejectedStatuses: HTTPResponse.StatusSet { get }

    /// Whether a response with one of these statuses is a rejection; its body has been read.
    func isRejected(by response: HTTPResponse) -> Bool

    /// The current secret, even if it has expired.
    var present: IssuedSecret { get }

    /// Returns the secret to send, after renewing an expired one.
    ///
    /// - Throws: the error of the renewal.
    func issued(now: @escaping @Sendable () -> Date) async throws -> IssuedSecret

    /// Renews a rejected secret.
    ///
    /// - Parameters:
    ///   - rejected: the rejected secret.
    ///   - headerFields: the header fields of the response that rejected it.
    ///   - now: a function that returns the date.
    /// - Returns: the new secret.
    /// - Throws: the error of the renewal.
    func renewed(
        after rejected: IssuedSecret,
        by headerFields: HTTPFields,
        now: @escaping @Sendable () -> Date
    ) async throws -> IssuedSecret

    /// Records a rejection, for the next call to renew the secret.
    func reject(_ rejected: IssuedSecret, by headerFields: HTTPFields)
}

/// A snapshot of a renewable secret.
package struct IssuedSecret: Sendable {
    /// The secret; nil if the request is sent without one to get a challenge.
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

extension IssuedSecret: CustomStringConvertible, CustomReflectable {
    /// The number of the secret, which is redacted.
    package var description: String { "IssuedSecret(\(number), \(Redaction.mark))" }

    package var customMirror: Mirror { Mirror(self, children: ["number": number], displayStyle: .struct) }
}
