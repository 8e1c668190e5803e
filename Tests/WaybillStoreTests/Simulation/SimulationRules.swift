import Foundation
import Waybill
import WaybillTesting

@testable import WaybillStore

/// The rules of a simulation, derived from a seed.
struct SimulationRules: Sendable {
    /// Whether items have entity tags and the server honors `If-Match`.
    let hasTags: Bool
    /// Whether the server recognizes a repeated POST or PATCH by its key.
    let hasKeys: Bool
    /// Whether the list of teams supports requests for changes.
    let hasDelta: Bool
    let pageSize: Int
    /// The probability of a fault per request.
    let faults: Double
    /// The users of each store, or a single `nil` for stores without users.
    let users: [String?]
    /// Whether access to items is revoked and restored.
    let hasRevocations: Bool
    /// Whether clients can update to a second version of the program.
    let hasUpdate: Bool
    /// Whether individual SQLite calls fail.
    let hasDiskErrors: Bool
    /// Whether a user resolves conflicts.
    ///
    /// Otherwise, the client's changes win.
    let asks: Bool

    /// Whether the server detects changes that overwrite others.
    ///
    /// Then there are no faults, so no change arrives late or twice.
    let checksOverwriting: Bool

    init(_ random: inout StoreGenerator) {
        asks = random.chance(0.5)
        checksOverwriting = asks && random.chance(0.5)
        hasTags = random.chance(checksOverwriting ? 0.2 : 0.5)
        hasKeys = random.chance(0.6)
        hasDelta = random.chance(0.5)
        pageSize = random.chance(0.5) ? Int(random.next() >> 8 % 4) + 2 : 100
        faults = checksOverwriting ? 0 : [0, 0.1, 0.3][Int(random.next() >> 8 % 3)]
        users = random.chance(0.4) ? ["ada", "bob"] : [nil]
        hasRevocations = random.chance(0.4)
        hasUpdate = random.chance(0.4)
        hasDiskErrors = !checksOverwriting && random.chance(0.5)
    }
}

extension StoreGenerator {
    mutating func chance(_ probability: Double) -> Bool {
        Double((next() >> 11) % 1_000_000) / 1_000_000 < probability
    }

    mutating func element<Value>(of values: [Value]) -> Value? {
        values.isEmpty ? nil : values[Int((next() >> 16) % UInt64(values.count))]
    }
}

private let isTracing = ProcessInfo.processInfo.environment["WAYBILL_SIMULATION_TRACE"] != nil

/// Prints the simulation's steps if `WAYBILL_SIMULATION_TRACE` is set.
func trace(_ text: @autoclosure () -> String, _ more: @autoclosure () -> String = "") {
    if isTracing { print(text() + more()) }
}

/// SQLite in a process that ends at one of its calls, or on a disk that fails once.
final class SimulatedDisk: Sendable {
    private struct State {
        var made = 0
        var end = Int.max
        var failing = Int.max
        var fault = FaultyLibrary.Fault.before(.full)
    }

    private let state = Locked(State())

    /// Ends the process after a number of further calls: all later calls fail, except for rollbacks.
    func end(after count: Int) { state.withLock { $0.end = $0.made + count } }

    /// Makes one later call fail.
    func fail(after count: Int, by fault: FaultyLibrary.Fault) {
        state.withLock { state in
            state.failing = state.made + count
            state.fault = fault
        }
    }

    /// Stops failing calls, and returns whether one has failed.
    func work() -> Bool {
        state.withLock { state in
            defer { state.failing = .max }
            return state.made >= state.failing
        }
    }

    var hasEnded: Bool { state.withLock { $0.made >= $0.end } }

    var library: SQLiteLibrary {
        SQLiteLibrary { [state] call, make in
            let (hasEnded, fault) = state.withLock { state in
                state.made += 1
                return (state.made >= state.end, state.made == state.failing ? state.fault : nil)
            }
            if hasEnded { return call.text == "ROLLBACK" ? make() : ResultCode.inputOutput.rawValue }
            switch fault {
            case nil: return make()
            case .before(let code)?: return code.rawValue
            case .after(let code)?:
                _ = make()
                return code.rawValue
            }
        }
    }
}
