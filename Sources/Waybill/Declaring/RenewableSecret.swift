import Foundation

/// A secret that is replaced by another one when it expires, or when a server refuses it.
package protocol RenewableSecret: Sendable {
    /// What is wrong with how it is set up; nil where nothing is.
    var mistake: Mistake? { get }

    /// The secret as it is, though it may have expired; nothing is renewed for it.
    var present: IssuedSecret { get }

    /// The secret to send; one that has expired is renewed first.
    ///
    /// - Throws: what keeps it from being renewed.
    func issued(now: @escaping @Sendable () -> Date) async throws -> IssuedSecret

    /// The secret in place of one that was refused.
    ///
    /// - Throws: what keeps it from being renewed.
    func renewed(
        after refused: IssuedSecret,
        challenges: [Challenge],
        now: @escaping @Sendable () -> Date
    ) async throws -> IssuedSecret

    /// Takes note that a secret was refused, for the next call.
    func refuse(_ refused: IssuedSecret, challenges: [Challenge])
}

/// A secret at a moment.
package struct IssuedSecret: Sendable {
    /// The secret; nil where a request goes out without one, to be asked for it.
    package let text: String?

    /// Which of the secrets, one after the other, it is.
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
    /// Which of the secrets it is; never the secret.
    package var description: String { "IssuedSecret(\(number), \(Redaction.mark))" }

    package var customMirror: Mirror { Mirror(self, children: ["number": number], displayStyle: .struct) }
}
