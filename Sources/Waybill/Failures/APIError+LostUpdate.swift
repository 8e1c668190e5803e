import WaybillSystem

extension APIError {
    /// A change that the server rejected, because the entity is not the version that was read any more (412), or
    /// because the request does not say which version it is for (428).
    ///
    /// ```swift
    /// do throws(APIError) {
    ///     try await shop.products.with { IfMatch(read) }.update(lamp)
    /// } catch {
    ///     guard let lost = error.lostUpdate else { throw error }
    ///     let theirs = lost.version(as: Product.self)
    /// }
    /// ```
    public struct LostUpdate: Sendable {
        /// Whether the server requires a condition, such as ``IfMatch``, that the request lacked: 428 (RFC 6585).
        public let isConditionMissing: Bool

        /// The tag of the server's present version, if the server states it.
        public let entityTag: EntityTag?

        /// The date of the server's present version, if the server states it.
        public let lastModified: Date?

        private let body: Data
        /// The secrets that the texts leave out, in case the server repeats one in its tag.
        private let secrets: CallSecrets?
        private let decoder: (any ResponseDecoder)?

        init?(_ failure: StatusFailure) {
            guard failure.category == .lostUpdate else { return nil }
            isConditionMissing = failure.status == 428
            entityTag = failure.headerFields.entityTag
            lastModified = failure.headerFields[.lastModified].flatMap { HTTPDate.date(from: $0) }
            body = failure.isBodyTruncated ? Data() : failure.body
            secrets = failure.call.secrets
            decoder = failure.decoder
        }

        /// Decodes the server's present version from the body; nil if the body has none of that type.
        ///
        /// ```swift
        /// lost.version(as: Article.self, at: "details", "existing")       // the shape of Kinto
        /// ```
        ///
        /// - Parameters:
        ///   - type: the type of the version, for the decoder of the call.
        ///   - path: the path of the version in the body.
        /// - Returns: the version; nil if the body has none of that type.
        public func version<Value: Decodable>(as type: Value.Type = Value.self, at path: EnvelopeKey...) -> Value? {
            guard let decoder, !body.isEmpty else { return nil }
            return try? Extraction(path: path).decode(Value.self, from: body, with: decoder).value
        }
    }
}

extension APIError.StatusFailure {
    /// The server's present version, if the call failed because it is not the caller's.
    public var lostUpdate: APIError.LostUpdate? { APIError.LostUpdate(self) }
}

extension APIError {
    /// The server's present version, if the call failed because it is not the caller's.
    public var lostUpdate: LostUpdate? {
        if case .status(let failure) = self { failure.lostUpdate } else { nil }
    }
}

extension APIError.LostUpdate: CustomStringConvertible, CustomReflectable {
    /// The tag and the date of the server's version, in one line; not the body.
    public var description: String {
        let tag = shownTag.map { "entity tag \($0)" }
        let date = lastModified.map { "last modified \($0.formatted(.iso8601))" }
        let known = [tag, date].compactMap { $0 }.joined(separator: ", ")
        return (isConditionMissing ? "the server requires a condition" : "the server has another version")
            + (known.isEmpty ? "" : ": \(known)")
    }

    private var shownTag: String? { entityTag.map { secrets?.removed(from: "\($0)") ?? "\($0)" } }

    /// The tag and the date of the server's version; not the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "isConditionMissing": isConditionMissing, "entityTag": shownTag as Any,
                "lastModified": lastModified as Any,
                "body": "\(body.count) bytes",
            ],
            displayStyle: .struct
        )
    }
}
