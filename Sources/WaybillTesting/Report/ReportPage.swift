import Foundation
import Waybill
import WaybillFiles

/// The HTML document that shows a log.
struct ReportPage {
    private let log: ReportLog
    private let sections: [Section]
    private let hasSeveralHosts: Bool
    private let bodyLimit: Int
    /// The time of the first call, in milliseconds since 1970.
    private let start: Double

    /// Calls that share a time axis; on an axis for thousands of calls, each call would shrink to a dot.
    private struct Section {
        var calls: ArraySlice<ReportLog.Call>
        var axis: ReportAxis
    }

    /// The maximum number of calls on one axis, and the size of each section if there are more calls.
    private static let longestSection = 100
    private static let shownSection = 50

    init(_ log: ReportLog) {
        self.log = log
        let exchanges = log.calls.flatMap(\.exchanges)
        bodyLimit = Self.bodyLimit(
            of: exchanges.map(\.requestBody.bytes.count) + exchanges.map(\.responseBody.bytes.count)
        )
        hasSeveralHosts = Set(log.calls.map { ReportURL($0.url).host }).count > 1
        let start = log.calls.first?.start ?? 0
        self.start = start
        let size = log.calls.count > Self.longestSection ? Self.shownSection : Self.longestSection
        sections = stride(from: 0, to: log.calls.count, by: size).map { first in
            let calls = log.calls[first..<min(first + size, log.calls.count)]
            let spans = calls.map { ($0.start - start, $0.start - start + $0.duration) }
            return Section(calls: calls, axis: ReportAxis(spans))
        }
    }

    /// The maximum size of a body, and of all bodies together, in bytes; browsers load the page as a whole.
    private static let longestBody = 20_000
    private static let allBodies = 20_000_000

    /// Returns the size at which to truncate bodies; short bodies leave their share of the total to long ones.
    static func bodyLimit(of sizes: [Int]) -> Int {
        var rest = allBodies
        let sorted = sizes.map { min($0, longestBody) }.sorted()
        for (index, size) in sorted.enumerated() {
            let share = rest / (sorted.count - index)
            if size > share { return share }
            rest -= size
        }
        return longestBody
    }

    var html: String {
        let grids = sections.enumerated().map { index, section in
            ReportStyle.grid(of: index, at: section.axis.ticks.map(\.position))
        }
        let style = ReportStyle.css + grids.joined()
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy(style))">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark">
            <title>\(HTMLText.escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <header>
            <h1>\(HTMLText.escaped(title))</h1>
            <p>\(HTMLText.escaped(summary))</p>
            \(ReportStyle.patterns)\(ReportStyle.legend(of: styles))
            \(ReportStyle.form)
            </header>
            <main>
            <ol id=calls>
            \(rows)</ol>
            </main>
            <script>\(ReportStyle.script)</script>
            </body>
            </html>

            """
    }

    /// The rows of the calls, and of the idle times cut from the axes.
    private var rows: String {
        var html = ""
        for (index, section) in sections.enumerated() {
            html += heading(of: section, index)
            let row = ReportRow(
                axis: section.axis,
                section: index,
                start: start,
                hasSeveralHosts: hasSeveralHosts,
                bodyLimit: bodyLimit
            )
            var cuts = section.axis.cuts[...]
            for call in section.calls {
                if let cut = cuts.first, call.start - start >= cut.end {
                    html += "<li class=gap>\(ReportTime.text(cut.duration)) without a call</li>\n"
                    cuts = cuts.dropFirst()
                }
                row.write(call, to: &html)
            }
        }
        return html
    }

    /// Returns the column headings with the axis, hidden from screen readers, which read the rows.
    private func heading(of section: Section, _ index: Int) -> String {
        let ticks = section.axis.ticks.map { tick in
            "<text x=\(ReportLane.percent(tick.position)) y=12 dx=3>\(HTMLText.escaped(tick.label))</text>"
        }
        let first = index * Self.shownSection
        let name = sections.count == 1 ? "Call" : "Calls \(first + 1) to \(first + section.calls.count)"
        return """
            <li class="head s\(index)" aria-hidden=true><span>Status</span><span>\(name)</span><span class=n>Size</span>\
            <span class=n>Time</span><svg class="lane axis">\(ticks.joined())</svg></li>

            """
    }

    /// Returns the content security policy.
    ///
    /// The page loads nothing and runs only the report's script, even if recorded text were interpreted as markup.
    private static func policy(_ style: String) -> String {
        let hash = { (text: String) in Data(SHA256.hash(Array(text.utf8))).base64EncodedString() }
        return "default-src 'none'; style-src 'sha256-\(hash(style))'; "
            + "script-src 'sha256-\(hash(ReportStyle.script))'; base-uri 'none'; form-action 'none'"
    }

    private var title: String {
        let hosts = Set(log.calls.map { ReportURL($0.url).host }.filter { !$0.isEmpty }).sorted()
        switch hosts.count {
        case 0: return "Traffic"
        case 1...3: return "Traffic of " + hosts.joined(separator: ", ")
        default: return "Traffic of \(hosts.prefix(2).joined(separator: ", ")) and \(hosts.count - 2) more"
        }
    }

    /// The styles of the bars in use.
    private var styles: Set<String> {
        log.calls.reduce(into: ["c"]) { styles, call in
            if call.isFailed { styles.insert("f") }
            if call.cacheUse != nil { styles.insert("k") }
            for event in call.events {
                switch event.kind {
                case "queued", "disconnected": styles.insert("q")
                case "retried": styles.insert("h")
                case "head" where call.exchanges.isEmpty: styles.insert("w")
                case "body" where call.exchanges.isEmpty: styles.insert("g")
                default: break
                }
            }
            for phase in call.exchanges.flatMap(\.phases) { styles.insert(ReportLane.style(of: phase.phase)) }
        }
    }

    private var summary: String {
        let exchanges = log.calls.flatMap(\.exchanges)
        var parts = [log.calls.count == 1 ? "1 call" : "\(log.calls.count) calls"]
        if exchanges.count != log.calls.count {
            parts.append(exchanges.count == 1 ? "1 exchange" : "\(exchanges.count) exchanges")
        }
        let failures = log.calls.count(where: \.isFailed)
        if failures > 0 { parts.append("\(failures) failed") }
        let cached = log.calls.count { $0.cacheUse != nil }
        if cached > 0 { parts.append("\(cached) from a cache") }
        let bytes = exchanges.reduce(0) { $0 &+ max(0, $1.size ?? 0) }
        parts.append("\(max(0, bytes).shownAsBytes) of responses")
        guard let end = log.calls.map({ $0.start + $0.duration }).max(), start > 0 else {
            return parts.joined(separator: " · ")
        }
        parts.append("\(ReportTime.text(end - start)) from \(Self.date(start))")
        return parts.joined(separator: " · ")
    }

    private static func date(_ milliseconds: Double) -> String {
        let text = Date(timeIntervalSince1970: (milliseconds / 1000).rounded(.down)).formatted(.iso8601)
        return text.replacing(bytes: "T", with: " ").replacing(bytes: "Z", with: " UTC")
    }
}

/// The parts of a URL that a report shows separately.
struct ReportURL {
    /// The host and port; empty if the URL has no host.
    let host: String
    /// The path and query.
    let path: String

    init(_ url: String) {
        guard let start = url.firstRange(ofBytes: "://")?.upperBound else {
            (host, path) = ("", url)
            return
        }
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        host = String(url[start..<end])
        path = end == url.endIndex ? "/" : String(url[end...])
    }
}
