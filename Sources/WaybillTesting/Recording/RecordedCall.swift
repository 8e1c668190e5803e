import Foundation
import Waybill

/// An observed call and its events: an element of `_calls` in the file.
struct RecordedCall: Sendable, Hashable {
    /// An event of the call.
    struct Event: Sendable, Hashable {
        /// The sequence number among the events and exchanges of all calls.
        var order: Int
        var kind: String
        /// The time since the call began.
        var time: Duration
        var attempt: Int
        var text: String
        var status: Int?
        /// The wait before the next attempt.
        var wait: Duration?
        var cacheUse: String?
        var metrics: TransferOptions.Report.Metrics?
    }

    /// The times of a request that was passed to the transport, relative to the start of the call.
    struct Transfer: Sendable, Hashable {
        var order: Int
        var sent: Duration
        var head: Duration?
        var body: Duration?
        var metrics: TransferOptions.Report.Metrics?
    }

    var number: Int
    var parent: Int?
    var method: String
    var template: String
    var url: String
    var startTime: Date
    private(set) var events: [Event] = []

    /// The maximum number of events to keep: a stream that keeps reconnecting would add events without limit.
    private static let limit = 1000

    /// Creates a call from its first event.
    init(_ event: CallEvent) {
        number = event.number
        parent = event.parent
        method = event.method.rawValue
        template = event.template
        url = event.url
        startTime = Date()
    }

    /// Adds an event, dropping the oldest one at the limit.
    mutating func add(_ event: CallEvent, order: Int) {
        if events.count == Self.limit { events.removeFirst() }
        events.append(Event(event, order: order))
    }

    /// The transfers of the call, in order.
    var transfers: [Transfer] {
        events.reduce(into: []) { transfers, event in
            if event.kind == "sent" { transfers.append(Transfer(order: event.order, sent: event.time)) }
            guard !transfers.isEmpty, event.kind == "head" || event.kind == "body" else { return }
            let last = transfers.count - 1
            if event.kind == "head" { transfers[last].head = event.time } else { transfers[last].body = event.time }
            transfers[last].metrics = event.metrics ?? transfers[last].metrics
        }
    }

    /// Removes secret values from the texts.
    mutating func remove(_ search: SecretSearch) {
        template = search.removed(from: template)
        url = search.removed(from: url)
        for index in events.indices { events[index].text = search.removed(from: events[index].text) }
    }
}

extension RecordedCall.Event {
    fileprivate init(_ event: CallEvent, order: Int) {
        self.init(
            order: order,
            kind: event.kind.name,
            time: event.time,
            attempt: event.attempt,
            text: "\(event.kind)",
            metrics: event.metrics
        )
        switch event.kind {
        case .head(let status), .finished(let status): self.status = status.code
        case .failed(.status(let failure)): status = failure.status.code
        case .retried(let wait, _), .connected(let wait): self.wait = wait
        case .cached(let use): cacheUse = use.name
        default: break
        }
    }

    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "kind": .string(kind), "time": time.milliseconds, "attempt": .integer(attempt), "text": .string(text),
        ]
        if let status { members["status"] = .integer(status) }
        if let wait { members["wait"] = wait.milliseconds }
        if let cacheUse { members["use"] = .string(cacheUse) }
        return .object(members)
    }
}

extension RecordedCall {
    /// The element of `_calls`; its time is that of the last event.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "number": .integer(number), "method": .string(method), "template": .string(template), "url": .string(url),
            "startedDateTime": .string(startTime.harText), "time": (events.last?.time ?? .zero).milliseconds,
            "events": .array(events.map(\.json)),
        ]
        if let parent { members["parent"] = .integer(parent) }
        return .object(members)
    }
}

extension RecordedCall: Decodable {
    private struct EventMembers: Decodable {
        init(from decoder: any Decoder) throws {
            let members = try HARMembers(decoder, ["kind", "time", "attempt", "text", "status", "wait", "use"])
            for key in ["kind", "text"] { _ = try members.value(key, String.self) }
            _ = try members.value("time", Double.self)
            _ = try members.value("attempt", Int.self)
            _ = try members.optional("status", Int.self)
            _ = try members.optional("wait", Double.self)
            _ = try members.optional("use", String.self)
        }
    }

    /// Decodes a call but only validates its events, which replays do not need.
    init(from decoder: any Decoder) throws {
        let members = try HARMembers(
            decoder,
            ["number", "parent", "method", "template", "url", "startedDateTime", "time", "events"]
        )
        number = try members.value("number", Int.self)
        parent = try members.optional("parent", Int.self)
        method = try members.value("method", String.self)
        template = try members.value("template", String.self)
        url = try members.value("url", String.self)
        startTime = Date(timeIntervalSince1970: 0)
        _ = try members.value("startedDateTime", String.self)
        _ = try members.value("time", Double.self)
        _ = try members.value("events", [EventMembers].self)
    }
}

extension CallEvent.Kind {
    /// The name of the case.
    fileprivate var name: String {
        switch self {
        case .began: "began"
        case .queued: "queued"
        case .disconnected: "disconnected"
        case .connected: "connected"
        case .sent: "sent"
        case .head: "head"
        case .body: "body"
        case .retried: "retried"
        case .restarted: "restarted"
        case .refreshed: "refreshed"
        case .cached: "cached"
        case .noted(let note): type(of: note).name
        case .finished: "finished"
        case .failed: "failed"
        }
    }
}

extension CallEvent.CacheUse {
    fileprivate var name: String {
        switch self {
        case .fresh: "fresh"
        case .stale: "stale"
        case .revalidated: "revalidated"
        case .shared: "shared"
        }
    }
}
