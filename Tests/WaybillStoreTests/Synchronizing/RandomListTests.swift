import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@Suite("Lists that change randomly while they are fetched", .inTurn, .safetyNet)
struct RandomListTests {
    /// A kind of list and of its requests for changes.
    struct Kind: Sendable, CustomTestStringConvertible {
        let order: LogServer.Order
        /// The overlap by which server times may go back, or `nil` for a list that is always fetched in full.
        let overlap: Int?
        /// Whether pages contain tokens.
        ///
        /// Otherwise, they contain links, which may be list positions.
        let hasTokens: Bool

        var testDescription: String {
            "\(order), overlap \(overlap.map { "\($0)" } ?? "none"), \(hasTokens ? "tokens" : "links")"
        }

        static let all: [Kind] =
            [.byID, .byTime, .newestFirst].flatMap { order in
                [nil, 0, 4].flatMap { overlap in
                    [false, true].map { Kind(order: order, overlap: overlap, hasTokens: $0) }
                }
            } + [false, true].map { Kind(order: .feed, overlap: 0, hasTokens: $0) }

        var delta: Store.Delta? {
            if order == .feed { return Store.Delta(.cursor, deleted: "deleted") }
            return overlap.map {
                Store.Delta(.updatedSince("updated_at", as: "since", overlap: .seconds($0)), deleted: "deleted")
            }
        }

        /// Whether an item that changes during a fetch never moves to an earlier page.
        var isSteady: Bool { order == .byID || order == .feed }
    }

    @Test(
        "After a synchronization without faults, the rows match the server",
        arguments: Thoroughness.some(Kind.all, oneIn: 3)
    )
    func random(_ kind: Kind) async throws {
        for seed in 1...UInt64(Thoroughness.repetitions(8, otherwise: 1)) { try await run(kind, seed) }
    }

    private func run(_ kind: Kind, _ seed: UInt64) async throws {
        let comment: Comment = "\(kind.testDescription), seed \(seed)"
        let server = LogServer(kind.order)
        let chaos = Locked(Chaos(seed: seed, overlap: kind.overlap ?? 0))
        server.change { state in for _ in 0..<12 { chaos.withLock { $0.edit(&state) } } }
        let store = try await Store.manual()
        let products = store.collection((kind.hasTokens ? server.shopWithTokens : server.shop).products) {
            if let delta = kind.delta { delta }
        }
        for _ in 0..<8 {
            server.change { state in
                for _ in 0..<3 { chaos.withLock { $0.edit(&state) } }
                state.beforePage = { state in chaos.withLock { $0.beforePage(&state) } }
            }
            let known = Set(try await products.elements().map(\.id))
            let living = Set(server.products.map(\.id))
            let hasEnded = try await store.synchronize().failures.isEmpty
            let rows = Set(try await products.elements().map(\.id))
            let kept = known.intersection(living).subtracting(chaos.withLock { $0.deleted })
            if kind.isSteady { #expect(kept.isSubset(of: rows), comment) }
            // A resumed walk misses items recreated behind its position.
            let dead = Set(1...14).subtracting(server.products.map(\.id))
            if hasEnded { chaos.withLock { $0.deleted = dead } }
        }
        server.change { $0.beforePage = nil }
        let report = try await store.synchronize()
        #expect(report.isComplete, comment)
        let rows = try await products.elements().sorted { $0.id < $1.id }
        let found = rows.map { "\($0.id): \($0.price)" }
        #expect(found == server.products.map { "\($0.id): \($0.price)" }, comment)
        await store.close()
    }
}

/// Random changes and faults of a server.
private struct Chaos: Sendable {
    private var random: SplitMix64
    private let overlap: Int
    /// The items that were absent at some time since the last completed walk.
    var deleted: Set<Int> = []

    init(seed: UInt64, overlap: Int) {
        random = SplitMix64(seed: seed)
        self.overlap = overlap
    }

    /// Returns a random number below a bound.
    private mutating func number(below count: Int) -> Int { Int(random.next() % UInt64(count)) }

    /// Creates, changes, or deletes an item, perhaps at the same time as another item or earlier.
    mutating func edit(_ server: inout LogServer.State) {
        let id = 1 + number(below: 14)
        // Never before the start of the overlap.
        let time = number(below: 3) == 0 ? server.latest + 1 : server.latest - number(below: overlap + 1)
        if number(below: 3) == 0 {
            deleted.insert(id)
            server.delete(id, at: time)
        } else {
            server.put(id, at: time)
        }
    }

    /// Changes the server while its list is fetched.
    mutating func beforePage(_ server: inout LogServer.State) -> LogServer.Fault? {
        if number(below: 2) == 0 { edit(&server) }
        server.pageSize = 1 + number(below: 5)
        switch number(below: 12) {
        case 0: return .status(500)
        case 1: return .status(410)
        case 2: return .itemWithoutID(number(below: 5))
        default: return nil
        }
    }
}
