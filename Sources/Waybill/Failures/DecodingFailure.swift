import WaybillJSON
import WaybillSystem

extension APIError {
    /// A response whose body does not match the declaration.
    public struct DecodingFailure: CallFailure {
        /// The call that failed.
        public internal(set) var call: FailedCall

        /// The status of the response.
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

        /// The advice that follows from the declaration of the call.
        let advice: String?

        /// Creates a failure, for tests of what handles it.
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

        /// The path of the wrong value in the body, such as `data[3].price`; empty for the whole body, and for an error
        /// that is not of the decoder.
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

        var apiError: APIError { .decoding(self) }
        var brief: String { "a body that does not decode as \(typeName)" }
        var sentence: ErrorSentence { .unreadableResponse }

        var outcome: String {
            if underlying is UnusableOperation { return "returned \(status), and its operation cannot be followed" }
            if underlying is MissingLocation { return "returned \(status), and the entity was not fetched" }
            if underlying is OtherItemCount { return "returned \(status), but not an item for each one sent" }
            let decoded =
                switch merged {
                case nil: ", but its body"
                case _ where body.isEmpty: " without a body, and what was sent"
                default: ", but its body merged over what was sent"
                }
            return "returned \(status)\(decoded) does not decode as \(typeName.asWritten)"
        }

        var details: [String] {
            reasons + (call.recordingPlace == nil ? [] : ["record it again if the server sends something else now"])
        }

        var properties: [Mirror.Child] {
            [
                ("status", status), ("headerFields", headerFields), ("typeName", typeName),
                ("underlying", call.redacted("\(underlying)")), ("body", "\(body.count) bytes"),
            ]
        }

        /// The request, the response and the place of the error; secrets redacted.
        public var description: String { call.redacted(text, isExcerpt: true) }

        /// The first line of the description, with the place of the error and its first reason.
        var summary: String {
            let head = "\(call) \(outcome)"
            let reason = reasons.first?.prefix { !$0.isNewline } ?? ""
            let shown = reason.count > 300 ? reason.prefix(300) + "…" : reason
            return call.redacted(shown.isEmpty ? head : "\(head): \(shown)", isExcerpt: true)
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

extension APIError.DecodingFailure {
    /// The reasons and the advice, line by line; the body is searched only when the text is read.
    var reasons: [String] {
        if body.isEmpty, merged == nil, !(underlying is DecodingError), !(underlying is UnmergeableRequest) {
            return ["\(underlying)"]
        }
        if underlying is OtherItemCount { return ["\(underlying)"] }
        guard let diagnosis else { return ["\(underlying)"] + [advice].compactMap { $0 } }
        if !isStreamed, merged == nil, !JSONText.isContainer(body), let codingAdvice { return [codingAdvice] }
        let media = headerFields[.contentType].map(MediaType.init)
        // The bytes decide: some servers call JSON text, and some send a page as JSON.
        guard isStreamed || merged != nil || JSONText.isContainer(body) else {
            let title = FirstLine.title(of: body, media, secretNames: secretNames).map { "  \($0)" }
            if FirstLine.isHTML(body, media) {
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

    /// The text for a body whose content coding the transport has not undone; nil for a body without one.
    private var codingAdvice: String? {
        guard let coding = headerFields[.contentEncoding], coding.asciiLowercased != "identity" else { return nil }
        return "the body still has the content coding \(coding), which this transport does not undo; declare"
            + " Header(\"Accept-Encoding\", \"identity\") for a body without one, or `Data` for the coded bytes"
    }

    private func text(of diagnosis: JSONDiagnosis) -> [String] {
        diagnosis.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            + [envelopeAdvice(diagnosis), keyAdvice(diagnosis), advice].compactMap { $0 }
    }

    /// Returns the envelope to declare for a list within an object; nil if the error is another one.
    private func envelopeAdvice(_ diagnosis: JSONDiagnosis) -> String? {
        guard typeName.hasPrefix("Array<") else { return nil }
        let paths = diagnosis.arrayPaths
        guard !paths.isEmpty else { return nil }
        let keys = paths.map { "\"\($0.joined(separator: "."))\"" }.joined(separator: ", ")
        let envelopes = paths.map { path in "Envelope(\(path.map { "\"\($0)\"" }.joined(separator: ", ")))" }
        return "\(keys) \(paths.count == 1 ? "holds an array" : "hold arrays"); declare "
            + envelopes.joined(separator: " or ")
    }

    /// Returns the advice for a missing key that is there in another form; nil if the error is another one.
    private func keyAdvice(_ diagnosis: JSONDiagnosis) -> String? {
        guard case .keyNotFound(let key, _)? = decodingError else { return nil }
        let name = key.stringValue
        let steps = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if steps.count > 1, diagnosis.hasValue(at: steps) {
            let path = steps.map { "\"\($0)\"" }.joined(separator: ", ")
            return "a dot is part of a key; write the keys of a path one by one: \(path)"
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

/// A request whose body is not JSON, so that no response can be merged over it.
package struct UnmergeableRequest: Error, CustomStringConvertible {
    package let description =
        "WriteResult(.merged) needs a request with JSON, and what was sent is not JSON; declare .reread"

    package init() {}
}

/// A response whose header fields do not name the status or the result of a ``LongRunning`` operation.
struct UnusableOperation: Error, CustomStringConvertible {
    let description: String
}

/// A response to a batch with more or fewer items than were sent, so that none can be matched.
struct OtherItemCount: Error, CustomStringConvertible {
    let sent: Int
    let received: Int

    var description: String {
        "\(sent) sent, \(received) came back, so no item can be matched to its own; if the server does not return each"
            + " one, ignore the response: returning(Void.self)"
    }
}

/// A response without the URL at which a created entity is fetched.
struct MissingLocation: Error, CustomStringConvertible {
    /// Whether there is a `Location` that is no URL.
    var invalid = false

    var description: String {
        "WriteResult(.reread) fetches it from the Location of the response,"
            + " which \(invalid ? "is no URL" : "has none"); declare WriteResult(.merged) if the response has the id"
    }
}
