import Foundation
import TestSupport
import Testing

@testable import WaybillStore

@Suite("The life cycle of an outbox entry")
struct DeliveryStateTests {
    /// An event that affects an entry, its request, or its item on the server.
    enum Event: Sendable, Hashable, CaseIterable {
        // An attempt, and the outcome of its request.
        case processed, processedAndLost, lostOnTheWay, notSent
        case rejected, stoppedBeforeProcessing, conflicting, failed, processedAndFailed, later, unauthorized, stale
        case ended
        // Actions of the app or its user.
        case edited, retried, confirmed, resolved
        // An effect of a synchronization.
        case changedThere
    }

    /// An entry, the item that it changes, and a server that implements idempotency keys as the draft specifies.
    struct World: Hashable {
        var request: DeliveryState.RequestTraits
        /// The entry's state, or `nil` after the entry has left the outbox.
        var state: DeliveryState? = DeliveryState(phase: .waiting)
        /// The number of times that the server has applied the change.
        var applied = 0
        /// Whether the server has stored a result for the current key.
        var hasResult = false
        /// Whether the entry has a request whose key and body may not change.
        var hasRequest = false
        /// Whether a user chose to send it once more although it may have been applied.
        var isDoubledOnPurpose = false
        var inconclusive = 0
        var events: [Event] = []

        /// Processes the request under its key, as draft-ietf-httpapi-idempotency-key-header-07 specifies.
        mutating func process() {
            if request.hasKey, hasResult { return }
            hasResult = true
            // Repeating an idempotent request changes nothing.
            if applied == 0 || !request.isRepeatable || request.hasKey { applied += 1 }
        }
    }

    /// Returns the world after an event, or `nil` if the event cannot happen now.
    private func world(_ old: World, after event: Event) -> World? {
        guard var state = old.state else { return nil }
        var new = old
        new.events.append(event)
        func end(_ state: DeliveryState?) -> World {
            new.state = state
            if state.map({ !$0.isPossiblyApplied && $0.phase != .sending }) ?? true {
                // The next attempt is a new request with a new key.
                (new.hasRequest, new.hasResult, new.inconclusive) = (false, false, 0)
            }
            return new
        }
        func reply(_ reply: DeliveryState.Reply) -> World? {
            guard state.phase == .waiting else { return nil }
            state = state.claimed(old.request)
            guard state.phase == .sending else { return end(state) }
            if reply.isInconclusive { new.inconclusive += 1 }
            var traits = old.request
            traits.isExhausted = new.inconclusive >= 2
            switch state.consequence(of: reply, to: traits) {
            case .done: return end(nil)
            // The version read shows the change, or the rule allows sending over that version.
            case .compares: return end(old.applied > 0 ? nil : DeliveryState(phase: .waiting))
            case .becomes(let next): return end(next)
            }
        }
        switch event {
        case .processed:
            guard state.phase == .waiting, state.claimed(old.request).phase == .sending else { return nil }
            new.process()
            return end(nil)
        case .processedAndLost:
            if state.phase == .waiting, state.claimed(old.request).phase == .sending { new.process() }
            return reply(.lost)
        case .lostOnTheWay: return reply(.lost)
        case .notSent: return reply(.notSent)
        case .rejected:
            // The server processes the request and rejects it, but never one that it has applied before.
            guard !old.hasResult, old.applied == 0 else { return nil }
            return reply(.rejected)
        case .stoppedBeforeProcessing: return reply(.rejected)
        case .conflicting:
            // Without an earlier attempt, the conflict means that the server has a different version.
            guard state.isPossiblyApplied || old.applied == 0 else { return nil }
            return reply(.conflicting)
        case .failed: return reply(.failed)
        case .processedAndFailed:
            if state.phase == .waiting, state.claimed(old.request).phase == .sending { new.process() }
            return reply(.failed)
        case .later: return reply(.later)
        case .unauthorized: return reply(.unauthorized)
        case .stale:
            guard !old.request.isCreation else { return nil }
            return reply(.stale)
        case .ended:
            guard state.phase == .waiting else { return nil }
            state = state.claimed(old.request)
            return end(state.restarted)
        case .edited:
            // The edit becomes part of the entry, or a later entry that leaves this one alone.
            return state.isCombinable ? end(DeliveryState(phase: .waiting)) : new
        case .retried:
            guard state.needsAttention, let next = state.retried(old.request) else { return nil }
            if state.isPossiblyApplied, !next.isPossiblyApplied { new.isDoubledOnPurpose = true }
            new.inconclusive = 0
            return end(next)
        case .confirmed:
            guard state.endsIfReflected, old.applied > 0 else { return nil }
            return end(nil)
        case .resolved:
            guard state.phase == .conflict else { return nil }
            return end(DeliveryState(phase: .waiting))
        case .changedThere:
            guard state.comparesServerVersions else { return new }
            return end(DeliveryState(phase: .conflict))
        }
    }

    static let requests: [DeliveryState.RequestTraits] = [
        .init(isRepeatable: true, hasKey: true, isCreation: true),
        .init(isRepeatable: false, hasKey: false, isCreation: true),
        .init(isRepeatable: true, hasKey: true, isCreation: false),
        .init(isRepeatable: true, hasKey: false, isCreation: false),
        .init(isRepeatable: false, hasKey: false, isCreation: false),
    ]

    @Test("No sequence of events loses a write, applies it twice, or leaves it stuck", arguments: requests)
    func search(_ request: DeliveryState.RequestTraits) {
        let depth = Thoroughness.repetitions(6, otherwise: 4)
        var worlds: Set<World> = [World(request: request)]
        var count = 0
        for _ in 0..<depth {
            var next: Set<World> = []
            for world in worlds {
                for event in Event.allCases {
                    guard let after = self.world(world, after: event) else { continue }
                    check(after)
                    // Equal states have equal futures, whatever their history.
                    var state = after
                    state.events = world.events.isEmpty ? [event] : after.events
                    next.insert(state)
                    count += 1
                }
            }
            worlds = Set(Dictionary(grouping: next) { Self.key($0) }.compactMap(\.value.first))
        }
        #expect(count > 100)
    }

    private static func key(_ world: World) -> World {
        var key = world
        key.events = []
        return key
    }

    private func check(_ world: World) {
        let path = "\(world.events)"
        // Applied twice.
        #expect(world.applied <= 1 || world.isDoubledOnPurpose, "applied twice: \(path)")
        guard let state = world.state else {
            // Lost: the entry has left the outbox, and the server never applied it.
            #expect(world.applied > 0 || world.events.last == .rejected, "lost: \(path)")
            return
        }
        // An applied change is never reported as unapplied.
        #expect(state.isPossiblyApplied || world.applied == 0 || world.isDoubledOnPurpose, "denied: \(path)")
        // A user can act on an entry that needs attention. Any other entry is sent automatically.
        let exits: [Event] = state.needsAttention ? [.retried, .resolved] : [.processed]
        #expect(exits.contains { self.world(world, after: $0) != nil } || state.phase == .waiting, "stuck: \(path)")
    }

    // MARK: The table of the documentation

    @Test("Architecture.md contains the table of replies and states")
    func table() throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let begin = try #require(page.range(of: "<!-- entry life begin -->\n"))
        let end = try #require(page.range(of: "<!-- entry life end -->"))
        let table = page[begin.upperBound..<end.lowerBound].trimmingCharacters(in: .newlines)
        #expect(table == Self.table, "\n\(Self.table)\n")
    }

    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Documentation/Operate/Architecture.md")

    /// The kinds of requests shown as table columns.
    private static let columns: [(title: String, request: DeliveryState.RequestTraits)] = [
        ("With a key", .init(isRepeatable: true, hasKey: true, isCreation: false)),
        ("PUT, DELETE, or with `If-Match`", .init(isRepeatable: true, hasKey: false, isCreation: false)),
        ("POST or PATCH without either", .init(isRepeatable: false, hasKey: false, isCreation: false)),
    ]

    private static func title(_ reply: DeliveryState.Reply) -> String {
        switch reply {
        case .applied: "success"
        case .gone: "404 or 410 of a DELETE"
        case .notSent: "not sent: no connection, an open circuit"
        case .lost: "no response: a lost connection, a timeout"
        case .unreadable: "success that cannot be read"
        case .later: "408, 425, 429, 503, 507"
        case .unauthorized: "401, no credential"
        case .conflicting: "409 of a change"
        case .stale: "412, 428, 404 of a change"
        case .rejected: "another 4xx, 501, an error of the declaration"
        case .failed: "another 5xx"
        }
    }

    private static var table: String {
        let titles = ["Reply"] + columns.map(\.title)
        let rows = DeliveryState.Reply.allCases.map { reply in
            [title(reply)]
                + columns.map { column in
                    let cells = [false, true].map { isPossiblyApplied in
                        let state = DeliveryState(phase: .waiting, isPossiblyApplied: isPossiblyApplied).claimed(
                            column.request
                        )
                        guard state.phase == .sending else { return "not sent" }
                        return switch state.consequence(of: reply, to: column.request) {
                        case .done: "done"
                        case .compares: "compared"
                        case .becomes(let next):
                            next.isPossiblyApplied && next.phase == .waiting ? "waiting, possibly" : next.phase.rawValue
                        }
                    }
                    return cells[0] == cells[1] ? cells[0] : cells.joined(separator: "; ")
                }
        }
        let lines = [titles, titles.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }
}
