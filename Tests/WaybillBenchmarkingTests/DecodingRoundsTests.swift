import Foundation
import Testing
import Waybill
import WaybillBenchmarking

@Suite("Rounds of decoding benchmarks")
struct DecodingRoundsTests {
    private let time = VirtualTime()

    private func run(_ decoders: [StubDecoder], rounds: Int) async throws -> DecodingBenchmark.Results {
        try await DecodingBenchmark(
            "number",
            decoding: Int.self,
            from: BenchmarkFixture.large,
            by: decoders.map { .decoder($0.name, $0) }
        ).run(rounds: rounds, with: time.instruments, header: BenchmarkFixture.header)
    }

    @Test("Results are compared first, then rounds are interleaved and each starts with another decoder")
    func interleaving() async throws {
        let decoders = ["A", "B", "C"].map { StubDecoder(name: $0, time: time) }
        _ = try await run(decoders, rounds: 4)
        let rounds = stride(from: 0, to: time.log.count, by: 3).map { time.log.dropFirst($0).prefix(3).joined() }
        #expect(rounds == ["ABC", "ABC", "BCA", "CAB", "ABC"])
    }

    @Test("The figures of an odd number of rounds are measured values")
    func oddRounds() async throws {
        // The first decoding is for the comparison.
        let milliseconds = [0.0, 60, 30, 50, 20, 40]
        let decoder = StubDecoder(name: "A", time: time) { milliseconds[$0] }
        let row = try #require(try await run([decoder], rounds: 5).rows.first)
        #expect(row.milliseconds.isClose(to: 40, 30, 50))
        #expect(row.processorMilliseconds.isClose(to: 20, 15, 25))
        #expect(row.timesAsFast == 1)
    }

    @Test("The figures of an even number of rounds are interpolated between measured values")
    func evenRounds() async throws {
        let milliseconds = [0.0, 50, 20, 30, 40]
        let decoder = StubDecoder(name: "A", time: time) { milliseconds[$0] }
        let row = try #require(try await run([decoder], rounds: 4).rows.first)
        #expect(row.milliseconds.isClose(to: 35, 27.5, 42.5))
    }

    @Test("The figures of a single round are its values")
    func oneRound() async throws {
        let row = try #require(try await run([StubDecoder(name: "A", time: time)], rounds: 1).rows.first)
        #expect(row.milliseconds.isClose(to: 20, 20, 20))
    }

    @Test("The throughput is based on the document's bytes, and the speedup on the medians")
    func throughput() async throws {
        let results = try await run(
            [
                StubDecoder(name: "slow", time: time) { _ in 60 },
                StubDecoder(name: "fast", time: time) { _ in 20 },
            ],
            rounds: 3
        )
        #expect(results.rows.map(\.bytes) == [300_000, 300_000])
        #expect(results.rows.map { ($0.megabytesPerSecond.median * 1000).rounded() } == [5_000, 15_000])
        #expect(results.rows.map { ($0.timesAsFast * 1000).rounded() } == [1_000, 3_000])
    }

    @Test("A round repeats a decoding until it has taken 10 ms")
    func repetition() async throws {
        let row = try await run([StubDecoder(name: "A", time: time) { _ in 3 }], rounds: 1).rows.first
        #expect(time.log.count == 5)
        #expect(row?.milliseconds.isClose(to: 3, 3, 3) == true)
    }

    @Test("Small documents are decoded in batches of 64 between clock readings")
    func batches() async throws {
        _ = try await DecodingBenchmark(
            "number",
            decoding: Int.self,
            from: Data("7".utf8),
            by: [.decoder(StubDecoder(name: "A", time: time))]
        ).run(rounds: 1, with: time.instruments)
        #expect(time.log.count == 65)
    }
}

extension DecodingBenchmark.Figure {
    /// Returns whether the figures equal the given values, except for rounding.
    fileprivate func isClose(to median: Double, _ lowerQuartile: Double, _ upperQuartile: Double) -> Bool {
        zip([self.median, self.lowerQuartile, self.upperQuartile], [median, lowerQuartile, upperQuartile])
            .allSatisfy { abs($0 - $1) < 0.000_001 }
    }
}
