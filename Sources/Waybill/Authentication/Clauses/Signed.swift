/// Has each request signed that goes to the client's origin.
///
/// ```swift
/// Signed(by: HMACSigner(key: signingKey))
/// Signed.none                      // unsigned, even if an outer scope declares one
/// ```
///
/// It is the last step before the transport: it comes anew with each attempt, and with each redirect within the
/// origin. A request that a redirect or a page leads elsewhere is not signed. An error of the signer is an
/// ``APIError/AuthorizationFailure``; nothing is sent.
public struct Signed: Setting {
    package let signer: (any Signed.Signer)?

    /// Creates the clause with a signer.
    public init(by signer: some Signed.Signer) { self.signer = signer }

    private init() { signer = nil }

    /// No signature, even if an outer scope declares one.
    public static let none = Signed()

    /// The type of the signer.
    public var summary: String { signer.map { "\(type(of: $0))" } ?? "none" }
}

extension Signed: CustomStringConvertible, CustomReflectable {
    /// The type of the signer, whose key is secret.
    public var description: String { "Signed(by: \(summary))" }

    /// The type of the signer.
    public var customMirror: Mirror { Mirror(self, children: ["signer": summary], displayStyle: .struct) }
}
