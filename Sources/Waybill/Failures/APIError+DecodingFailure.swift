import WaybillJSON
import WaybillSystem

extension APIError {
    /// A response whose body does not match the declaration.
    public struct DecodingFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
        /// The call.
        public internal(set) var call: FailedCall

        /// The status.
        public let status: HTTPResponse.Status

        /// The header fields of the response.
        public let headerFields: HTTPFields

        /// The type that was declared.
        public let typeName: String

        /// The decoder's error: a `DecodingError` from most.
        ///
        /// One of `WaybillJSONDecoder` has a `JSONDiagnosis` as its own underlying error. Printed, neither shows the
        /// value of a secret name: the diagnosis redacts them, and a reason that repeats one is left out. An error of
        /// another type than these two is kept, and printed, as it was thrown.
        public let underlying: any Error

        /// The response's body.
        public let body: Data

        /// Names whose values must not appear in a text.
        let secretNames: SecretNameSet

        /// Whether the body was read while it arrived, so that only the error itself knows its place.
        let isStreamed: Bool

        /// The body merged over what was sent, if that was decoded; see ``WriteResult``.
        let merged: Data?

        /// The way out that the declaration of the call shows.
        let advice: String?

        /// Creates a failure.
        public init(
            call: FailedCall,
            status: HTTPResponse.Status,
            headerFields: HTTPFields = [],
            typeName: String,
            underlying: any Error,
            body: Data
        ) {
            self.init(
                call: call,
                status: status,
                headerFields: headerFields,
                typeName: typeName,
                underlying: underlying,
                body: body,
                secretNames: call.secrets?.names ?? .usual
            )
        }

        package init(
            call: FailedCall,
            status: HTTPResponse.Status,
            headerFields: HTTPFields,
            typeName: String,
            underlying: any Error,
            body: Data,
            secretNames: SecretNameSet,
            merged: Data? = nil,
            isStreamed: Bool = false,
            advice: String? = nil
        ) {
            self.call = call
            self.status = status
            self.headerFields = call.secrets?.marking(headerFields) ?? headerFields
            self.typeName = typeName
            self.underlying = call.redacted(underlying, secretNames, in: isStreamed ? nil : merged ?? body)
            self.isStreamed = isStreamed
            self.body = body
            self.secretNames = secretNames
            self.merged = merged
            self.advice = advice
        }

        /// The error of the decoder, if it is of Foundation's type.
        public var decodingError: DecodingError? { underlying as? DecodingError }

        /// The diagnosis of the body: line and column, an excerpt, the most similar key; secrets redacted.
        ///
        /// Nil for an error that is not of the decoder. It is computed on first access to one of its properties. If
        /// ``WriteResult`` declares a merge, it is about the body merged over what was sent.
        public var diagnosis: JSONDiagnosis? {
            guard let decodingError else { return nil }
            let document = merged ?? body
            let made = isStreamed ? JSONDiagnosis(decodingError) : nil
            let diagnosis = (made ?? JSONDiagnosis(of: decodingError, inEncoded: document)).redacting(secretNames.names)
            return call.secrets.map { diagnosis.redacting(texts: $0) } ?? diagnosis
        }

        /// The way from the top of the body to what is wrong, such as `data[3].price`; empty for the whole body, and
        /// for an error that is not of the decoder.
        ///
        /// Computed on access.
        public var path: String { diagnosis?.path ?? "" }

        /// The line and the column of the error in the body, both from 1; nil if the body does not show it.
        ///
        /// Computed on access.
        public var position: (line: Int, column: Int)? {
            guard let diagnosis, let line = diagnosis.line, let column = diagnosis.column else { return nil }
            return (line, column)
        }

        /// The request, the response and the place of the error; secrets redacted.
        public var description: String {
            var lines = [head, call.detail]
            lines += reasons.map { $0.isEmpty ? "" : "  \($0)" }
            if call.recordingPlace != nil { lines.append("  record it again if the server sends something else now") }
            return call.redacted(lines.joined(separator: "\n"), isExcerpt: true)
        }

        /// The first line of the description, with the place of the error and its first reason.
        var summary: String {
            let reason = reasons.first?.prefix { !$0.isNewline } ?? ""
            let shown = reason.count > Self.longestReason ? reason.prefix(Self.longestReason) + "…" : reason
            return call.redacted(shown.isEmpty ? head : "\(head): \(shown)", isExcerpt: true)
        }

        private static let longestReason = 300

        private var head: String {
            if underlying is MissingLocation { return "\(call) returned \(status), and the entity was not fetched" }
            let decoded =
                switch merged {
                case nil: ", but its body"
                case _ where body.isEmpty: " without a body, and what was sent"
                default: ", but its body merged over what was sent"
                }
            return "\(call) returned \(status)\(decoded) does not decode as \(typeName.asWritten)"
        }

        /// The parts of the failure, secrets redacted.
        public var customMirror: Mirror {
            Mirror(
                self,
                children: [
                    "call": call, "status": status, "headerFields": headerFields, "typeName": typeName,
                    "underlying": call.redacted("\(underlying)"), "body": "\(body.count) bytes",
                ],
                displayStyle: .struct
            )
        }
    }
}

extension String {
    /// The name of a type as a declaration writes it: `[Product]`, `Product?`.
    fileprivate var asWritten: String {
        if hasPrefix("Array<"), hasSuffix(">") { return "[\(String(dropFirst(6).dropLast()).asWritten)]" }
        if hasPrefix("Optional<"), hasSuffix(">") { return String(dropFirst(9).dropLast()).asWritten + "?" }
        return self
    }
}
