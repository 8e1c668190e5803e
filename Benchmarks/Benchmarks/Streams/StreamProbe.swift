import Foundation

/// A measurement of one transfer by one client, in a dedicated process.
struct StreamProbe: Sendable {
    /// The error for a transfer with an unexpected result.
    struct UnexpectedResult: Error, CustomStringConvertible {
        let description: String
    }

    /// The result of a transfer.
    struct Outcome: Sendable {
        /// The length of the body, in bytes.
        var bytes: Int
        /// The time to the first element, or to the first byte for a program that reads no elements, in seconds.
        var firstElement: Double?
        /// A child process's processor seconds and peak resident bytes; nil if this process did the work.
        var others: (processor: Double, peak: Double?)?
        /// The wall-clock time in seconds; nil for the duration of the whole work.
        var seconds: Double?
    }

    let task: StreamTask
    let client: StreamClient
    let server: URL
    let files: StreamFiles

    /// The metrics, in report order.
    static let metrics: [Metric] = [.seconds, .bodyMegabytesPerSecond, .processorSeconds, .peak, .firstElement]

    /// Performs the transfer, and returns the values that can be measured, by metric name.
    ///
    /// - Throws: ``UnexpectedResult``, or the error of the transfer.
    func run() async throws -> [String: Double] {
        let work = try await prepared()
        try ResidentMemory.forgetPeak()
        let start = TimeSpent.now
        let outcome = try await work()
        let spent = TimeSpent.now - start
        let peak = outcome.others.map(\.peak) ?? ResidentMemory.peak
        let seconds = outcome.seconds ?? spent.wall
        try check()
        let values: [(metric: Metric, value: Double?)] = [
            (.seconds, seconds),
            (.bodyMegabytesPerSecond, Double(outcome.bytes) / 1_000_000 / seconds),
            (.processorSeconds, outcome.others?.processor ?? spent.processor),
            (.peak, peak.map { $0 / 1_000_000 }),
            (.firstElement, outcome.firstElement.map { $0 * 1000 }),
        ]
        return Dictionary(values.map { ($0.metric.name, $0.value) }) { first, _ in first }.compactMapValues { $0 }
    }

    /// Returns the transfer, after loading libraries and creating bodies.
    private func prepared() async throws -> @Sendable () async throws -> Outcome {
        switch client {
        case .waybill:
            let api = StreamAPI(server)
            _ = try await api.ready.send()
            return { try await transfer(api) }
        case .wholeBody: return try wholeBody()
        case .curl: return { try await transferByCurl() }
        case .copy: return { try copyFile() }
        }
    }

    /// Checks the written file, if there is one.
    private func check() throws {
        guard task == .download || client == .copy else { return }
        try files.checkAndRemove(files.target(client))
    }

    /// Checks the tally of the elements read.
    func check(_ tally: StreamTally, of body: StreamBody) throws {
        guard tally == body.elements else {
            throw UnexpectedResult(description: "\(client.rawValue) read \(tally), not \(body.elements)")
        }
    }
}

extension Metric {
    /// Millions of body bytes per second.
    static let bodyMegabytesPerSecond = Metric(name: "mb_per_second", decimals: 0)

    /// The client's peak resident memory, in millions of bytes.
    static let peak = Metric(name: "peak_megabytes", decimals: 1)

    /// The time from the start of a transfer to its first element, in milliseconds.
    static let firstElement = Metric(name: "first_element_ms", decimals: 1)
}
