/// An observer that logs calls by passing readable lines to a closure.
///
/// ```swift
/// Client(url) { Observe(RequestLog { print($0) }) }
/// // ✓ 1 GET products/{} 200 OK in 34 ms, 1.2 KB
/// // ✗ 2 POST orders 503 Service Unavailable in 1.4 s, 61 bytes, attempt 3, reused
/// ```
///
/// A server's announcement that a call is deprecated or will end is logged on a separate line, once for each method and
/// template:
///
/// ```text
/// ! 3 GET products/{} is deprecated from 2023-06-30T23:59:59Z, see https://shop.example/changes
/// ```
///
/// Secrets are redacted. Without this observer, nothing is logged.
public struct RequestLog: CallObserver {
    /// The level of detail of a log.
    public enum Detail: Sendable, Hashable {
        /// One line for each call, when it ends.
        case calls
        /// Additionally, one line for each request, response, wait, and other event before the call ends.
        case attempts
        /// The lines of `attempts`, with the header fields of requests and responses.
        case headers
    }

    private let detail: Detail
    private let write: @Sendable (String) -> Void
    private let outlines = Locked<[Int: CallOutline]>([:])
    /// The methods and templates of the calls whose deprecation has been logged.
    private let deprecated = Locked<Set<String>>([])

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - detail: the level of detail.
    ///   - write: a closure that receives one line without a line break, or several lines if header fields are logged.
    ///     It is called on the calls' tasks, which continue once it returns.
    public init(_ detail: Detail = .calls, write: @escaping @Sendable (String) -> Void) {
        self.detail = detail
        self.write = write
    }

    /// Logs an event if the level of detail includes its kind.
    ///
    /// - Parameter event: the event.
    public func observe(_ event: CallEvent) {
        let outline = outlines.withLock { outlines in
            var outline = outlines[event.number] ?? CallOutline()
            outline.add(event)
            // Store nothing for a call that has ended, even if more of its events follow.
            if event.isFirst || outlines[event.number] != nil {
                outlines[event.number] = event.kind.isLast ? nil : outline
            }
            return outline
        }
        logDeprecation(of: event)
        let line = event.kind.isLast ? event.lastLine(outline) : event.line
        guard event.kind.isLast || detail != .calls, let line else { return }
        let fields = detail == .headers ? event.loggedFields.map { "\n    \($0.visible)" }.joined() : ""
        write(line.visible + fields)
    }

    private func logDeprecation(of event: CallEvent) {
        guard let deprecation = event.deprecation,
            deprecated.withLock({ $0.insert("\(event.method) \(event.template)").inserted })
        else { return }
        write("! \(event.call) is \(deprecation)".visible)
    }
}

/// The details of a call that appear in its log line.
private struct CallOutline: Sendable {
    private(set) var bodyBytes: Int?
    private(set) var isConnectionReused = false
    private(set) var cacheUse: CallEvent.CacheUse?

    mutating func add(_ event: CallEvent) {
        switch event.kind {
        case .sent:
            // The log line describes only the last request.
            bodyBytes = nil
            isConnectionReused = false
        case .head: isConnectionReused = event.metrics?.isConnectionReused ?? false
        case .body(let bytes):
            bodyBytes = bytes
            isConnectionReused = event.metrics?.isConnectionReused ?? isConnectionReused
        case .cached(let use): cacheUse = use
        case .began, .queued, .disconnected, .connected, .retried, .restarted, .refreshed, .noted, .finished, .failed:
            break
        }
    }
}

extension CallEvent {
    fileprivate var isFirst: Bool { if case .began = kind { true } else { false } }

    /// Returns the line for the end of a call; nil for any other event.
    fileprivate func lastLine(_ outline: CallOutline) -> String? {
        switch kind {
        case .finished(let status):
            return "✓ \(call) \(status) in \(time.shown)" + remarks(outline)
        case .failed(.status(let failure)):
            let reason = failure.status.kind == .successful ? ": its body reports a failure" : ""
            return "✗ \(call) \(failure.status) in \(time.shown)" + remarks(outline) + reason
        case .failed(let error):
            return "✗ \(call) in \(time.shown)" + remarks(outline) + ": \(error.reason)"
        default: return nil
        }
    }

    /// The line for an event before the last one; nil for an event without a line.
    fileprivate var line: String? {
        let attempts = attempt > 1 ? ", attempt \(attempt)" : ""
        switch kind {
        case .began, .body, .finished, .failed: return nil
        case .sent(let bytes):
            let size = bytes.map { $0 == 0 ? "" : ", \($0.shownAsBytes)" } ?? ", a stream"
            return "→ \(call) \(url)\(size)\(attempts)"
        case .head(let status):
            let reused = metrics?.isConnectionReused ?? false ? ", reused" : ""
            return "← \(number) \(status) after \(time.shown)\(reused)"
        case .queued: return "· \(number) waits for its turn"
        case .disconnected, .connected, .retried, .restarted, .refreshed, .cached, .noted:
            return "· \(number) \(kind)"
        }
    }

    fileprivate var call: String {
        "\(number) \(method) \(template.isEmpty ? "/" : template)"
    }

    private func remarks(_ outline: CallOutline) -> String {
        var remarks: [String] = []
        if let bytes = outline.bodyBytes { remarks.append(bytes.shownAsBytes) }
        if attempt > 1 { remarks.append("attempt \(attempt)") }
        if let use = outline.cacheUse { remarks.append("\(use)") }
        if outline.isConnectionReused { remarks.append("reused") }
        if let parent { remarks.append("for \(parent)") }
        return remarks.map { ", \($0)" }.joined()
    }

    /// The header fields to log, one line each; empty for an event other than a request or the head of a response.
    fileprivate var loggedFields: [String] {
        switch kind {
        case .sent, .head: headerFields.map { "\($0.name): \($0.value)" }
        default: []
        }
    }
}

extension String {
    /// The string with control characters replaced by spaces, which prevents a server from forging log lines.
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
