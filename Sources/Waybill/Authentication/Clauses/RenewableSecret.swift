import WaybillSystem

/// A secret that is replaced by another one when it expires, or when a server rejects it.
package protocol RenewableSecret: Sendable {
    /// The declaration error in its parameters; nil if they are valid.
    var declarationError: DeclarationError? { get }

    /// The statuses of responses that can mean that the secret was rejected.
    var rejectedStatuses: HTTPResponse.StatusSet { get }

    /// Whether a response with such a status means it; its body has been read.
    func isRejected(by response: HTTPResponse) -> Bool

    /// The current secret, which may have expired; it is not renewed.
    var present: IssuedSecret { get }

    /// Returns the secret to send, and renews an expired one first.
    ///
    /// - Throws: the error of the renewal.
    func issued(now: @escaping @Sendable () -> Date) async throws -> IssuedSecret

    /// Renews a secret that was rejected.
    ///
    /// - Parameters:
    ///   - rejected: the secret.
    ///   - headerFields: the header fields of the response that rejected it.
    ///   - now: a function that returns the date.
    /// - Returns: the new secret.
    /// - Throws: the error of the renewal.
    func renewed(
        after rejected: IssuedSecret,
        by headerFields: HTTPFields,
        now: @escaping @Sendable () -> Date
    ) async throws -> IssuedSecret

    /// Records that a secret was rejected, for the next call.
    func reject(_ rejected: IssuedSecret, by headerFields: HTTPFields)
}

/// A secret at a moment.
package struct IssuedSecret: Sendable {
    /// The secret; nil if a request goes out without one, to get a challenge.
    package let text: String?

    /// The number of the secret in their sequence.
    package let number: Int

    /// Whether it was waited for.
    package let wasAwaited: Bool

    package init(text: String?, number: Int, wasAwaited: Bool) {
        self.text = text
        self.number = number
        self.wasAwaited = wasAwaited
    }
}

extension IssuedSecret: CustomStringConvertible, CustomReflectable {
    /// The number of the secret; never the secret.
    package var description: String { "IssuedSecret(\(number), \(Redaction.mark))" }

    package var customMirror: Mirror { Mirror(self, children: ["number": number], displayStyle: .struct) }
}
