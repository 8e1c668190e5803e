import Foundation
import Waybill

/// The calls of a HAR, as a report shows them.
///
/// The HAR is that of any tool: members that are missing or of another type are left out.
struct ReportLog: Sendable {
    /// A call with its exchanges; an exchange of a tool that knows no calls is a call of its own.
    struct Call: Sendable {
        var number: Int?
        var parent: Int?
        var method: String
        var url: String
        /// The milliseconds since 1970, and the duration in milliseconds.
        var start: Double
        var duration: Double
        var events: [Event] = []
        var exchanges: [ReportExchange] = []
    }

    /// An event of an observed call; times are milliseconds since its beginning.
    struct Event: Sendable {
        var kind: String
        var time: Double
        var attempt: Int
        var text: String
        var status: Int?
        var wait: Double?
        var cacheUse: String?
    }

    /// The calls in the order in which they began.
    var calls: [Call]

    /// The name of the tool that wrote the HAR.
    var creator: String

    /// Reads a HAR.
    ///
    /// - Throws: a text with the reason if it is no HAR.
    init(_ har: JSONValue) throws(ReportLog.Invalid) {
        guard let log = har["log"] else { throw Invalid(reason: "it has no member log") }
        guard let entries = log["entries"]?.arrayValue else { throw Invalid(reason: "its log has no array entries") }
        creator = log["creator"]?["name"]?.stringValue ?? ""
        var calls = (log["_calls"]?.arrayValue ?? []).compactMap(Call.init)
        var places = Dictionary(calls.enumerated().map { ($0.element.number, $0.offset) }) { first, _ in first }
        for (index, entry) in entries.enumerated() {
            guard entry.objectValue != nil else { throw Invalid(reason: "its entry \(index + 1) is not an object") }
            let exchange = ReportExchange(entry)
            let number = entry["_call"]?.intValue
            if let number, let place = places[number] {
                calls[place].add(exchange, offset: entry["_offset"]?.doubleValue)
            } else {
                if number != nil { places[number] = calls.count }
                calls.append(Call(exchange, number: number))
            }
        }
        self.calls = calls.sorted { ($0.start, $0.number ?? 0) < ($1.start, $1.number ?? 0) }
    }

    /// The reason for which a document is no HAR.
    struct Invalid: Error {
        let reason: String
    }
}

extension ReportLog.Call {
    /// Reads a member of `_calls`; nil if it is not one.
    fileprivate init?(_ json: JSONValue) {
        guard let number = json["number"]?.intValue else { return nil }
        self.number = number
        parent = json["parent"]?.intValue
        method = json["method"]?.stringValue ?? ""
        url = json["url"]?.stringValue ?? ""
        start = json["startedDateTime"]?.stringValue.flatMap(ReportTime.milliseconds) ?? 0
        duration = ReportTime.duration(json["time"]) ?? 0
        events = (json["events"]?.arrayValue ?? []).compactMap(ReportLog.Event.init)
    }

    /// Creates the call of an exchange that belongs to no observed one.
    fileprivate init(_ exchange: ReportExchange, number: Int?) {
        self.number = number
        method = exchange.method
        url = exchange.url
        start = exchange.start
        duration = exchange.duration
        exchanges = [exchange]
    }

    /// Adds an exchange, whose start is known to the microsecond by its offset.
    fileprivate mutating func add(_ exchange: ReportExchange, offset: Double?) {
        var exchange = exchange
        if let offset, !events.isEmpty, 0...ReportTime.longest ~= offset { exchange.start = start + offset }
        exchanges.append(exchange)
        let end = exchanges.reduce(start + duration) { max($0, $1.start + $1.duration) }
        start = min(start, exchange.start)
        duration = end - start
    }

    /// The status of the call: that of its end, or of its last response; 0 without one.
    var status: Int { events.last?.status ?? exchanges.last?.status ?? 0 }

    /// The error of a call that has failed without a response.
    var failure: String? {
        if let last = events.last, last.kind == "failed", last.status == nil {
            return last.text.hasPrefix("failed: ") ? String(last.text.dropFirst(8)) : last.text
        }
        return events.isEmpty ? exchanges.last?.failure : nil
    }

    /// Whether the call has failed, or its response is that of an error.
    var isFailed: Bool {
        if let last = events.last, last.kind == "failed" || last.kind == "finished" { return last.kind == "failed" }
        return status >= 400 || failure != nil || status == 0 && !exchanges.isEmpty
    }

    /// The number of attempts.
    var attempts: Int {
        max(events.map(\.attempt).max() ?? 1, exchanges.compactMap(\.attempt).max() ?? 1)
    }

    /// The cache or the other call that the response comes from.
    var cacheUse: String? {
        events.last { $0.cacheUse != nil }?.text ?? exchanges.last?.cacheUse
    }

    /// The bytes of the last response's body; nil if they are unknown.
    var size: Int? { exchanges.last?.size }
}

extension ReportLog.Event {
    fileprivate init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.stringValue, let time = ReportTime.duration(json["time"]) else { return nil }
        self.kind = kind
        self.time = time
        attempt = json["attempt"]?.intValue ?? 1
        text = json["text"]?.stringValue ?? kind
        status = json["status"]?.intValue
        wait = ReportTime.duration(json["wait"])
        cacheUse = json["use"]?.stringValue
    }
}
