import Foundation

extension RefreshingToken {
    typealias Outcome = Result<IssuedSecret, any Error>
    typealias Waiter = CheckedContinuation<Outcome, Never>

    /// A refresh that is under way.
    struct Flight: Sendable {
        /// The number of the token that it is to replace.
        let number: Int
        let occasion: Occasion
    }

    /// The token, and who waits for the next one.
    struct State {
        private(set) var token: AccessToken?
        /// Rises with each token, so that one can be told from the one before.
        private(set) var number = 0
        /// Whether it was refused, and nobody could wait for another one.
        var isRefused = false
        /// What the server asked for last.
        var challenges: [Challenge] = []

        private var expiry: Date?
        private var refreshStart: Date?
        private var isDated = false
        /// The number of the token in whose place a refresh is under way.
        private var flight: Int?
        private var waiters: [UUID: Waiter] = [:]

        init(token: AccessToken?) { self.token = token }

        var waiterCount: Int { waiters.count }

        var isRefreshing: Bool { flight == number }

        /// The token as it can be sent.
        func issued(wasAwaited: Bool = false) -> IssuedSecret {
            IssuedSecret(text: token?.value, number: number, wasAwaited: wasAwaited)
        }

        /// Where it is in its life.
        enum Age { case missing, good, ending, over }

        /// How old the token is at a date, which is taken for its start where it has none.
        mutating func age(at date: Date, refreshBefore: Duration) -> Age {
            guard token != nil else { return .missing }
            guard !isRefused else { return .over }
            setDates(from: date, refreshBefore: refreshBefore, isNew: false)
            guard let expiry, date < expiry else { return expiry == nil ? .good : .over }
            return refreshStart.map { date >= $0 } ?? false ? .ending : .good
        }

        private mutating func setDates(from start: Date, refreshBefore: Duration, isNew: Bool) {
            guard !isDated, let token else { return }
            isDated = true
            switch token.expiry {
            case .unknown: return
            case .date(let date): expiry = date
            case .lifetime(let lifetime): expiry = start.addingTimeInterval(lifetime.timeInterval)
            }
            guard let expiry else { return }
            // One that lives shorter than that would be refreshed by each call.
            let half = expiry.timeIntervalSince(start) / 2
            let isShort = isNew || token.expiry != .date(expiry)
            let ahead = isShort ? min(refreshBefore.timeInterval, half) : refreshBefore.timeInterval
            refreshStart = expiry.addingTimeInterval(-max(0, ahead))
        }

        /// Takes note that the refresh of a token begins; nil where it is under way, or where there is another token.
        mutating func begin(after number: Int) -> Flight? {
            guard number == self.number, flight != number else { return nil }
            flight = number
            return Flight(number: number, occasion: Occasion(token: token, challenges: challenges))
        }

        /// Has somebody wait for the refresh that is under way.
        mutating func wait(_ id: UUID, _ waiter: Waiter) { waiters[id] = waiter }

        /// Has somebody wait no longer.
        mutating func forget(_ id: UUID) -> Waiter? { waiters.removeValue(forKey: id) }

        /// Puts another token in place, and says who is to be told what.
        mutating func replace(with token: AccessToken?) -> (waiters: [Waiter], outcome: Outcome) {
            install(token)
            challenges = []
            return (takeWaiters(), token == nil ? .failure(TokenTakenAway()) : .success(issued()))
        }

        /// Ends the refresh of a token that began at a date, and says who is to be told what.
        mutating func end(
            _ number: Int,
            _ result: Result<AccessToken, any Error>,
            since date: Date,
            refreshBefore: Duration
        ) -> (waiters: [Waiter], outcome: Outcome) {
            // Another token has been put in place meanwhile; nobody waits for this one.
            guard flight == number, self.number == number else { return ([], .failure(TokenTakenAway())) }
            flight = nil
            switch result {
            case .success(let token):
                install(token)
                setDates(from: date, refreshBefore: refreshBefore, isNew: true)
                return (takeWaiters(), .success(issued(wasAwaited: true)))
            case .failure(let error): return (takeWaiters(), .failure(error))
            }
        }

        private mutating func install(_ token: AccessToken?) {
            self.token = token
            number += 1
            flight = nil
            (isRefused, isDated, expiry, refreshStart) = (false, false, nil, nil)
        }

        private mutating func takeWaiters() -> [Waiter] {
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }
}

extension Duration {
    fileprivate var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}

/// The app has put no token in the place of the one that was awaited.
struct TokenTakenAway: Error, CustomStringConvertible {
    let description = "the token was taken away while a call waited for it to be refreshed"
}
