import WaybillSystem

extension APIError {
    /// The call that an error is about.
    public struct FailedCall: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The method.
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

        /// The secrets of the call, for what an error repeats of them.
        package var secrets: CallSecrets?

        /// The attempt that failed, counted from 1.
        public var attempt: Int

        /// The errors of the attempts before this one, the first one first.
        public var earlierFailures: [APIError] {
            get { earlier.failures }
            set { earlier.failures = newValue }
        }

        /// The reason for which there was no further attempt, though more were allowed; nil if that does not apply.
        public var retryRejection: RetryRejection?

        /// Returns the file and the line of the response; nil if it was not recorded.
        package var recordingPlace: (@Sendable () -> String)?

        private var earlier = EarlierFailures()

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
                && left.earlier == right.earlier && left.cursor == right.cursor
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
            if attempt > 1 { parts.append("attempt \(attempt)") }
            if let earlierText { parts.append(earlierText) }
            if let cursor { parts.append("page \(cursor.pageNumber)") }
            if let recordingPlace { parts.append("recorded in \(recordingPlace())") }
            let line = "  " + parts.joined(separator: ", ")
            return retryRejection.map { "\(line)\n  not repeated: \($0)" } ?? line
        }
    }
}

/// Earlier failures, which are equal if their texts are.
private struct EarlierFailures: Sendable, Hashable {
    var failures: [APIError] = []

    static func == (left: Self, right: Self) -> Bool {
        left.failures.map(\.description) == right.failures.map(\.description)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(failures.count) }
}
