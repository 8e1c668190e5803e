import Foundation

/// A change that the server refused, because the entity is not the version that was read any more (412), or because the
/// request does not say which version it is for (428).
///
/// ```swift
/// do {
///     try await shop.products.with { IfMatch(read) }.update(lamp)
/// } catch {
///     guard let lost = error.lostUpdate else { throw error }
///     let theirs = lost.version(as: Product.self)
/// }
/// ```
public struct LostUpdate: Sendable {
    /// Whether the server demands a condition, such as ``IfMatch``, and the request had none: 428 (RFC 6585).
    public let isConditionMissing: Bool

    /// The tag of the version that the server has now, where it says so.
    public let entityTag: EntityTag?

    /// When the version that the server has now was made, where it says so.
    public let lastModified: Date?

    private let body: Data
    private let decoder: (any ResponseDecoder)?

    init?(_ failure: StatusFailure) {
        guard failure.category == .lostUpdate else { return nil }
        isConditionMissing = failure.status == 428
        entityTag = failure.headerFields.entityTag
        lastModified = failure.headerFields[.lastModified].flatMap { HTTPDate.date(from: $0) }
        body = failure.isBodyTruncated ? Data() : failure.body
        decoder = failure.decoder
    }

    /// The version that the server has now, where it is in the body; nil where it is not, or is none of that type.
    ///
    /// ```swift
    /// lost.version(as: Article.self, at: "details", "existing")       // as Kinto answers
    /// ```
    ///
    /// - Parameters:
    ///   - type: what it is decoded as, with the decoder of the call.
    ///   - path: the way to it from the top of the body.
    public func version<Value: Decodable>(as type: Value.Type = Value.self, at path: EnvelopeKey...) -> Value? {
        guard let decoder, !body.isEmpty else { return nil }
        return try? Extraction(path: path).decode(Value.self, from: body, with: decoder).value
    }
}

extension StatusFailure {
    /// What is known of the server's version, where the call failed because it is another one than the caller's.
    public var lostUpdate: LostUpdate? { LostUpdate(self) }
}

extension APIError {
    /// What is known of the server's version, where the call failed because it is another one than the caller's.
    public var lostUpdate: LostUpdate? {
        if case .status(let failure) = self { failure.lostUpdate } else { nil }
    }
}

extension LostUpdate: CustomReflectable {
    /// What is known of the server's version; not the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "isConditionMissing": isConditionMissing, "lastModified": lastModified as Any,
                "body": "\(body.count) bytes",
            ],
            displayStyle: .struct
        )
    }
}
