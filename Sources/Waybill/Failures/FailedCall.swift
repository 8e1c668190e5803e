import WaybillJSON
import WaybillSystem

extension APIError {
    /// The request of a failed call, with its failed attempt and the earlier ones.
    public struct FailedCall: Sendable, Hashable, CustomStringConvertible, PartlyShown {
        /// The request's method.
        public let method: HTTPRequest.Method

        /// The declared path with each value replaced by `{}`, or the declared ``Call/Name``.
        public let template: String

        /// The URL with secrets redacted; nil if it could not be built.
        ///
        /// URLs longer than 8,000 bytes are truncated to 2,000 characters.
        public var url: String? {
            // Redacted before truncation, because a truncated secret would not be recognized.
            guard let shown = text ?? target.map({ Redaction.url($0, secretNames: secrets?.collected ?? .usual) })
            else { return nil }
            return shown.utf8.count > 8_000 ? shown.prefix(2_000) + "…" : shown
        }

        private let text: String?

        /// The URL, converted to text only on access.
        package var target: URL?

        /// The call's secrets, which are redacted in error texts.
        package var secrets: CallSecrets?

        /// The number of the failed attempt, starting at 1.
        public var attempt: Int

        /// The errors of the earlier attempts, in order.
        public var earlierFailures: [APIError] = []

        /// The reason that the call was not retried although attempts remained; otherwise nil.
        public var retryRejection: RetryRejection?

        /// Returns the file and line of the recorded response; nil if the response was not recorded.
        package var recordingLocation: (@Sendable () -> String)?

        /// The status URL of a failed long-running operation; nil for other failures.
        package var operationURL: URL?

        /// The cursor of the requested page; nil for the first page and for calls without pagination.
        public var cursor: Cursor?

        /// Creates a failed call.
        ///
        /// - Parameters:
        ///   - method: the request's method.
        ///   - template: the declared path with each value replaced by `{}`.
        ///   - url: the URL, which is shown without redaction; nil if it could not be built.
        ///   - attempt: the number of the failed attempt, starting at 1.
        ///   - cursor: the cursor of the requested page; nil for the first page and for calls without pagination.
        public init(
            method: HTTPRequest.Method,
            template: String,
            url: String? = nil,
            attempt: Int = 1,
            cursor: Cursor? = nil
        ) {
            self.method = method
            self.template = template
            text = url
            self.attempt = attempt
            self.cursor = cursor
        }

        /// Compares the public properties.
        ///
        /// Earlier failures are compared by their descriptions.
        ///
        /// - Parameters:
        ///   - left: a failed call.
        ///   - right: another failed call.
        /// - Returns: whether the failed calls are equal.
        public static func == (left: FailedCall, right: FailedCall) -> Bool {
            left.method == right.method && left.template == right.template && left.url == right.url
                && left.attempt == right.attempt && left.retryRejection == right.retryRejection
                && left.earlierFailures.map(\.description) == right.earlierFailures.map(\.description)
                && left.cursor == right.cursor
        }

        /// Hashes a subset of the properties.
        ///
        /// - Parameter hasher: the hasher to feed the properties to.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(method)
            hasher.combine(template)
            hasher.combine(attempt)
            hasher.combine(cursor)
        }

        /// The method and the template, such as `GET products/{}`.
        public var description: String { "\(method) \(template.isEmpty ? "/" : template)" }

        /// The properties, with secrets redacted.
        package var shownParts: KeyValuePairs<String, Any> {
            [
                "method": method, "template": template, "url": url as Any, "attempt": attempt,
                "earlierFailures": earlierFailures, "retryRejection": retryRejection as Any,
                "cursor": cursor as Any,
            ]
        }

        /// Returns external text with the call's secrets redacted.
        func redacted(_ text: String, isExcerpt: Bool = false) -> String {
            secrets?.removed(from: text, isExcerpt: isExcerpt) ?? text
        }

        /// The line of an error's description with the URL, the attempts, the page and the recording, followed by a
        /// line for the retry rejection, if any.
        var detail: String {
            var parts = [url ?? "nothing was sent"]
            if let operationURL {
                let shown = Redaction.url(operationURL, secretNames: secrets?.collected ?? .usual)
                parts.append("operation at \(shown)")
            }
            if attempt > 1 { parts.append("attempt \(attempt)") }
            if let earlierText { parts.append(earlierText) }
            if let cursor { parts.append("page \(cursor.pageNumber)") }
            if let recordingLocation { parts.append("recorded in \(recordingLocation())") }
            let line = "  " + parts.joined(separator: ", ")
            return retryRejection.map { "\(line)\n  not repeated: \($0)" } ?? line
        }
    }
}

extension APIError.FailedCall {
    /// A summary of the earlier failures; nil if there were none.
    private var earlierText: String? {
        // Consecutive equal failures are listed once, with their count.
        var runs: [(text: String, count: Int)] = []
        for error in earlierFailures {
            if let last = runs.last, last.text == error.failure.brief {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((error.failure.brief, 1))
            }
        }
        guard !runs.isEmpty else { return nil }
        let shown = runs.prefix(5).map { $0.count > 1 ? "\($0.count) × \($0.text)" : $0.text }
        return "after " + (runs.count > shown.count ? shown + ["…"] : shown).joined(separator: ", ")
    }

    /// Returns a decoding error with the values of secret names redacted; returns any other error unchanged.
    ///
    /// The description of a decoding error, such as one for a token response, contains an excerpt of the document.
    ///
    /// - Parameters:
    ///   - error: the error to redact.
    ///   - names: the secret names; nil for the call's names.
    ///   - document: the decoded document, if known.
    /// - Returns: the redacted error.
    func redacted(_ error: any Error, _ names: SecretNameSet? = nil, in document: Data? = nil) -> any Error {
        guard error is DecodingError || error is WaybillJSONDecoder.Diagnosis else { return error }
        let names = names ?? secrets?.names ?? .usual
        var redaction = ErrorRedaction(ofKeys: names.names, in: document, from: secrets)
        return redaction.redacting(error)
    }
}

extension ErrorRedaction {
    /// Creates a redaction that also removes the values of a call's secrets.
    package init(ofKeys keys: [String], in document: Data?, from secrets: CallSecrets?) {
        var removal: (@Sendable (String) -> String)?
        if let secrets { removal = { secrets.removed(from: $0) } }
        self.init(ofKeys: keys, in: document, removal: removal)
    }
}

extension WaybillJSONDecoder.Diagnosis {
    /// Returns the diagnosis with a call's secrets redacted, because a server may repeat them in the document.
    func redacting(texts secrets: CallSecrets) -> WaybillJSONDecoder.Diagnosis {
        redacting(texts: { secrets.removed(from: $0, isExcerpt: true) })
    }
}

extension APIError {
    /// A reason that a retryable failure was not retried although attempts remained.
    public enum RetryRejection: Error, Sendable, Hashable {
        /// The method is not idempotent, something was sent, and the request has no idempotency key.
        case notIdempotent
        /// The body cannot be sent again.
        case bodyIsNotReplayable
        /// The retry budget shared by the client's calls is empty; see ``Retry/Budget``.
        case budgetIsEmpty
        /// The server requests a longer wait than the declaration allows.
        case waitIsTooLong(Duration, maximum: Duration)
        /// The wait would exceed the call's remaining time; see ``Timeout``.
        case waitPassesDeadline(Duration, remaining: Duration)
    }
}

extension APIError.RetryRejection: CustomStringConvertible {
    /// The reason and instructions to resolve it, on one line.
    public var description: String {
        switch self {
        case .notIdempotent:
            "it could take effect twice; declare IdempotencyKey() if the server supports keys"
        case .bodyIsNotReplayable:
            "its body cannot be sent a second time"
        case .budgetIsEmpty:
            "the retry budget is empty, because too many calls have failed"
        case .waitIsTooLong(let wait, let longest):
            "the server requested a wait of \(wait.shown), but Retry(maximumWait:) allows \(longest.shown)"
        case .waitPassesDeadline(let wait, let remaining):
            "the wait of \(wait.shown) would pass the deadline, which is \(remaining.shown) away"
        }
    }
}
