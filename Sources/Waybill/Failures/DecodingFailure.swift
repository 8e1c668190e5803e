import WaybillJSON
import WaybillSystem

extension APIError {
    /// A response whose body does not match the declaration.
    public struct DecodingFailure: CallFailure {
        /// The call that failed.
        public package(set) var call: FailedCall

        /// The response's status.
        public let status: HTTPResponse.Status

        /// The response's header fields.
        public let headerFields: HTTPFields

        /// The name of the declared type.
        public let typeName: String

        /// The error thrown by the decoder, usually a `DecodingError`.
        ///
        /// A `DecodingError` from `WaybillJSONDecoder` has a `WaybillJSONDecoder.Diagnosis` as its underlying error. In
        /// the descriptions of both, the values of secret names are redacted, and a reason that contains such a value
        /// is omitted. Errors of other types are not redacted.
        public let underlying: any Error

        /// The response's body.
        public let body: Data

        /// The names whose values are redacted.
        let secretNames: SecretNameSet

        /// Whether the body was decoded while being received.
        ///
        /// If so, only the error itself provides the position.
        let isStreamed: Bool

        /// The result of merging the body over the request's body, if that document was decoded; see ``WriteResult``.
        let merged: Data?

        /// Advice based on the call's declaration.
        let advice: String?

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - status: the response's status.
        ///   - headerFields: the response's header fields.
        ///   - typeName: the name of the declared type.
        ///   - underlying: the error thrown by the decoder.
        ///   - body: the response's body.
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

        /// The ``underlying`` error if it is a `DecodingError`; otherwise nil.
        public var decodingError: DecodingError? { underlying as? DecodingError }

        /// A diagnosis of the body: the line and column, an excerpt and the most similar key, with secrets redacted.
        ///
        /// It is nil if the error is not a `DecodingError`. Details are computed on first access to one of its
        /// properties. If ``WriteResult`` declares a merge, the diagnosis refers to the merged document.
        public var diagnosis: WaybillJSONDecoder.Diagnosis? {
            guard let decodingError else { return nil }
            let document = merged ?? body
            let made = isStreamed ? WaybillJSONDecoder.Diagnosis(decodingError) : nil
            let diagnosis = (made ?? WaybillJSONDecoder.Diagnosis(of: decodingError, inEncoded: document)).redacting(
                secretNames.names
            )
            return call.secrets.map { diagnosis.redacting(texts: $0) } ?? diagnosis
        }

        /// The path to the invalid value in the body, such as `data[3].price`.
        ///
        /// It is empty if the whole body is invalid or the error is not a `DecodingError`. It is computed on access.
        public var path: String { diagnosis?.path ?? "" }

        /// The one-based line and column of the error in the body; nil if unknown.
        ///
        /// They are computed on access.
        public var position: (line: Int, column: Int)? {
            guard let diagnosis, let line = diagnosis.line, let column = diagnosis.column else { return nil }
            return (line, column)
        }

        var apiError: APIError { .decoding(self) }
        var brief: String { "a body that does not decode as \(typeName)" }
        var sentence: ErrorSentence { .unreadableResponse }

        var outcome: String {
            if let error = underlying as? any UnusableResponse { return "returned \(status), and \(error.consequence)" }
            if underlying is OtherItemCount { return "returned \(status), but not an item for each one sent" }
            let decoded =
                switch merged {
                case nil: ", but its body"
                case _ where body.isEmpty: " without a body, and the sent value"
                default: ", but the sent value merged with its body"
                }
            return "returned \(status)\(decoded) does not decode as \(typeName.asWritten)"
        }

        var details: [String] {
            reasons + (call.recordingLocation == nil ? [] : ["record it again if the server now sends something else"])
        }

        var properties: [Mirror.Child] {
            [
                ("status", status), ("headerFields", headerFields), ("typeName", typeName),
                ("underlying", call.redacted("\(underlying)")), ("body", "\(body.count) bytes"),
            ]
        }

        /// A description of the request, the response and the failure, with secrets redacted.
        public var description: String { call.redacted(text, isExcerpt: true) }

        /// The first line of the description, followed by the first reason.
        var summary: String {
            let head = "\(call) \(outcome)"
            let reason = reasons.first?.prefix { !$0.isNewline } ?? ""
            let shown = reason.count > 300 ? reason.prefix(300) + "…" : reason
            return call.redacted(shown.isEmpty ? head : "\(head): \(shown)", isExcerpt: true)
        }
    }
}

extension String {
    /// Whether the text consists of several words and contains no apparent token.
    ///
    /// A successful response may contain a token.
    fileprivate var isProse: Bool {
        let words = split(whereSeparator: \.isWhitespace)
        return words.count > 1 && !words.contains { SecretNameSet.isToken($0) }
    }

    /// The type name in source syntax: `[Product]`, `Product?`.
    fileprivate var asWritten: String {
        if hasPrefix("Array<"), hasSuffix(">") { return "[\(String(dropFirst(6).dropLast()).asWritten)]" }
        if hasPrefix("Optional<"), hasSuffix(">") { return String(dropFirst(9).dropLast()).asWritten + "?" }
        return self
    }
}

extension APIError.DecodingFailure {
    /// The reasons and the advice, one per line.
    ///
    /// The body is analyzed on access.
    var reasons: [String] {
        if body.isEmpty, merged == nil, !(underlying is DecodingError), !(underlying is UnmergeableRequest) {
            return ["\(underlying)"]
        }
        if underlying is OtherItemCount { return ["\(underlying)"] }
        guard let diagnosis else { return ["\(underlying)"] + [advice].compactMap { $0 } }
        if !isStreamed, merged == nil, !JSONText.isContainer(body), let codingAdvice { return [codingAdvice] }
        let media = headerFields[.contentType].map(MediaType.init)
        // Check the bytes rather than the content type: some servers label JSON as text or HTML pages as JSON.
        guard isStreamed || merged != nil || JSONText.isContainer(body) else {
            if let media, media.isJSON, let mislabeled = mislabeled(media) { return mislabeled }
            let title = OneLineExcerpt.title(of: body, media, secretNames: secretNames).map { "  \($0)" }
            if OneLineExcerpt.isHTML(body, media) {
                let page = "the body is an HTML page and not JSON; the URL may be wrong; for the page, declare `String`"
                return [page] + [title].compactMap { $0 }
            }
            if let media, !media.isJSON {
                let other = "the body is \(media.essence) and not JSON; "
                return [other + (advice ?? "declare its decoder with Decode(with:), or `Data` for the bytes")]
            }
            return text(of: diagnosis)
        }
        return text(of: diagnosis)
    }

    /// Returns the reasons for HTML or other text labeled as JSON; nil for any other body.
    private func mislabeled(_ media: MediaType) -> [String]? {
        guard !JSONText.beginsValue(body), JSONText(body).syntaxError() != nil else { return nil }
        let isPage = OneLineExcerpt.isHTML(body, media)
        let reason =
            "the body is \(isPage ? "an HTML page" : "text") and not JSON, although it is labeled \(media.essence); "
            + (isPage ? "the URL may be wrong, or a proxy answered; " : "")
            + "for its bytes, declare `Data`"
        let line = OneLineExcerpt.text(of: body, media, secretNames: secretNames)
        return [reason] + [line.flatMap { isPage || $0.isProse ? "  \($0)" : nil }].compactMap { $0 }
    }

    /// The advice for a body with a content coding that the transport does not decode; nil for any other body.
    private var codingAdvice: String? {
        guard let coding = headerFields[.contentEncoding], coding.asciiLowercased != "identity" else { return nil }
        return "the body still has the content coding \(coding), which this transport does not decode; declare"
            + " Header(\"Accept-Encoding\", \"identity\") for a body without one, or `Data` for the coded bytes"
    }

    private func text(of diagnosis: WaybillJSONDecoder.Diagnosis) -> [String] {
        diagnosis.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            + [envelopeAdvice(diagnosis), keyAdvice(diagnosis), advice].compactMap { $0 }
    }

    /// Returns advice to declare an envelope for a list inside an object; nil for any other error.
    private func envelopeAdvice(_ diagnosis: WaybillJSONDecoder.Diagnosis) -> String? {
        guard typeName.hasPrefix("Array<") else { return nil }
        let paths = diagnosis.arrayPaths
        guard !paths.isEmpty else { return nil }
        let keys = paths.map { "\"\($0.joined(separator: "."))\"" }.joined(separator: ", ")
        let envelopes = paths.map { path in "Envelope(\(path.map { "\"\($0)\"" }.joined(separator: ", ")))" }
        return "\(keys) \(paths.count == 1 ? "holds an array" : "hold arrays"); declare "
            + envelopes.joined(separator: " or ")
    }

    /// Returns advice for a missing key that exists under another spelling or at a nested path; nil for any other
    /// error.
    private func keyAdvice(_ diagnosis: WaybillJSONDecoder.Diagnosis) -> String? {
        guard case .keyNotFound(let key, _)? = decodingError else { return nil }
        let name = key.stringValue
        let steps = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if steps.count > 1, diagnosis.hasValue(at: steps) {
            let path = steps.map { "\"\($0)\"" }.joined(separator: ", ")
            return "a dot is part of a key; pass the keys of a path separately: \(path)"
        }
        guard let nearest = diagnosis.nearestKey, nearest.contains("_") else { return nil }
        let converted = WaybillJSONDecoder.KeyDecodingStrategy.convertFromSnakeCase.converting(nearest, in: [])
        guard converted != nearest else { return nil }
        if converted == name {
            return "declare Decode(keys: .convertFromSnakeCase) for keys such as \"\(nearest)\""
        }
        guard nearest == name else { return nil }
        return "Decode(keys:) converts \"\(nearest)\" before coding keys are compared; call the coding key"
            + " \"\(converted)\""
    }
}

/// The error for merging a response over a request body that is not JSON.
package struct UnmergeableRequest: Error, CustomStringConvertible {
    package let description =
        "WriteResult(.merged) needs a request with JSON, and what was sent is not JSON; declare .reread"

    package init() {}
}

/// An error for a response with unusable header fields.
package protocol UnusableResponse: Error, CustomStringConvertible {
    /// The consequence for the call, phrased as the continuation of a sentence.
    var consequence: String { get }
}

/// The error for a batch response whose items cannot be matched, because their number differs from the number sent.
struct OtherItemCount: Error, CustomStringConvertible {
    let sent: Int
    let received: Int

    var description: String {
        "\(sent) sent, \(received) returned, so items cannot be matched to those sent; if the server does not return"
            + " each one, ignore the response: returning(Void.self)"
    }
}

/// The error for a response without the created entity's URL.
struct MissingLocation: UnusableResponse {
    let consequence = "the entity was created, but not fetched"

    /// Whether the response has a `Location` that is not a URL.
    var invalid = false

    var description: String {
        "WriteResult(.reread) fetches it from the Location of the response,"
            + " which \(invalid ? "is no URL" : "has none"); declare"
            + " WriteResult(.reread, idAt:) or WriteResult(.merged) if the response has the id"
    }
}
