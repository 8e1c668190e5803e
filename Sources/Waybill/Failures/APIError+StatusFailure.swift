import WaybillSystem

extension APIError {
    /// A response whose status, or an error in its body, means that the call failed.
    public struct StatusFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
        /// The meaning of a failed status for most callers.
        public enum Category: Sendable, Hashable {
            /// 404 or 410: the resource does not exist.
            case notFound
            /// 401: the user is not signed in, or not any more.
            case unauthorized
            /// 412 or 428: the entity is not the version for which the request was made; see ``APIError/LostUpdate``.
            case lostUpdate
            /// Any other 4xx: the request was at fault.
            case clientError
            /// 5xx: the server was at fault.
            case serverError
            /// Anything else: a success with an error in its body, a redirect that was not followed, no status of HTTP.
            case other
        }

        /// The call.
        public internal(set) var call: FailedCall

        /// The status.
        public let status: HTTPResponse.Status

        /// The header fields of the response.
        public let headerFields: HTTPFields

        /// The response's body, up to the limit for the bodies of failed responses.
        public let body: Data

        /// Whether the body was longer than that.
        public let isBodyTruncated: Bool

        /// The typed body, if a ``Problem`` clause applies to the response and its body is of that type.
        public let problem: (any Sendable)?

        /// The status with the meaning of the problem, as ``Problem`` declares it; nil if that is the response's own.
        public internal(set) var equivalentStatus: HTTPResponse.Status?

        /// The text of the problem, or the beginning of a textual body that no problem describes; secrets redacted.
        let excerpt: String?

        /// The decoder for the bodies of the call.
        package var decoder: (any ResponseDecoder)?

        /// Creates a failure.
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

        /// The meaning of the status for most callers, or of the status that the problem is equivalent to.
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

        /// Whether the resource does not exist: 404, 410, or a problem that is equivalent to them.
        public var isNotFound: Bool { category == .notFound }

        /// The challenges of a 401 in `WWW-Authenticate`, in their order.
        public var challenges: [Challenge] { Challenge.all(in: headerFields) }

        /// Returns the typed body, if it has that type.
        public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? { problem as? Value }

        /// The request, the response and the place of the error; secrets redacted.
        public var description: String {
            var lines = ["\(call) failed: \(call.redacted("\(status)"))", call.detail]
            if let phrase = status.unusualPhrase {
                lines.append("  the server's reason phrase: \(call.redacted(phrase))")
            }
            if let problem {
                lines.append("  problem: \(excerpt ?? call.redacted(ProblemText.text(of: problem)))")
            } else if !body.isEmpty {
                let size = "  the body has \(body.count) bytes\(isBodyTruncated ? " and more" : "")\(mediaType)"
                lines.append(excerpt == nil ? size : size + ":")
                lines += (excerpt ?? "").split(separator: "\n").map { "    \($0)" }
            }
            return lines.joined(separator: "\n")
        }

        /// The parts of the failure, secrets redacted.
        public var customMirror: Mirror {
            Mirror(
                self,
                children: [
                    "call": call, "status": status, "headerFields": headerFields, "body": "\(body.count) bytes",
                    "problem": problem.map { excerpt ?? call.redacted(ProblemText.text(of: $0)) } as Any,
                ],
                displayStyle: .struct
            )
        }

        private var mediaType: String {
            headerFields[.contentType].map { " of \(call.redacted("\(MediaType($0))"))" } ?? ""
        }
    }
}
