import Foundation
import Waybill

extension Metric {
    /// Seconds on the wall clock.
    static let seconds = Metric(name: "seconds", decimals: 2)

    /// Seconds on processors.
    static let processorSeconds = Metric(name: "cpu_seconds", decimals: 2)

    /// Millions of bytes that the process has resident when they are the most.
    static let peakMegabytes = Metric(name: "peak_mb", decimals: 1)

    /// Millions of bytes by which the peak is above what was resident before.
    static let peakGrowthMegabytes = Metric(name: "peak_growth_mb", decimals: 1)

    /// Millions of bytes that are resident after the first 10,000 requests.
    static let residentMegabytes = Metric(name: "resident_mb", decimals: 1)

    /// Millions of bytes that are resident after 100,000 further requests, and were not before them.
    static let growthMegabytes = Metric(name: "growth_mb", decimals: 1)
}

/// Something whose memory is measured, in a process that does nothing else: what was freed before, but not given back
/// to the system, would hide what a transport needs.
enum MemoryProbe: String, Sendable {
    case fastConsumer = "fast"
    case slowConsumer = "slow"
    case manyRequests = "many"

    /// How many requests come before memory is looked at, how many then, and how many at a time.
    private static let requests = (first: 10_000, further: 100_000, concurrently: 16)

    /// What it measures, in the order in which it is told.
    var metrics: [Metric] {
        switch self {
        case .fastConsumer, .slowConsumer: [.seconds, .processorSeconds, .peakGrowthMegabytes, .peakMegabytes]
        case .manyRequests: [.residentMegabytes, .growthMegabytes]
        }
    }

    /// Measures, in this process; what cannot be measured on this system is not among the values.
    func run(with transport: any Transport, _ server: URL) async throws -> [String: Double] {
        switch self {
        case .fastConsumer: try await Self.transfer(.fast, transport, server)
        case .slowConsumer: try await Self.transfer(.slow, transport, server)
        case .manyRequests: try await Self.manyRequests(transport, server)
        }
    }

    private static func transfer(
        _ consumer: LargeBody.Consumer,
        _ transport: any Transport,
        _ server: URL
    ) async throws -> [String: Double] {
        // What is loaded and made once is no part of the transfer.
        try await Exchange(transport: transport, server: server)(times: 10, concurrently: 1)
        try ResidentMemory.forgetPeak()
        let before = ResidentMemory.current
        let start = TimeSpent.byThisProgram
        try await LargeBody(transport: transport, server: server)(consumer)
        let time = TimeSpent.byThisProgram - start
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

    private static func difference(_ later: Double?, _ earlier: Double?) -> Double? {
        guard let later, let earlier else { return nil }
        return (later - earlier) / 1_000_000
    }

    private static func values(_ pairs: [(metric: Metric, value: Double?)]) -> [String: Double] {
        Dictionary(pairs.map { ($0.metric.name, $0.value) }) { first, _ in first }.compactMapValues { $0 }
    }
}
