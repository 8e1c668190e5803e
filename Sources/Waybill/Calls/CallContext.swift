/// What a call has around it: time, chance, and what the calls of its client share.
package struct CallContext: Sendable {
    /// Time that goes on evenly.
    package let time: Timeline

    /// The date, as calendars and servers have it.
    package let dates: DateSource

    /// Chance.
    package let randomness: Randomness

    /// What lasts longer than a call.
    package let shared: SharedState

    /// When the call has to be over; nil where it may take any time.
    package var deadline: Deadline?

    /// Who is told of it; nil where nobody is.
    package var reporting: Call.Reporting?

    package init(
        time: Timeline = Timeline(ContinuousClock()),
        dates: DateSource = .system,
        randomness: Randomness = .system,
        shared: SharedState = SharedState()
    ) {
        self.time = time
        self.dates = dates
        self.randomness = randomness
        self.shared = shared
    }
}
