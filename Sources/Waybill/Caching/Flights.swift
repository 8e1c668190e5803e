import Foundation

/// How a shared transfer ended.
struct Landing: Sendable {
    let result: Result<HTTPResponse, APIError>
    /// Whether it failed when the time of the call that began it was up.
    var isLate = false
}

/// The transfers of a client that calls can share, and who waits for them.
final class Flights: Sendable {
    /// What a wait came to.
    enum Outcome: Sendable {
        case landed(Landing)
        /// The waiting task was cancelled.
        case left
    }

    private struct Flight: Sendable {
        let key: FlightKey
        /// How many calls share it.
        var members = 1
        var waiters: [UUID: CheckedContinuation<Outcome, Never>] = [:]
        var task: Task<Void, Never>?
        var landing: Landing?
    }

    private struct State: Sendable {
        var nextNumber = 0
        var flights: [Int: Flight] = [:]
        /// The flights that can be joined.
        var open: [FlightKey: Int] = [:]

        /// Takes a member out of a flight; gives the task that nobody waits for any more.
        mutating func leave(_ number: Int) -> Task<Void, Never>? {
            guard var flight = flights[number] else { return nil }
            flight.members -= 1
            flights[number] = flight
            guard flight.members == 0 else { return nil }
            flights[number] = nil
            if open[flight.key] == number { open[flight.key] = nil }
            return flight.landing == nil ? flight.task : nil
        }
    }

    private let state = Locked(State())

    /// Those of a call's client.
    static func shared(by call: Call) -> Flights { call.context.shared.state(for: "coalescing") { Flights() } }

    /// Joins the flight of a key, or makes it.
    func join(_ key: FlightKey) -> (number: Int, isFirst: Bool) {
        state.withLock { state in
            if let number = state.open[key] {
                state.flights[number]?.members += 1
                return (number, false)
            }
            state.nextNumber += 1
            state.flights[state.nextNumber] = Flight(key: key)
            state.open[key] = state.nextNumber
            return (state.nextNumber, true)
        }
    }

    /// Notes the task in which a flight goes on.
    func started(_ number: Int, _ task: Task<Void, Never>) {
        state.withLock { $0.flights[number]?.task = task }
    }

    /// Waits for the end of a flight.
    ///
    /// Each call that has joined waits once.
    func outcome(of number: Int) async -> Outcome {
        let id = UUID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (outcome, task): (Outcome?, Task<Void, Never>?) = state.withLock { state in
                    // A cancellation that comes after this question finds the waiter in the dictionary.
                    if Task.isCancelled { return (.left, state.leave(number)) }
                    if let landing = state.flights[number]?.landing {
                        return (.landed(landing), state.leave(number))
                    }
                    state.flights[number]?.waiters[id] = continuation
                    return (nil, nil)
                }
                task?.cancel()
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let (waiter, task) = state.withLock { state in
                guard let waiter = state.flights[number]?.waiters.removeValue(forKey: id) else {
                    return (CheckedContinuation<Outcome, Never>?.none, Task<Void, Never>?.none)
                }
                return (waiter, state.leave(number))
            }
            task?.cancel()
            waiter?.resume(returning: .left)
        }
    }

    /// Ends a flight.
    func land(_ number: Int, _ landing: Landing) {
        let waiters = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
            guard var flight = state.flights[number] else { return [] }
            if state.open[flight.key] == number { state.open[flight.key] = nil }
            let waiters = Array(flight.waiters.values)
            flight.waiters = [:]
            flight.members -= waiters.count
            flight.landing = landing
            // Whoever has joined and does not wait yet takes the landing from here.
            state.flights[number] = flight.members > 0 ? flight : nil
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: .landed(landing)) }
    }

    /// Has nobody join the flights to a URL any more.
    func close(_ url: URL) {
        state.withLock { state in
            for key in state.open.keys where key.url == url { state.open[key] = nil }
        }
    }

    /// How many calls share a transfer, by transfer.
    var memberCounts: [Int] { state.withLock { $0.flights.values.map(\.members) } }
}
