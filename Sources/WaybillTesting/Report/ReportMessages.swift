import Foundation
import Waybill

/// The section of a report with the request and response of an exchange.
struct ReportMessages {
    let exchange: ReportExchange
    /// The size at which to truncate bodies, in bytes.
    let bodyLimit: Int

    /// Appends the messages.
    ///
    /// - Parameters:
    ///   - isOne: whether this is the call's only exchange.
    ///   - url: the URL of the call; the exchange's URL is shown only if it differs.
    ///   - bars: the image of the phases.
    ///   - failure: the error of the call; the exchange's error is shown only if it differs.
    ///   - html: the HTML to append to.
    func write(isOne: Bool, url: String, bars: String, failure: String?, to html: inout String) {
        html += "<section><h2>\(HTMLText.escaped(title(isOne: isOne)))</h2>\(bars)\n"
        let phases = phases
        if !phases.isEmpty { html += "<p class=phases>\(phases)</p>\n" }
        if exchange.url != url { html += "<p class=url>\(HTMLText.escaped(exchange.url))</p>\n" }
        if let text = exchange.failure, text != failure, !text.isEmpty {
            html += "<p class=error>\(HTMLText.escaped(text))</p>\n"
        }
        write("Request header fields", exchange.requestFields, to: &html)
        write("Request body", exchange.requestBody, size: nil, to: &html)
        write("Response header fields", exchange.responseFields, to: &html)
        write("Response body", exchange.responseBody, size: exchange.size, to: &html)
        html += "</section>\n"
    }

    private func title(isOne: Bool) -> String {
        var title = isOne && (exchange.attempt ?? 1) == 1 ? "" : exchange.attempt.map { "Attempt \($0): " } ?? ""
        title += exchange.status > 0 ? "\(exchange.status) \(exchange.statusText)" : "No response"
        if !exchange.protocolVersion.isEmpty { title += ", \(exchange.protocolVersion)" }
        return title + " · \(ReportTime.text(exchange.duration))"
    }

    /// The phases and their durations, each in its color; phases that round to 0 ms are omitted.
    private var phases: String {
        exchange.phases.filter { $0.duration >= 0.05 }.map { phase, duration in
            let style = ReportLane.style(of: phase)
            return "<span class=\(style)>\(Self.name(of: phase)) \(ReportTime.text(duration))</span>"
        }.joined(separator: " ")
    }

    /// Returns the display name of a phase.
    static func name(of phase: ReportExchange.Phase) -> String {
        switch phase {
        case .blocked: "blocked"
        case .lookup: "name lookup"
        case .connect: "connection"
        case .secure: "TLS"
        case .send: "sending"
        case .wait: "waiting"
        case .receive: "receiving"
        }
    }

    private func write(_ title: String, _ fields: [ReportExchange.Field], to html: inout String) {
        guard !fields.isEmpty else { return }
        let lines = fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        ReportRow.write(title, fields.count, lines, to: &html)
    }

    private func write(_ title: String, _ body: RecordedBody, size: Int?, to html: inout String) {
        let count = body.bytes.count
        let media = body.mediaType.isEmpty ? "" : ", \(body.mediaType)"
        guard count > 0 else {
            guard let size, size > 0 else { return }
            html += "<p>\(title): \(HTMLText.escaped("\(size.shownAsBytes)\(media)")), not recorded</p>\n"
            return
        }
        guard let text = shownText(of: body) else {
            html += "<p>\(title): \(HTMLText.escaped("\(count.shownAsBytes)\(media)")), binary</p>\n"
            return
        }
        let note = text.isCut ? "<p>The rest of the body is left out.</p>" : ""
        html += """
            <details><summary>\(title) (\(HTMLText.escaped("\(count.shownAsBytes)\(media)")))</summary>\
            <pre>\(HTMLText.escaped(text.text))</pre>\(note)</details>

            """
    }

    /// Returns the beginning of a body, and whether the body was truncated; nil if the body is not text.
    private func shownText(of body: RecordedBody) -> (text: String, isCut: Bool)? {
        guard let text = body.text, !text.utf8.contains(0) else { return nil }
        let isContainer = text.utf8.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        if MediaType(body.mediaType).isJSON || isContainer ?? false {
            return IndentedJSON.text(of: text, upTo: bodyLimit)
        }
        guard body.bytes.count > bodyLimit else { return (text, false) }
        // Truncates between characters, because part of a character would be displayed as a different one.
        var end = text.utf8.index(text.startIndex, offsetBy: bodyLimit)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return (String(text[..<end]), true)
    }
}
