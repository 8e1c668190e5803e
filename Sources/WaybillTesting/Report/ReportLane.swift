/// A renderer for the bars of a call in a waterfall: an SVG image whose lengths are percentages of its width.
struct ReportLane {
    /// A closure that maps a time in milliseconds to a position from 0 to 1.
    let position: (Double) -> Double

    /// The minimum length of a call's bar, as a fraction of the width; a shorter bar is drawn without its phases.
    private static let shortest = 0.004

    /// Returns the bars of a call: its phases, and the waits recorded by its events.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - exchanges: the exchanges to draw.
    ///   - hasWaits: whether to draw the bar of the whole call and its waits, such as those before retries.
    ///   - start: the time at which the call began, in milliseconds.
    /// - Returns: the image.
    func svg(
        _ call: ReportLog.Call,
        _ exchanges: [ReportExchange],
        hasWaits: Bool,
        from start: Double
    ) -> String {
        let (left, right) = (position(start), position(start + call.duration))
        var svg = "<svg class=lane aria-hidden=true>"
        if hasWaits { svg += bar(call.isFailed ? "c f" : "c", from: left, to: right) }
        if right - left >= Self.shortest || !hasWaits {
            for exchange in exchanges { svg += phases(of: exchange, at: start + exchange.start - call.start) }
            if exchanges.isEmpty { svg += transfers(of: call, from: start) }
            if hasWaits { svg += waits(of: call, from: start) }
        }
        if hasWaits, call.cacheUse != nil { svg += "<circle cx=\(Self.percent(right)) cy=9 r=4 />" }
        return svg + "</svg>"
    }

    private func phases(of exchange: ReportExchange, at start: Double) -> String {
        var moment = start
        // A HAR contains only the durations of the phases, so they are drawn one after another.
        return exchange.phases.map { phase, duration in
            defer { moment += duration }
            return bar(Self.style(of: phase), from: position(moment), to: position(moment + duration))
        }.joined()
    }

    /// Returns the bars of requests whose messages were not recorded.
    private func transfers(of call: ReportLog.Call, from start: Double) -> String {
        var sent: Double?
        var head: Double?
        return call.events.map { event in
            defer {
                switch event.kind {
                case "sent": (sent, head) = (event.time, nil)
                case "head": (sent, head) = (nil, event.time)
                default: (sent, head) = (nil, nil)
                }
            }
            let style: String
            let before: Double
            switch (event.kind, sent, head) {
            case ("body", _, let head?): (style, before) = ("g", head)
            case ("sent", _, _), ("began", _, _): return ""
            case (_, let sent?, _): (style, before) = ("w", sent)
            default: return ""
            }
            return bar(style, from: position(start + before), to: position(start + event.time))
        }.joined()
    }

    private func waits(of call: ReportLog.Call, from start: Double) -> String {
        zip(call.events, call.events.dropFirst()).map { event, next in
            switch event.kind {
            // The wait may have ended early, along with the call.
            case "retried":
                let end = min(event.time + (event.wait ?? 0), call.duration)
                return bar("h", from: position(start + event.time), to: position(start + end))
            case "queued", "disconnected":
                return bar("q", from: position(start + event.time), to: position(start + next.time))
            default: return ""
            }
        }.joined()
    }

    private func bar(_ style: String, from start: Double, to end: Double) -> String {
        let style = style.contains(" ") ? "\"\(style)\"" : style
        return "<rect class=\(style) x=\(Self.percent(start)) width=\(Self.percent(max(0, end - start))) />"
    }

    /// Returns the CSS class of a phase.
    static func style(of phase: ReportExchange.Phase) -> String {
        switch phase {
        case .blocked: "b"
        case .lookup: "d"
        case .connect: "o"
        case .secure: "t"
        case .send: "s"
        case .wait: "w"
        case .receive: "g"
        }
    }

    /// Returns a fraction as a percentage with at most two decimal places.
    static func percent(_ part: Double) -> String {
        let hundredths = Int((min(max(part, 0), 1) * 10_000).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return rest == 0 ? "\(whole)%" : "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }
}
