/// Logs calls as lines that read well, through a function of the app's own.
///
/// ```swift
/// Client(url) { Observe(RequestLog { print($0) }) }
/// // ✓ 1 GET products/{} 200 OK in 34 ms, 1.2 KB
/// // ✗ 2 POST orders 503 Service Unavailable in 1.4 s, 61 bytes, attempt 3, reused
/// ```
///
/// Secrets are redacted. Without the clause nothing is logged.
public struct RequestLog: CallObserver {
    /// The detail of a log.
    public enum Detail: Sendable, Hashable {
        /// A line for each call, when it is over.
        case calls
        /// Also a line for each request, each response, each wait, and each other event in between.
        case attempts
        /// The same, with the header fields of requests and responses.
        case headers
    }

    private let detail: Detail
    private let write: @Sendable (String) -> Void
    private let outlines = Locked<[Int: CallOutline]>([:])

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - detail: the detail of the log.
    ///   - write: takes a line without a line break, or several if header fields are logged. It is called on the tasks
    ///     of the calls, which continue when it returns.
    public init(_ detail: Detail = .calls, write: @escaping @Sendable (String) -> Void) {
        self.detail = detail
        self.write = write
    }

    /// Logs the event, if its kind is logged.
    public func observe(_ event: CallEvent) {
        let outline = outlines.withLock { outlines in
            var outline = outlines[event.number] ?? CallOutline()
            outline.add(event)
            // Nothing is kept for a call that is over, even if events of it follow.
            if event.isFirst || outlines[event.number] != nil {
                outlines[event.number] = event.kind.isLast ? nil : outline
            }
            return outline
        }
        let line = event.kind.isLast ? RequestLogLine.ofCall(event, outline) : RequestLogLine.between(event)
        guard event.kind.isLast || detail != .calls, let line else { return }
        let fields = detail == .headers ? event.loggedFields.map { "\n    \($0.visible)" }.joined() : ""
        write(line.visible + fields)
    }
}

extension CallEvent {
    fileprivate var isFirst: Bool { if case .began = kind { true } else { false } }

    /// The header fields that are worth showing: once for a request, once for a response.
    fileprivate var loggedFields: [String] {
        switch kind {
        case .sent, .head: headerFields.map { "\($0.name): \($0.value)" }
        default: []
        }
    }
}

extension String {
    /// The text without control characters, with which a server could forge lines.
    fileprivate var visible: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
