import WaybillJSON
import WaybillSystem

extension APIError {
    /// The call that an error is about.
    public struct FailedCall: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The method of its requests.
        public let method: HTTPRequest.Method

        /// The path as it was declared, each value replaced by `{}`.
        public let template: String

        /// The URL with secrets redacted; nil if none could be built.
        ///
        /// One of more than 8,000 bytes is cut after 2,000 characters.
        public var url: String? {
            // Redacted before it is cut: a part of a secret would not be found.
            guard let shown = text ?? target.map({ Redaction.url($0, secretNames: secrets?.collected ?? .usual) })
            else { return nil }
            return shown.utf8.count > 8_000 ? shown.prefix(2_000) + "…" : shown
        }

        private let text: String?

        /// The URL, whose text is made only on access.
        package var target: URL?

        /// The secrets of the call, which texts of the error leave out.
        package var secrets: CallSecrets?

        /// The attempt that failed, counted from 1.
        public var attempt: Int

        /// The errors of the attempts before this one, the first one first.
        public var earlierFailures: [APIError] = []

        /// The reason for which it was not retried, though attempts were left; nil if that does not apply.
        public var retryRejection: RetryRejection?

        /// Returns the file and the line of the response; nil if it was not recorded.
        package var recordingPlace: (@Sendable () -> String)?

        /// The status URL of a failed long-running operation; nil for any other failure.
        package var operationURL: URL?

        /// The cursor of the requested page; nil for a call without pages, and for the first page.
        public var cursor: Cursor?

        /// Creates the description of a call.
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

        /// Compares the texts of the URL and of earlier failures, and everything else as it is.
        public static func == (left: FailedCall, right: FailedCall) -> Bool {
            left.method == right.method && left.template == right.template && left.url == right.url
                && left.attempt == right.attempt && left.retryRejection == right.retryRejection
                && left.earlierFailures.map(\.description) == right.earlierFailures.map(\.description)
                && left.cursor == right.cursor
        }

        /// Hashes a part of what is compared.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(method)
            hasher.combine(template)
            hasher.combine(attempt)
            hasher.combine(cursor)
        }

        /// Method and template: `GET products/{}`.
        public var description: String { "\(method) \(template.isEmpty ? "/" : template)" }

        /// The parts of the description, secrets redacted.
        public var customMirror: Mirror {
            Mirror(
                self,
                children: [
                    "method": method, "template": template, "url": url as Any, "attempt": attempt,
                    "earlierFailures": earlierFailures, "retryRejection": retryRejection as Any,
                    "cursor": cursor as Any,
                ],
                displayStyle: .struct
            )
        }

        /// Returns a text from outside of this package without the call's secrets.
        func redacted(_ text: String, isExcerpt: Bool = false) -> String {
            secrets?.removed(from: text, isExcerpt: isExcerpt) ?? text
        }

        /// The second line of an error's text: the URL, the attempt and the page.
        var detail: String {
            var parts = [url ?? "nothing was sent"]
            if let operationURL {
                let shown = Redaction.url(operationURL, secretNames: secrets?.collected ?? .usual)
                parts.append("operation at \(shown)")
            }
            if attempt > 1 { parts.append("attempt \(attempt)") }
            if let earlierText { parts.append(earlierText) }
            if let cursor { parts.append("page \(cursor.pageNumber)") }
            if let recordingPlace { parts.append("recorded in \(recordingPlace())") }
            let line = "  " + parts.joined(separator: ", ")
            return retryRejection.map { "\(line)\n  not repeated: \($0)" } ?? line
        }
    }
}

extension APIError.FailedCall {
    /// The text about the earlier attempts; nil if this is the first one.
    private var earlierText: String? {
        // Equal failures in a row are listed once.
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

    /// Returns an error without the values of secret names, if it is one of decoding; others stay as they are.
    ///
    /// The text of another decoding, of a token perhaps, shows an excerpt of it.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - names: the names; nil for those of the call.
    ///   - document: the document of the error, if it is known.
    /// - Returns: the error without these values.
    func redacted(_ error: any Error, _ names: SecretNameSet? = nil, in document: Data? = nil) -> any Error {
        guard error is DecodingError || error is JSONDiagnosis else { return error }
        let names = names ?? secrets?.names ?? .usual
        var redaction = ErrorRedaction(ofKeys: names.names, in: document, from: secrets)
        return redaction.redacting(error)
    }
}

extension ErrorRedaction {
    /// Creates a redaction that also removes the secrets of a call by their values.
    init(ofKeys keys: [String], in document: Data?, from secrets: CallSecrets?) {
        var removal: (@Sendable (String) -> String)?
        if let secrets { removal = { secrets.removed(from: $0) } }
        self.init(ofKeys: keys, in: document, removal: removal)
    }
}

extension JSONDiagnosis {
    /// Returns the diagnosis without the secrets of a call, which a server may have repeated in the document.
    func redacting(texts secrets: CallSecrets) -> JSONDiagnosis {
        redacting(texts: { secrets.removed(from: $0, isExcerpt: true) })
    }
}

extension APIError {
    /// The reason for which a failure that is worth a retry was not retried, though attempts were left.
    public enum RetryRejection: Error, Sendable, Hashable {
        /// The method is not idempotent, something was sent, and the request has no idempotency key.
        case notIdempotent
        /// The body cannot be sent a second time.
        case bodyIsNotReplayable
        /// The budget that the calls of the client share is empty; see ``Retry/Budget``.
        case budgetIsEmpty
        /// The server asks to wait longer than the declaration allows.
        case waitIsTooLong(Duration, longest: Duration)
        /// The wait would have lasted longer than the call may; see ``Timeout``.
        case waitPassesDeadline(Duration, remaining: Duration)
    }
}

extension APIError.RetryRejection: CustomStringConvertible {
    /// The reason and the advice, in one line.
    public var description: String {
        switch self {
        case .notIdempotent:
            "it could take effect twice; declare IdempotencyKey() if the server supports keys"
        case .bodyIsNotReplayable:
            "its body cannot be sent a second time"
        case .budgetIsEmpty:
            "the retry budget is empty, because too many calls have failed"
        case .waitIsTooLong(let wait, let longest):
            "the server asks to wait \(wait.shown), and Retry(longestWait:) allows \(longest.shown)"
        case .waitPassesDeadline(let wait, let remaining):
            "the wait of \(wait.shown) would pass the deadline, which is \(remaining.shown) away"
        }
    }
}
