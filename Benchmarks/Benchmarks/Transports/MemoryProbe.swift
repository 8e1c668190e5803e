import Foundation
import Waybill

extension Metric {
    /// Wall-clock time, in seconds.
    static let seconds = Metric(name: "seconds", decimals: 2)

    /// Processor time, in seconds.
    static let processorSeconds = Metric(name: "cpu_seconds", decimals: 2)

    /// The process's peak resident memory, in millions of bytes.
    static let peakMegabytes = Metric(name: "peak_mb", decimals: 1)

    /// The growth of resident memory from before the transfer to its peak, in millions of bytes.
    static let peakGrowthMegabytes = Metric(name: "peak_growth_mb", decimals: 1)

    /// The resident memory at the first reading, in millions of bytes.
    static let residentMegabytes = Metric(name: "resident_mb", decimals: 1)

    /// The growth of resident memory over 100,000 further requests, in millions of bytes.
    static let growthMegabytes = Metric(name: "growth_mb", decimals: 1)

    /// The growth of resident memory to its peak, in thousands of bytes per concurrent call.
    static let kilobytesPerCall = Metric(name: "kb_per_call", decimals: 1)
}

/// A memory measurement in a dedicated process.
///
/// In a shared process, memory that was freed earlier but not returned to the system would hide the transport's memory
/// usage.
enum MemoryProbe: String, Sendable {
    case fastConsumer = "fast"
    case slowConsumer = "slow"
    case manyRequests = "many"
    case thousandCalls = "1000"
    case tenThousandCalls = "10000"

    /// The maximum number of connections; nil for the transport's default.
    var connections: Int? {
        switch self {
        case .thousandCalls, .tenThousandCalls: 16
        default: nil
        }
    }

    /// The numbers of requests before the first memory reading, between the readings, and in flight.
    private static let requests = (first: 10_000, further: 100_000, concurrently: 16)

    /// The metrics, in report order.
    var metrics: [Metric] {
        switch self {
        case .fastConsumer, .slowConsumer: [.seconds, .processorSeconds, .peakGrowthMegabytes, .peakMegabytes]
        case .manyRequests: [.residentMegabytes, .growthMegabytes]
        case .thousandCalls, .tenThousandCalls:
            [.requestsPerSecond, .processorMicrosecondsPerRequest, .kilobytesPerCall]
        }
    }

    /// Measures this process, and returns the values available on this system, by metric name.
    func run(with transport: any Transport, _ server: URL) async throws -> [String: Double] {
        switch self {
        case .fastConsumer: try await Self.transfer(.fast, transport, server)
        case .slowConsumer: try await Self.transfer(.slow, transport, server)
        case .manyRequests: try await Self.manyRequests(transport, server)
        case .thousandCalls: try await Self.calls(1000, transport, server)
        case .tenThousandCalls: try await Self.calls(10_000, transport, server)
        }
    }

    private static func transfer(
        _ consumer: LargeBody.Consumer,
        _ transport: any Transport,
        _ server: URL
    ) async throws -> [String: Double] {
        // Excludes one-time work, such as loading libraries, from the measurement of the transfer.
        try await Exchange(transport: transport, server: server)(times: 10, concurrently: 1)
        try ResidentMemory.forgetPeak()
        let before = ResidentMemory.current
        let start = TimeSpent.now
        try await LargeBody(transport: transport, server: server)(consumer)
        let time = TimeSpent.now - start
        let peak = ResidentMemory.peak
        return values([
            (.seconds, time.wall),
            (.processorSeconds, time.processor),
            (.peakMegabytes, peak.map { $0 / 1_000_000 }),
            (.peakGrowthMegabytes, difference(peak, before)),
        ])
    }

    private static func manyRequests(_ transport: any Transport, _ server: URL) async throws -> [String: Double] {
        let exchange = Exchange(transport: transport, server: server)
        try await exchange(times: requests.first, concurrently: requests.concurrently)
        let before = ResidentMemory.current
        try await exchange(times: requests.further, concurrently: requests.concurrently)
        return values([
            (.residentMegabytes, before.map { $0 / 1_000_000 }),
            (.growthMegabytes, difference(ResidentMemory.current, before)),
        ])
    }

    /// Makes all calls concurrently, so most of them wait for a connection.
    private static func calls(
        _ count: Int,
        _ transport: some Transport,
        _ server: URL
    ) async throws -> [String: Double] {
        let exchange = Exchange(endpointOver: transport, server: server) {
            Timeout(.seconds(60))
            Retry()
        }
        try await exchange(times: requests.first, concurrently: requests.concurrently)
        try ResidentMemory.forgetPeak()
        let before = ResidentMemory.current
        let start = TimeSpent.now
        try await exchange(times: count, concurrently: count)
        let time = TimeSpent.now - start
        let growth = difference(ResidentMemory.peak, before)
        return values([
            (.requestsPerSecond, Double(count) / time.wall),
            (.processorMicrosecondsPerRequest, time.processor * 1_000_000 / Double(count)),
            (.kilobytesPerCall, growth.map { $0 * 1000 / Double(count) }),
        ])
    }

    private static func difference(_ later: Double?, _ earlier: Double?) -> Double? {
        guard let later, let earlier else { return nil }
        return (later - earlier) / 1_000_000
    }

    private static func values(_ pairs: [(metric: Metric, value: Double?)]) -> [String: Double] {
        Dictionary(pairs.map { ($0.metric.name, $0.value) }) { first, _ in first }.compactMapValues { $0 }
    }
}
