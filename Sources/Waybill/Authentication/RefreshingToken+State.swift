import WaybillSystem

extension RefreshingToken {
    typealias Outcome = Result<IssuedSecret, any Error>

    /// A refresh in flight.
    struct InFlightRefresh: Sendable {
        /// The sequence number of the token to replace.
        let number: Int
        let context: RefreshContext
    }

    /// The token, its lifetime, and the calls waiting for the next one.
    struct State {
        private(set) var token: AccessToken?
        /// The sequence number of the token.
        private(set) var number = 0
        /// Whether the token was rejected in a call that could not be retried.
        var isRejected = false
        /// The header fields of the latest rejection; nil before the first one.
        var rejection: HTTPFields?

        private var expiry: Date?
        private var refreshStart: Date?
        private var isDated = false
        /// The sequence number of the token being refreshed; nil if no refresh is in flight.
        private var inFlight: Int?
        var waiters = Waiters<Outcome>()

        init(token: AccessToken?) { self.token = token }

        var isRefreshing: Bool { inFlight == number }

        /// Returns the token to send.
        func issued(wasAwaited: Bool = false) -> IssuedSecret {
            IssuedSecret(text: token?.value, number: number, wasAwaited: wasAwaited)
        }

        /// The stages of a token's lifetime.
        enum Age { case missing, good, ending, over }

        /// Returns the token's stage at a date.
        ///
        /// If the token's lifetime has not started, it starts at the given date.
        mutating func age(at date: Date, refreshBefore: Duration) -> Age {
            guard token != nil else { return .missing }
            guard !isRejected else { return .over }
            setDates(from: date, refreshBefore: refreshBefore)
            guard let expiry, date < expiry else { return expiry == nil ? .good : .over }
            return refreshStart.map { date >= $0 } ?? false ? .ending : .good
        }

        /// Sets the token's expiry date and the date to start refreshing it.
        ///
        /// - Parameters:
        ///   - start: the start of the token's lifetime.
        ///   - arrival: the arrival date of a refreshed token; nil for a token set by the app.
        ///   - refreshBefore: how long before expiry to refresh the token.
        private mutating func setDates(from start: Date, arrival: Date? = nil, refreshBefore: Duration) {
            guard !isDated, let token else { return }
            isDated = true
            switch token.expiry {
            case .unknown: return
            case .date(let date): expiry = date
            case .lifetime(let lifetime): expiry = start.addingTimeInterval(lifetime.timeInterval)
            }
            guard let expiry else { return }
            // The server has just issued the token, so a clock must be wrong. If the expiry were kept, every call would
            // refresh the token again.
            if let arrival, expiry <= arrival {
                self.expiry = nil
                return
            }
            // Without this limit, every call would refresh a token whose lifetime is shorter than `refreshBefore`.
            let half = expiry.timeIntervalSince(start) / 2
            let isShort = arrival != nil || token.expiry != .date(expiry)
            let ahead = isShort ? min(refreshBefore.timeInterval, half) : refreshBefore.timeInterval
            refreshStart = expiry.addingTimeInterval(-max(0, ahead))
        }

        /// Records the start of a refresh; returns nil if one is already in flight or the token has been replaced.
        mutating func begin(after number: Int) -> InFlightRefresh? {
            guard number == self.number, inFlight != number else { return nil }
            inFlight = number
            return InFlightRefresh(number: number, context: RefreshContext(token: token, headerFields: rejection ?? []))
        }

        /// Replaces the token, and returns the waiters and their shared outcome.
        mutating func replace(with token: AccessToken?) -> (waiters: [Waiter<Outcome>], outcome: Outcome) {
            install(token)
            rejection = nil
            return (waiters.removeAll(), token == nil ? .failure(TokenTakenAway()) : .success(issued()))
        }

        /// Ends the refresh of a token, and returns the waiters and their shared outcome.
        ///
        /// - Parameters:
        ///   - number: the sequence number of the token to replace.
        ///   - result: the result of the refresh.
        ///   - date: the start of the refresh.
        ///   - arrival: the end of the refresh.
        ///   - refreshBefore: how long before expiry to refresh the new token.
        /// - Returns: the waiters and their shared outcome.
        mutating func end(
            _ number: Int,
            _ result: Result<AccessToken, any Error>,
            since date: Date,
            arrival: Date,
            refreshBefore: Duration
        ) -> (waiters: [Waiter<Outcome>], outcome: Outcome) {
            // The token has already been replaced, which resumed its waiters.
            guard inFlight == number, self.number == number else { return ([], .failure(TokenTakenAway())) }
            inFlight = nil
            switch result {
            case .success(let token):
                install(token)
                setDates(from: date, arrival: arrival, refreshBefore: refreshBefore)
                return (waiters.removeAll(), .success(issued(wasAwaited: true)))
            case .failure(let error): return (waiters.removeAll(), .failure(error))
            }
        }

        private mutating func install(_ token: AccessToken?) {
            self.token = token
            number += 1
            inFlight = nil
            (isRejected, isDated, expiry, refreshStart) = (false, false, nil, nil)
        }
    }
}

extension Duration {
    fileprivate var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}

/// The error for calls that were waiting for a refresh when the token was removed.
struct TokenTakenAway: Error, CustomStringConvertible {
    let description = "the token was removed while a call waited for its refresh"
}
