/// The bars of a call in a waterfall, an image of SVG whose lengths are parts of its width.
struct ReportLane {
    /// Returns the position, from 0 to 1, of a moment in milliseconds.
    let position: (Double) -> Double

    /// The shortest bar, as a part of the width, whose phases are drawn: of a shorter one nothing could be seen.
    private static let shortest = 0.004

    /// Returns the bars of a call: its phases, and the waits that its events tell of.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - exchanges: the exchanges that are drawn.
    ///   - hasWaits: whether waits before retries and for permits are drawn.
    ///   - start: the moment at which the call began.
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
        // Phases that overlap make the sum longer than the exchange.
        return exchange.phases.map { phase, duration in
            defer { moment += duration }
            return bar(Self.style(of: phase), from: position(moment), to: position(moment + duration))
        }.joined()
    }

    /// Returns the bars of the requests of a call whose messages are not recorded.
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
            // The wait may have ended early, with the call.
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

    /// Returns the class of a phase in the style sheet.
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

    /// Returns a part as a percentage with at most two digits after the point.
    static func percent(_ part: Double) -> String {
        let hundredths = Int((min(max(part, 0), 1) * 10_000).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return rest == 0 ? "\(whole)%" : "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }
}
