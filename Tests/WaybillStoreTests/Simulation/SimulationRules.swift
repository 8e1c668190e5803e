import Foundation
import Waybill
import WaybillTesting

@testable import WaybillStore

/// The rules of a simulation, drawn from a seed.
struct SimulationRules: Sendable {
    /// Whether items have entity tags, and `If-Match` is obeyed.
    let hasTags: Bool
    /// Whether the repetition of a POST or PATCH is recognized by its key.
    let hasKeys: Bool
    /// Whether the list of teams can be asked for changes.
    let hasDelta: Bool
    let pageSize: Int
    /// The probability that a request meets a fault.
    let faults: Double
    /// The users who share each store; a single nil for stores without users.
    let users: [String?]
    /// Whether access to items is taken away and given again.
    let hasRevocations: Bool
    /// Whether a second version of the program follows the first.
    let hasUpdate: Bool
    /// Whether single calls of SQLite fail.
    let hasDiskErrors: Bool
    /// Whether a person decides on conflicting changes; if not, those of the client win.
    let asks: Bool

    /// Whether the server finds changes that overwrite others: no fault lets one arrive late or twice.
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

/// Prints what a simulation does, if `WAYBILL_SIMULATION_TRACE` is set.
func trace(_ text: @autoclosure () -> String, _ more: @autoclosure () -> String = "") {
    if isTracing { print(text() + more()) }
}

/// SQLite of a process that ends at one of its calls, or of a disk that fails once.
final class SimulatedDisk: Sendable {
    private struct State {
        var made = 0
        var end = Int.max
        var failing = Int.max
        var fault = FaultyLibrary.Fault.before(.full)
    }

    private let state = Locked(State())

    /// Lets the process end after a number of further calls: all later ones fail, but for those that give up.
    func end(after count: Int) { state.withLock { $0.end = $0.made + count } }

    /// Lets one of the further calls fail.
    func fail(after count: Int, by fault: FaultyLibrary.Fault) {
        state.withLock { state in
            state.failing = state.made + count
            state.fault = fault
        }
    }

    /// Lets no further call fail; returns whether one has.
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
