import Foundation
import Waybill

/// The calls of a HAR, as shown in a report.
///
/// The HAR may come from any tool: missing members and members of an unexpected type are ignored.
struct ReportLog: Sendable {
    /// A call and its exchanges; an exchange without a recorded call counts as a call.
    struct Call: Sendable {
        var number: Int?
        var parent: Int?
        var method: String
        var url: String
        /// The start in milliseconds since 1970, and the duration in milliseconds.
        var start: Double
        var duration: Double
        var events: [Event] = []
        var exchanges: [ReportExchange] = []
    }

    /// An event of an observed call; times are in milliseconds since the call began.
    struct Event: Sendable {
        var kind: String
        var time: Double
        var attempt: Int
        var text: String
        var status: Int?
        var wait: Double?
        var cacheUse: String?
    }

    /// The calls, in the order in which they began.
    var calls: [Call]

    /// The name of the tool that wrote the HAR.
    var creator: String

    /// Reads a HAR.
    ///
    /// - Throws: ``Invalid`` with the reason if the document is not a HAR.
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

    /// The error for a document that is not a HAR.
    struct Invalid: Error {
        let reason: String
    }
}

extension ReportLog.Call {
    /// Reads an element of `_calls`; nil if it has no number.
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

    /// Creates a call from an exchange that belongs to no observed call.
    fileprivate init(_ exchange: ReportExchange, number: Int?) {
        self.number = number
        method = exchange.method
        url = exchange.url
        start = exchange.start
        duration = exchange.duration
        exchanges = [exchange]
    }

    /// Adds an exchange; its offset, if known, is more precise than its start date.
    fileprivate mutating func add(_ exchange: ReportExchange, offset: Double?) {
        var exchange = exchange
        if let offset, !events.isEmpty, 0...ReportTime.longest ~= offset { exchange.start = start + offset }
        exchanges.append(exchange)
        let end = exchanges.reduce(start + duration) { max($0, $1.start + $1.duration) }
        start = min(start, exchange.start)
        duration = end - start
    }

    /// The status of the last event or, if it has no status, of the last exchange; 0 if neither has one.
    var status: Int { events.last?.status ?? exchanges.last?.status ?? 0 }

    /// The error of a call that failed without a response.
    var failure: String? {
        if let last = events.last, last.kind == "failed", last.status == nil {
            return last.text.hasPrefix("failed: ") ? String(last.text.dropFirst(8)) : last.text
        }
        return events.isEmpty ? exchanges.last?.failure : nil
    }

    /// Whether the call failed or its response is an error.
    var isFailed: Bool {
        if let last = events.last, last.kind == "failed" || last.kind == "finished" { return last.kind == "failed" }
        return status >= 400 || failure != nil || status == 0 && !exchanges.isEmpty
    }

    /// The number of attempts.
    var attempts: Int {
        max(events.map(\.attempt).max() ?? 1, exchanges.compactMap(\.attempt).max() ?? 1)
    }

    /// A description of the cache or other call that supplied the response; nil if it came from the server.
    var cacheUse: String? {
        events.last { $0.cacheUse != nil }?.text ?? exchanges.last?.cacheUse
    }

    /// The size of the last response's body, in bytes; nil if it is unknown.
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
