/// What a call has around it: time, chance, and what the calls of its client share.
package struct CallContext: Sendable {
    /// What is the same for all calls of a client.
    ///
    /// A class, because a call is copied at each of its steps.
    private final class Surroundings: Sendable {
        let time: Timeline
        let dates: DateSource
        let randomness: Randomness
        let shared: SharedState

        init(time: Timeline, dates: DateSource, randomness: Randomness, shared: SharedState) {
            self.time = time
            self.dates = dates
            self.randomness = randomness
            self.shared = shared
        }
    }

    private let surroundings: Surroundings

    /// When the call has to be over; nil where it may take any time.
    package var deadline: Deadline?

    /// The failures of the call's attempts so far, for a step above that may have to end without waiting for them;
    /// nil where there is none.
    var failedAttempts: Locked<[APIError]>?

    /// Who is told of it; nil where nobody is.
    package var reporting: Call.Reporting?

    package init(
        time: Timeline = Timeline(ContinuousClock()),
        dates: DateSource = .system,
        randomness: Randomness = .system,
        shared: SharedState = SharedState()
    ) {
        surroundings = Surroundings(time: time, dates: dates, randomness: randomness, shared: shared)
    }

    /// Time that goes on evenly.
    package var time: Timeline { surroundings.time }

    /// The date, as calendars and servers have it.
    package var dates: DateSource { surroundings.dates }

    /// Chance.
    package var randomness: Randomness { surroundings.randomness }

    /// What lasts longer than a call.
    package var shared: SharedState { surroundings.shared }
}
