import Foundation
import Waybill

/// The exchanges and observed calls that a ``TrafficRecorder`` keeps.
struct TrafficLog: Sendable {
    /// The times of an exchange, relative to the start of its call if the call is observed.
    struct Moments: Sendable {
        /// The sequence number of the start; the exchange's requests are sent between this and `lastOrder`.
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
    /// The secrets of dropped exchanges, which later ones may repeat.
    private var formerSecrets = RecordingSecrets(upTo: 10_000)

    init(limit: Int) { self.limit = limit }

    var count: Int { exchanges.count }

    mutating func removeAll() {
        (exchanges, calls, numbers) = ([], [:], [])
        formerSecrets = RecordingSecrets(upTo: 10_000)
    }

    /// Returns the next sequence number.
    mutating func nextOrder() -> Int {
        order += 1
        return order
    }

    /// Adds an event, unless its call was dropped or was not observed from the beginning.
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

    /// The content of the file: the exchanges in starting order, without the secrets of any exchange.
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
        // One exchange can send several requests, for redirects and renewed credentials.
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
