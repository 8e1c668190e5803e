/// The context of a call: time, random numbers, and the storage that the calls of its client share.
package struct CallContext: Sendable {
    /// The context that all calls of a client share.
    ///
    /// A class, because a call is copied at each of its steps.
    private final class SharedContext: Sendable {
        let time: AnyClock
        let deadlines: CallDeadlines
        let dates: DateProvider
        let randomSource: RandomSource
        let shared: ClientStorage

        init(time: AnyClock, dates: DateProvider, randomSource: RandomSource, shared: ClientStorage) {
            self.time = time
            deadlines = CallDeadlines(on: time)
            self.dates = dates
            self.randomSource = randomSource
            self.shared = shared
        }
    }

    private let sharedContext: SharedContext

    /// The deadline of the call; nil without one.
    package var deadline: Deadline?

    /// The failures of the call's attempts so far, for an outer step that may have to end without waiting for them; nil
    /// if no step needs them.
    var failedAttempts: Locked<[APIError]>?

    /// The state for reporting the call to its observers; nil if it has none.
    package var reporting: Call.Reporting?

    /// Whether the body of a successful response is left to the caller, who reads it while it arrives.
    package var isStreamed = false

    /// The step that reads the body of a successful response within each attempt, so that a body that breaks off is a
    /// failed attempt; nil if the body is left to the caller.
    package var bodyStep: (any CallStep)?

    /// Whether the next attempt continues a resumable upload, whose method does not matter then; nil for other calls.
    package var isContinuable: Locked<Bool>?

    /// Whether the transport passes on interim responses.
    package var hasInterimResponses = false

    package init(
        time: AnyClock = AnyClock(ContinuousClock()),
        dates: DateProvider = .system,
        randomSource: RandomSource = .system,
        shared: ClientStorage = ClientStorage()
    ) {
        sharedContext = SharedContext(time: time, dates: dates, randomSource: randomSource, shared: shared)
    }

    /// Monotonic time.
    package var time: AnyClock { sharedContext.time }

    /// The deadlines of the calls that are under way.
    package var deadlines: CallDeadlines { sharedContext.deadlines }

    /// The date, as calendars and servers have it.
    package var dates: DateProvider { sharedContext.dates }

    /// The source of random numbers.
    package var randomSource: RandomSource { sharedContext.randomSource }

    /// The storage that outlasts a call.
    package var shared: ClientStorage { sharedContext.shared }
}
