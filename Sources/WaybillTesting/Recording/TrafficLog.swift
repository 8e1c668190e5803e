import Foundation
import Waybill

/// The exchanges and the observed calls that a ``TrafficRecorder`` keeps.
struct TrafficLog: Sendable {
    /// The moments of an exchange, since the beginning of its call if that is observed.
    struct Moments: Sendable {
        /// The places among all events and exchanges between which its requests are sent.
        var order: Int
        var lastOrder = Int.max
        var date: Date
        var start: Duration
        var head: Duration?
        var end = Duration.zero
    }

    private struct Exchange: Sendable {
        var content: RecordedExchange
        var moments: Moments
        let secrets: Set<String>
    }

    private let limit: Int
    private var exchanges: [Exchange] = []
    private var calls: [Int: RecordedCall] = [:]
    private var numbers: [Int] = []
    private var order = 0
    /// The secrets of exchanges that were dropped, which later ones may repeat.
    private var formerSecrets = RecordingSecrets(upTo: 10_000)

    init(limit: Int) { self.limit = limit }

    var count: Int { exchanges.count }

    mutating func removeAll() {
        (exchanges, calls, numbers) = ([], [:], [])
        formerSecrets = RecordingSecrets(upTo: 10_000)
    }

    /// Returns the place of something that happens now.
    mutating func nextOrder() -> Int {
        order += 1
        return order
    }

    /// Adds an event; one of a call that began before is dropped.
    mutating func add(_ event: CallEvent) {
        let order = nextOrder()
        if case .began = event.kind {
            calls[event.number] = RecordedCall(event)
            numbers.append(event.number)
            if numbers.count > limit { calls[numbers.removeFirst()] = nil }
        }
        calls[event.number]?.add(event, order: order)
    }

    mutating func add(_ exchange: RecordedExchange, _ moments: Moments, secrets: Set<String>) {
        exchanges.append(Exchange(content: exchange, moments: moments, secrets: secrets))
        if exchanges.count > limit { formerSecrets.formUnion(exchanges.removeFirst().secrets) }
    }

    /// The content of the file: exchanges in the order in which they began, without each other's secrets.
    var har: HARLog {
        var log = HARLog()
        let transfers = calls.mapValues(\.transfers)
        let sorted = exchanges.sorted { $0.moments.order < $1.moments.order }
        log.replace(nil, with: sorted.map { timed($0, transfers) })
        log.calls = calls.values.sorted { $0.number < $1.number }
        var secrets = formerSecrets
        secrets.limit = nil
        for exchange in exchanges { secrets.formUnion(exchange.secrets) }
        log.remove(SecretSearch(secrets.names().longValues))
        return log
    }

    /// Returns an exchange with its times.
    private func timed(_ exchange: Exchange, _ transfers: [Int: [RecordedCall.Transfer]]) -> RecordedExchange {
        var (content, moments) = (exchange.content, exchange.moments)
        content.startTime = moments.date
        // Redirects and renewed credentials send several requests.
        let sent = content.origin?.call.flatMap { number in
            transfers[number]?.filter { moments.order..<moments.lastOrder ~= $0.order }
        }
        if let start = content.origin?.call.flatMap({ calls[$0]?.startTime }) {
            content.startTime = start + moments.start / .seconds(1)
        }
        moments.end = max(moments.end, moments.start)
        content.timings = RecordedTimings(from: moments.start, head: moments.head, to: moments.end, sent)
        content.protocolVersion = sent?.last?.metrics?.protocolVersion ?? ""
        content.bytesReceived = sent?.last?.metrics?.bytesReceived
        return content
    }
}
