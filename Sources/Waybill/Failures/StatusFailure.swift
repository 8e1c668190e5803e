import WaybillJSON
import WaybillSystem

extension APIError {
    /// A failure indicated by a response's status or by an error in its body.
    public struct StatusFailure: CallFailure {
        /// A category of failure statuses.
        public enum Category: Sendable, Hashable {
            /// 404 or 410: the resource does not exist.
            case notFound
            /// 401: the user is not signed in, or no longer signed in.
            case unauthorized
            /// 412 or 428: the request was not based on the entity's current version; see ``APIError/LostUpdate``.
            case lostUpdate
            /// Any other 4xx: a client error.
            case clientError
            /// 5xx: a server error.
            case serverError
            /// Any other status: a success with an error in its body, a redirect that was not followed, or an invalid
            /// status.
            case other
        }

        /// The call that failed.
        public package(set) var call: FailedCall

        /// The response's status.
        public let status: HTTPResponse.Status

        /// The response's header fields.
        public let headerFields: HTTPFields

        /// The response's body, up to the limit for failed responses.
        public let body: Data

        /// Whether the body exceeded the limit and was truncated.
        public let isBodyTruncated: Bool

        /// The typed body, if a ``Problem`` clause applies to the response and its type matches the body.
        public let problem: (any Sendable)?

        /// The equivalent status that ``Problem`` declares for the problem or the status; nil if none is declared.
        public package(set) var equivalentStatus: HTTPResponse.Status?

        /// The problem's text or, without a problem, the beginning of a text body, with secrets redacted.
        let excerpt: String?

        /// The decoder for the call's response bodies.
        package var decoder: (any ResponseDecoder)?

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - status: the response's status.
        ///   - headerFields: the response's header fields.
        ///   - body: the response's body.
        ///   - isBodyTruncated: whether the body exceeded the limit.
        ///   - problem: the typed body.
        public init(
            call: FailedCall,
            status: HTTPResponse.Status,
            headerFields: HTTPFields = [],
            body: Data = Data(),
            isBodyTruncated: Bool = false,
            problem: (any Sendable)? = nil
        ) {
            self.init(
                call: call,
                status: status,
                headerFields: headerFields,
                body: body,
                isBodyTruncated: isBodyTruncated,
                problem: problem,
                excerpt: nil
            )
        }

        package init(
            call: FailedCall,
            status: HTTPResponse.Status,
            headerFields: HTTPFields,
            body: Data,
            isBodyTruncated: Bool,
            problem: (any Sendable)?,
            excerpt: String?
        ) {
            self.call = call
            self.status = status
            self.headerFields = call.secrets?.marking(headerFields) ?? headerFields
            self.body = body
            self.isBodyTruncated = isBodyTruncated
            self.problem = problem
            self.excerpt = excerpt
        }

        /// The category of the equivalent status, if there is one; otherwise, of the response's status.
        public var category: Category {
            switch (equivalentStatus ?? status).code {
            case 404, 410: .notFound
            case 401: .unauthorized
            case 412, 428: .lostUpdate
            case 400..<500: .clientError
            case 500..<600: .serverError
            default: .other
            }
        }

        /// Whether the resource does not exist: 404, 410 or an equivalent problem.
        public var isNotFound: Bool { category == .notFound }

        /// The challenges in `WWW-Authenticate`, in order.
        public var challenges: [HTTPField.Challenge] { HTTPField.Challenge.all(in: headerFields) }

        /// Returns the typed body.
        ///
        /// - Parameter type: the type of the problem.
        /// - Returns: the problem; nil if the body has a different type.
        public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? { problem as? Value }

        var apiError: APIError { .status(self) }
        var outcome: String { "failed: \(call.redacted("\(status)"))" }
        var brief: String { "\(status)" }

        var details: [String] {
            var lines: [String] = []
            if let phrase = status.unusualPhrase {
                lines.append("the server's reason phrase: \(call.redacted(phrase))")
            }
            if let problemText {
                lines.append("problem: \(problemText)")
            } else if !body.isEmpty {
                let size =
                    "the body has \(body.count) bytes\(isBodyTruncated ? " and more" : "")\(mediaType)"
                    + (isMislabeled ? ", but is not JSON" : "")
                lines.append(excerpt == nil ? size : size + ":")
                lines += (excerpt ?? "").split(separator: "\n").map { "  \($0)" }
            }
            return lines
        }

        var properties: [Mirror.Child] {
            [
                ("status", status), ("headerFields", headerFields), ("body", "\(body.count) bytes"),
                ("problem", problemText as Any),
            ]
        }

        var sentence: ErrorSentence {
            switch (equivalentStatus ?? status).code {
            case 401: .notSignedIn
            case 403: .notAllowed
            case 404, 410: .notFound
            case 408, 504: .tooSlow
            case 409: .conflict
            case 412, 428: .changedMeanwhile
            case 413: .tooLargeRequest
            case 429: .tooManyRequests
            case 400..<500: .rejected
            case 503: .unavailableServer
            case 500..<600: .serverFault
            case 200..<300: .reportedError
            default: .unreadableResponse
            }
        }

        var ownSentence: String? { problem.flatMap(ProblemText.sentence) }

        private var problemText: String? {
            problem.flatMap {
                ProblemText.isEmpty($0) ? nil : excerpt ?? call.redacted(ProblemText.text(of: $0))
            }
        }

        /// Whether the body is labeled as JSON but is not, as with a proxy's error page.
        private var isMislabeled: Bool {
            guard headerFields[.contentType].map({ MediaType($0).isJSON }) ?? false else { return false }
            if isBodyTruncated, JSONText.beginsValue(body) { return false }
            return JSONText(body).syntaxError() != nil
        }

        private var mediaType: String {
            headerFields[.contentType].map { " of \(call.redacted("\(MediaType($0))"))" } ?? ""
        }
    }

    /// The details of a rejected change, which was not based on the entity's current version (412) or specified no
    /// version (428).
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

        /// The entity tag of the server's current version, if the response contains one.
        public let entityTag: HTTPField.EntityTag?

        /// The modification date of the server's current version, if the response contains one.
        public let lastModified: Date?

        private let body: Data
        /// The secrets to redact, because a server may repeat one in the tag.
        private let secrets: CallSecrets?
        private let decoder: (any ResponseDecoder)?

        init?(_ failure: StatusFailure) {
            guard failure.category == .lostUpdate else { return nil }
            isConditionMissing = (failure.equivalentStatus ?? failure.status) == 428
            entityTag = failure.headerFields.entityTag
            lastModified = failure.headerFields[.lastModified].flatMap { HTTPDate.date(from: $0) }
            body = failure.isBodyTruncated ? Data() : failure.body
            secrets = failure.call.secrets
            decoder = failure.decoder
        }

        /// Decodes the server's current version from the body.
        ///
        /// ```swift
        /// lost.version(as: Article.self, at: "details", "existing")       // the shape of Kinto
        /// ```
        ///
        /// - Parameters:
        ///   - type: the type of the version. It is decoded with the call's decoder.
        ///   - path: the path to the version in the body; empty for the whole body.
        /// - Returns: the version; nil if the body is truncated or contains no version of that type.
        public func version<Value: Decodable>(as type: Value.Type = Value.self, at path: EnvelopeKey...) -> Value? {
            guard let decoder, !body.isEmpty else { return nil }
            return try? Extraction(path: path).decode(Value.self, from: body, with: decoder).value
        }
    }
}

extension APIError.StatusFailure {
    /// The details of a change rejected because of the entity's version (412 or 428); nil for any other failure.
    public var lostUpdate: APIError.LostUpdate? { APIError.LostUpdate(self) }
}

extension APIError {
    /// The details of a change rejected because of the entity's version (412 or 428); nil for any other error.
    public var lostUpdate: LostUpdate? {
        if case .status(let failure) = self { failure.lostUpdate } else { nil }
    }
}

extension APIError.LostUpdate: CustomStringConvertible, PartlyShown {
    /// The tag and the date of the server's current version on one line, without the body.
    public var description: String {
        let tag = shownTag.map { "entity tag \($0)" }
        let date = lastModified.map { "last modified \($0.formatted(.iso8601))" }
        let known = [tag, date].compactMap { $0 }.joined(separator: ", ")
        return (isConditionMissing ? "the server requires a condition" : "the server has another version")
            + (known.isEmpty ? "" : ": \(known)")
    }

    private var shownTag: String? { entityTag.map { secrets?.removed(from: "\($0)") ?? "\($0)" } }

    /// The tag and the date of the server's current version, without the body.
    package var shownParts: KeyValuePairs<String, Any> {
        [
            "isConditionMissing": isConditionMissing, "entityTag": shownTag as Any,
            "lastModified": lastModified as Any,
            "body": "\(body.count) bytes",
        ]
    }
}
