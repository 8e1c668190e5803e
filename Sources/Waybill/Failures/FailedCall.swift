/// The call that an error is about.
public struct FailedCall: Sendable, Hashable, CustomStringConvertible {
    /// The method.
    public let method: HTTPRequest.Method

    /// The path as it was declared, each value replaced by `{}`.
    public let template: String

    /// The URL with secrets redacted; nil if none could be built.
    ///
    /// One of more than 8,000 bytes is cut after 2,000 characters.
    public let url: String?

    /// Which attempt failed, counted from 1.
    public var attempt: Int

    /// Why the attempts before this one failed, the first one first.
    public var earlierFailures: [APIError] {
        get { earlier.failures }
        set { earlier.failures = newValue }
    }

    /// Why there was no further attempt, though more were allowed; nil where there is no such reason.
    public var retryRefusal: RetryRefusal?

    private var earlier = EarlierFailures()

    /// The cursor of the page that was asked for; nil for a call that is no page, and for the first page.
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
        self.url = url
        self.attempt = attempt
        self.cursor = cursor
    }

    /// Method and template: `GET products/{}`.
    public var description: String { "\(method) \(template.isEmpty ? "/" : template)" }

    /// The second line of an error's text: the URL, and what is worth knowing of the attempt and the page.
    var detail: String {
        var parts = [url ?? "nothing was sent"]
        if attempt > 1 { parts.append("attempt \(attempt)") }
        if let earlierText { parts.append(earlierText) }
        if let cursor { parts.append("page \(cursor.pageNumber)") }
        let line = "  " + parts.joined(separator: ", ")
        return retryRefusal.map { "\(line)\n  not repeated: \($0)" } ?? line
    }
}

/// Failures that are equal where their texts are.
private struct EarlierFailures: Sendable, Hashable {
    var failures: [APIError] = []

    static func == (left: Self, right: Self) -> Bool {
        left.failures.map(\.description) == right.failures.map(\.description)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(failures.count) }
}
