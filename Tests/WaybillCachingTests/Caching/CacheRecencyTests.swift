import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
import WaybillTesting

@testable import Waybill

@Suite("Precedence of cached responses (RFC 9111, section 4)", .inTurn, .safetyNet)
struct CacheRecencyTests {
    /// The seconds added to the `Date` of two responses, and the number of the response kept.
    struct Row: CustomTestStringConvertible {
        let first: Double?
        let second: Double?
        let kept: Int

        var testDescription: String { "\(first.map(\.description) ?? "") \(second.map(\.description) ?? "")" }
    }

    static func fields(_ number: Int, _ seconds: Double?) -> HTTPFields {
        let start = MovableDate()
        if let seconds { start.advance(by: seconds) }
        return HTTPFields(
            lines: ["Cache-Control: max-age=600", "ETag: \"\(number)\""]
                + (seconds == nil ? [] : ["Date: " + start.text])
        )
    }

    @Test(
        "Of two concurrent responses, the cache keeps the one with the later Date, or else the later request",
        arguments: [
            Row(first: 0, second: 5, kept: 2), Row(first: 5, second: 0, kept: 1), Row(first: 5, second: 5, kept: 2),
            Row(first: nil, second: nil, kept: 2), Row(first: 0, second: nil, kept: 2),
            Row(first: nil, second: 0, kept: 2),
        ],
        [false, true]
    )
    func atOnce(row: Row, onDisk: Bool) async throws {
        let directory = TemporaryDirectory()
        let (gate, count) = (Gate(), Lines())
        let cache = onDisk ? try HTTPCache.onDisk(at: directory.url) : HTTPCache()
        let bench = CacheBench.serving(cache: cache) { _ in
            let number = count.add("")
            if number == 1 { await gate.waitUntilOpen() }
            return .json("\(number)", headers: Self.fields(number, number == 1 ? row.first : row.second))
        }
        async let slow = bench.number()
        await waitUntil { count.all.count == 1 }
        bench.date.advance(by: 5)
        #expect(try await bench.number() == 2)
        bench.date.advance(by: 5)
        gate.open()
        #expect(try await slow == 1)
        #expect(try await bench.number() == row.kept)
        #expect(bench.requestCount == 2)
    }

    @Test(
        "A response to a later request replaces the cached one, whatever their dates",
        arguments: [(0, 5), (5, 0), (5, nil), (nil, nil)] as [(Double?, Double?)],
        [1.0, -30]
    )
    func oneAfterTheOther(dates: (Double?, Double?), later: Double) async throws {
        let count = Lines()
        let bench = CacheBench.serving { _ in
            let number = count.add("")
            return .json("\(number)", headers: Self.fields(number, number == 1 ? dates.0 : dates.1))
        }
        #expect(try await bench.number() == 1)
        bench.date.advance(by: later)
        #expect(try await bench.number { Cached.Policy(.reload) } == 2)
        #expect(try await bench.number() == 2)
        #expect(bench.requestCount == 2)
    }

    @Test("A late 304 does not restore the version that it validates")
    func lateConfirmation() async throws {
        let (gate, count, date) = (Gate(), Lines(), MovableDate())
        let bench = CacheBench.serving(date: date) { request in
            let number = count.add("")
            let fields = Self.fields(number == 2 ? 1 : number, date.now.timeIntervalSince(MovableDate().now))
            if number == 2 {
                await gate.waitUntilOpen()
                return StubResponse(status: 304, headerFields: fields)
            }
            return .json("\(number)", headers: fields)
        }
        #expect(try await bench.number() == 1)
        date.advance(by: 1_000)
        async let slow = bench.number()
        await waitUntil { count.all.count == 2 }
        date.advance(by: 5)
        #expect(try await bench.number { Cached.Policy(.reload) } == 3)
        gate.open()
        #expect(try await slow == 1)
        #expect(try await bench.number() == 3)
        #expect(bench.requestCount == 3)
    }

    // The order in which a cache finds the entries depends on its salt.
    @Test(
        "If several cached responses match, the latest Date wins, and then the latest request",
        arguments: 1...8 as ClosedRange<UInt8>
    )
    func severalVariants(salt: UInt8) async throws {
        let (gate, count) = (Gate(), Lines())
        let cache = HTTPCache(
            MemoryStore(limit: 1_000_000),
            salt: [salt],
            maximumBytes: 1_000_000,
            maximumEntryBytes: nil
        )
        let bench = CacheBench.serving(cache: cache) { _ in
            let number = count.add("")
            if number == 1 { await gate.waitUntilOpen() }
            let vary = number == 1 ? ["Vary: Accept-Language"] : []
            return .json("\(number)", headers: HTTPFields(Self.fields(number, 0) + Array(HTTPFields(lines: vary))))
        }
        async let slow = bench.number()
        await waitUntil { count.all.count == 1 }
        bench.date.advance(by: 5)
        #expect(try await bench.number() == 2)
        gate.open()
        #expect(try await slow == 1)
        #expect(try await bench.number() == 2)
    }
}
