import Foundation
import Waybill

/// A renderer for the rows of a report: one element per call, which expands to show the call's messages.
struct ReportRow {
    let axis: ReportAxis
    /// The zero-based index of the section.
    let section: Int
    /// The time of the first call, in milliseconds since 1970.
    let start: Double
    let hasSeveralHosts: Bool
    /// The size at which to truncate bodies, in bytes.
    let bodyLimit: Int

    /// The maximum lengths of a path and an error in a row, in characters.
    private static let longestPath = 200
    private static let longestFailure = 80

    /// Appends a call.
    func write(_ call: ReportLog.Call, to html: inout String) {
        let id = call.number.map { " id=call-\($0)" } ?? ""
        let lane = ReportLane(position: axis.position)
            .svg(call, call.exchanges, hasWaits: true, from: call.start - start)
        html += """
            <li\(id) class=\(call.isFailed ? "\"bad s\(section)\"" : "s\(section)") data-time=\(Int(call.duration * 1000)) \
            data-size=\(call.size ?? 0)><details><summary><span class=st>\(status(of: call))</span>\
            <span class=nm>\(name(of: call))</span><span class="n sz">\(call.size?.shownAsBytes ?? "")</span>\
            <span class=n>\(ReportTime.text(call.duration))</span>\(lane)</summary>

            """
        writeDetails(of: call, to: &html)
        html += "</details></li>\n"
    }

    private func status(of call: ReportLog.Call) -> String {
        let text = call.status > 0 ? "\(call.status)" : call.isFailed ? "failed" : call.cacheUse == nil ? "–" : "cache"
        // A failed call also has a mark, because color alone is not accessible.
        return call.isFailed ? "✕ \(text)" : text
    }

    private func name(of call: ReportLog.Call) -> String {
        let url = ReportURL(call.url)
        let path = (hasSeveralHosts ? url.host : "") + url.path
        let isLong = path.count > Self.longestPath
        var name = "<b>\(HTMLText.escaped(call.method))</b> "
        name += "<bdi>\(HTMLText.escaped(isLong ? path.prefix(Self.longestPath) + "…" : path))</bdi>"
        var remarks: [String] = []
        if call.attempts > 1 { remarks.append("\(call.attempts) attempts") }
        if let use = call.cacheUse { remarks.append(use) }
        for (kind, reason) in [("queued", "a permit"), ("disconnected", "a network")] {
            guard call.events.contains(where: { $0.kind == kind }) else { continue }
            let waited = zip(call.events, call.events.dropFirst()).reduce(0) { sum, pair in
                pair.0.kind == kind ? sum + pair.1.time - pair.0.time : sum
            }
            remarks.append("\(ReportTime.text(max(0, waited))) for \(reason)")
        }
        if call.events.contains(where: { $0.kind == "refreshed" }) { remarks.append("credential refreshed") }
        if let parent = call.parent { remarks.append("for call \(parent)") }
        name += remarks.map { " <i>\(HTMLText.escaped($0))</i>" }.joined()
        guard let failure = call.failure, !failure.isEmpty else { return name }
        let isLongFailure = failure.count > Self.longestFailure
        let shown = isLongFailure ? failure.prefix(Self.longestFailure) + "…" : failure
        return name + " <i class=error>\(HTMLText.escaped(shown))</i>"
    }

    private func writeDetails(of call: ReportLog.Call, to html: inout String) {
        html += "<div class=more><p class=url>\(HTMLText.escaped(call.url))</p><p>\(facts(of: call))</p>\n"
        if let failure = call.failure, !failure.isEmpty {
            html += "<p class=error>\(HTMLText.escaped(failure))</p>\n"
        }
        let lane = ReportLane { [duration = max(call.duration, 0.001)] in min(1, max(0, $0 / duration)) }
        for exchange in call.exchanges {
            // The row of the call already shows the waits between its exchanges.
            let bars = lane.svg(call, [exchange], hasWaits: false, from: 0)
            ReportMessages(exchange: exchange, bodyLimit: bodyLimit)
                .write(isOne: call.exchanges.count == 1, url: call.url, bars: bars, failure: call.failure, to: &html)
        }
        if call.events.count > 1 {
            let lines = call.events.map { event in
                let time = ReportTime.text(event.time)
                let attempt = event.attempt > 1 ? " (attempt \(event.attempt))" : ""
                return String(repeating: " ", count: max(0, 9 - time.count)) + time + "  " + event.text + attempt
            }
            Self.write("Events", lines.count, lines.joined(separator: "\n"), to: &html)
        }
        html += "</div>"
    }

    /// Returns a line of facts about a call, with a link to its parent call.
    private func facts(of call: ReportLog.Call) -> String {
        var facts = ["Began after \(ReportTime.text(call.start - start))", "took \(ReportTime.text(call.duration))"]
        if let number = call.number { facts.insert("Call \(number)", at: 0) }
        var text = facts.joined(separator: " · ")
        if let parent = call.parent { text += " · made for <a href=#call-\(parent)>call \(parent)</a>" }
        return text
    }

    /// Appends a collapsed element that shows a text.
    static func write(_ title: String, _ count: Int, _ text: String, to html: inout String) {
        html += "<details><summary>\(title) (\(count))</summary><pre>\(HTMLText.escaped(text))</pre></details>\n"
    }
}
