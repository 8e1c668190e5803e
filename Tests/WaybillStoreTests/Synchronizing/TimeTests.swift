import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@testable import struct WaybillStore.ServerTime

@Suite("Lists of changes since a time", .inTurn)
struct TimeTests {
    private static let delta = Store.Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted_at")

    @Test(
        "An item that changes in the same second as the last one is fetched, in every time format",
        arguments: Thoroughness.some(TimeForm.all, oneIn: 3),
        [true, false]
    )
    func sameSecond(form: TimeForm, isExclusive: Bool) async throws {
        let server = TimedServer(form, isExclusive: isExclusive, items: 2)
        let store = try await Store.manual()
        let products = store.collection(server.products) { Self.delta }
        try await store.synchronize()
        server.change { $0.put(3, at: 1_790_000_000.25) }
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.count() == 3)
        server.change { state in
            state.clock += 200_000
            state.put(4)
        }
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.count() == 4)
        #expect(server.change { $0.times.allSatisfy { form.read($0) != nil } })
    }

    private static let someForms = TimeForm.all.enumerated()
        .filter { Thoroughness.isWhole || $0.offset.isMultiple(of: 4) }
        .map(\.element)

    @Test(
        "An item that appears late, but within the overlap, is fetched",
        arguments: someForms,
        [true, false]
    )
    func late(form: TimeForm, isExclusive: Bool) async throws {
        let server = TimedServer(form, isExclusive: isExclusive, items: 2)
        let store = try await Store.manual()
        let products = store.collection(server.products) {
            Store.Delta(.updatedSince("updated_at", as: "since", overlap: .seconds(5)), deleted: "deleted_at")
        }
        try await store.synchronize()
        server.change { $0.put(3, at: 1_789_999_996.5) }
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.count() == 3)
    }

    @Test(
        "Shifting a time keeps its format",
        arguments: [
            ("2026-01-01T00:00:00Z", 1, "2025-12-31T23:59:59Z"), ("2024-03-01", 1, "2024-02-29"),
            ("2026-01-01 10:00:00.123456", 1, "2026-01-01 09:59:59.123456"),
            ("2026-01-01T10:00:00.1234567890123456789012+01:00", 1, "2026-01-01T09:59:59.1234567890123456780000+01:00"),
            ("2026-01-01T10:00Z", 1, "2026-01-01T09:59Z"), ("20260101T000000Z", 1, "20251231T235959Z"),
            ("Thu, 01 Jan 2026 00:00:00 GMT", 1, "Wed, 31 Dec 2025 23:59:59 GMT"),
            ("2026-01-01T10:00:00+01:00[Europe/Paris]", 3600, "2026-01-01T09:00:00+01:00[Europe/Paris]"),
            ("1969-12-31T23:59:59Z", 1, "1969-12-31T23:59:58Z"), ("1767225600", 1, "1767225599"),
            ("1767225600.500000", 1, "1767225599.500000"), ("1767225600123", 1, "1767225599123"),
            ("0000-01-01T00:00:00Z", 1, "0000-01-01T00:00:00Z"), ("01HZX3", 1, "01HZX3"),
            ("2026-01-01-rev5", 1, "2026-01-01-rev5"),
            ("2026-13-01T00:00:00Z", 1, "2026-13-01T00:00:00Z"), ("0", 1, "0"),
        ]
    )
    func moved(text: String, seconds: Int, moved: String) {
        #expect(ServerTime(.string(text))?.shifted(by: .seconds(-seconds)).text == moved)
    }

    @Test(
        "Times are compared by value, not as text",
        arguments: [
            ("2026-01-01T10:00:00Z", "2026-01-01T09:30:00-01:00"), ("999", "1000"), ("9.5", "10"),
            ("2026-01-01T10:00:00Z", "2026-01-01T10:00:00.5Z"), ("2026-01-01", "2026-01-02"),
            ("Thu, 01 Jan 2026 10:00:00 GMT", "Fri, 02 Jan 2026 09:00:00 GMT"), ("a", "b"),
            ("2026-01-01 10:00:00.5", "2026-01-01 10:00:00.51"),
        ]
    )
    func later(earlier: String, later: String) throws {
        let (first, second) = try (#require(ServerTime(.string(earlier))), #require(ServerTime(.string(later))))
        #expect(first.later(second) == second)
        #expect(second.later(first) == second)
    }

    @Test("The first synchronization of a list in ID order requests each page once, plus one more page")
    func firstRequests() async throws {
        let (count, size) = Thoroughness.isWhole ? (4_995, 100) : (95, 10)
        let server = TimedServer(.all[2], isExclusive: true, items: count, pageSize: size)
        server.change { state in for id in 1...count { state.put(id, at: 1_769_000_000 + Double(id * 1_000)) } }
        let store = try await Store.manual()
        let products = store.collection(server.products) { Self.delta }
        var counts: [Int] = []
        for _ in 0..<3 { counts.append(try await server.requests { try await store.synchronize() }) }
        #expect(counts == [(count + 5) / size + 1, 1, 1])
        #expect(try await products.count() == count)
    }

    @Test(
        "Items with one timestamp are fetched in full twice, and no more once the server's clock has passed it",
        arguments: [TimeForm.all[0], TimeForm.all[10], TimeForm.all[17]],
        [true, false]
    )
    func manyOfOneTime(form: TimeForm, isExclusive: Bool) async throws {
        let (count, size) = Thoroughness.isWhole ? (2_000, 100) : (100, 10)
        let server = TimedServer(form, isExclusive: isExclusive, items: count, pageSize: size)
        let store = try await Store.manual()
        let products = store.collection(server.products) { Self.delta }
        var counts: [Int] = []
        for _ in 0..<5 {
            counts.append(try await server.requests { try await store.synchronize() })
            server.change { $0.clock += 60 }
        }
        let pages = count / size + 1
        #expect(counts == [pages + 1, pages, 1, 1, 1])
        for id in count + 1...count + 3 {
            server.change { $0.put(id) }
            #expect(try await store.synchronize().isComplete)
            #expect(try await products.count() == id)
        }
    }

    @Test("Items with one timestamp are fetched again as long as another item may get it", arguments: [true, false])
    func withinOneSecond(isExclusive: Bool) async throws {
        let server = TimedServer(.all[0], isExclusive: isExclusive, items: 100, pageSize: 10)
        let store = try await Store.manual()
        let products = store.collection(server.products) { Self.delta }
        for id in 100...104 {
            server.change { $0.put(id, at: 1_790_000_000) }
            try await store.synchronize()
            #expect(try await products.count() == id)
        }
    }

    @Test("A change during the first walk is fetched by the end of that synchronization")
    func changedDuringFirstWalk() async throws {
        let server = TimedServer(.all[2], isExclusive: true, items: 30, pageSize: 10)
        let store = try await Store.manual()
        let products = store.collection(server.products) { Self.delta }
        server.change { state in
            state.beforePage = { state in
                guard state.requests == 2 else { return }
                state.put(1, "Changed")
                state.put(30, "Changed")
            }
        }
        try await store.synchronize()
        #expect(try await products.read(1)?.name == "Changed")
        #expect(try await products.read(30)?.name == "Changed")
    }
}
