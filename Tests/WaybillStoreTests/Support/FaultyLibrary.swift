import Waybill
import WaybillStore

/// SQLite with one failing call.
final class FaultyLibrary: Sendable {
    /// The way in which the call fails.
    enum Fault: Sendable, Hashable, CustomStringConvertible {
        /// The call is not made.
        case before(ResultCode)
        /// The call is made, and its result is lost.
        case after(ResultCode)

        static let all: [Fault] = [.before(.full), .before(.inputOutput), .before(.busy), .after(.inputOutput)]

        var description: String {
            switch self {
            case .before(let code): "code \(code.rawValue), not made"
            case .after(let code): "code \(code.rawValue), made"
            }
        }
    }

    private struct State {
        var count = 0
        var texts: [String] = []
        var isFailing = true
    }

    private let number: Int?
    private let fault: Fault
    private let state = Locked(State())

    /// - Parameter number: The number of the failing call, starting at 1, or `nil` for no failure.
    init(failing number: Int? = nil, by fault: Fault = .before(.full)) {
        self.number = number
        self.fault = fault
    }

    /// The number of calls so far.
    var count: Int { state.withLock { $0.count } }

    /// The texts of the stepped statements, in order.
    var texts: [String] { state.withLock { $0.texts } }

    /// A library for a database.
    var library: SQLiteLibrary {
        SQLiteLibrary { [self] call, make in
            let count = state.withLock { state in
                state.count += 1
                if call.function == .step { state.texts.append(call.text) }
                return state.count
            }
            guard count == number else { return make() }
            switch fault {
            case .before(let code): return code.rawValue
            case .after(let code):
                _ = make()
                return code.rawValue
            }
        }
    }
}
