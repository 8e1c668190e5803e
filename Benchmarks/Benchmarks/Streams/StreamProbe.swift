import Foundation

/// A measurement of one transfer by one client, in a process that does nothing else.
struct StreamProbe: Sendable {
    /// The error of a transfer whose result is not the expected one.
    struct UnexpectedResult: Error, CustomStringConvertible {
        let description: String
    }

    /// The result of a transfer.
    struct Outcome: Sendable {
        /// The number of bytes of the body.
        var bytes: Int
        /// Seconds from the start to the first element, or to the first byte for a program that has no elements.
        var firstElement: Double?
        /// The processor seconds of other programs, and their peak of resident bytes; nil if this one did the work.
        var others: (processor: Double, peak: Double?)?
        /// Seconds on the wall clock, if not all of the time counts.
        var seconds: Double?
    }

    let task: StreamTask
    let client: StreamClient
    let server: URL
    let files: StreamFiles

    /// The metrics, in the order of the report.
    static let metrics: [Metric] = [.seconds, .bodyMegabytesPerSecond, .processorSeconds, .peak, .firstElement]

    /// Does the transfer, and returns the values without those that cannot be measured.
    ///
    /// - Throws: ``UnexpectedResult``, and the errors of the transfer.
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

    /// Returns the transfer, for which libraries are loaded and bodies are made.
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

    /// Checks the file that was written.
    private func check() throws {
        guard task == .download || client == .copy else { return }
        try files.checkAndRemove(files.target(client))
    }

    /// Checks the elements that were read.
    func check(_ tally: StreamTally, of body: StreamBody) throws {
        guard tally == body.elements else {
            throw UnexpectedResult(description: "\(client.rawValue) read \(tally), not \(body.elements)")
        }
    }
}

extension Metric {
    /// Millions of bytes of the body per second.
    static let bodyMegabytesPerSecond = Metric(name: "mb_per_second", decimals: 0)

    /// The peak of the client's resident memory, in millions of bytes.
    static let peak = Metric(name: "peak_megabytes", decimals: 1)

    /// Milliseconds from the start of a transfer to its first element.
    static let firstElement = Metric(name: "first_element_ms", decimals: 1)
}
