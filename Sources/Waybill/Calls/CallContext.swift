import WaybillSystem

/// The context that all calls of a client share: time, random numbers, and the storage that outlasts a call.
package final class ClientContext: Sendable {
    /// Monotonic time.
    package let time: AnyClock

    /// The deadlines of the calls that are under way.
    package let deadlines: CallDeadlines

    /// The date, as calendars and servers have it.
    package let dates: DateProvider

    /// The source of random numbers.
    package let randomSource: RandomSource

    /// The storage that outlasts a call.
    package let storage: ClientStorage

    package init(
        time: AnyClock = AnyClock(ContinuousClock()),
        dates: DateProvider = .system,
        randomSource: RandomSource = .system,
        storage: ClientStorage = ClientStorage()
    ) {
        self.time = time
        deadlines = CallDeadlines(on: time)
        self.dates = dates
        self.randomSource = randomSource
        self.storage = storage
    }
}

/// The context of one call, made once: its deadline, its observers, what becomes of its body, and the facts that its
/// steps leave for each other.
///
/// `@unchecked Sendable`: the facts are only touched while the lock is held; nothing else changes.
package final class CallContext: @unchecked Sendable {
    /// The use of the body of a successful response.
    package enum BodyUse: Sendable {
        /// It is read into memory before the call ends.
        case whole
        /// It is left to the caller, who reads it while it arrives and ends the call.
        case left
        /// A step reads it within each attempt, so that a body that breaks off is a failed attempt.
        case step(any CallStep)

        /// Whether it is read into memory.
        package var isWhole: Bool { if case .whole = self { true } else { false } }

        /// Whether it is left to the caller.
        package var isLeft: Bool { if case .left = self { true } else { false } }

        /// The step that reads it; nil if none does.
        package var step: (any CallStep)? { if case .step(let step) = self { step } else { nil } }
    }

    package let client: ClientContext

    /// The deadline of the call; nil without one.
    package let deadline: Deadline?

    /// The state for reporting the call to its observers; nil if it has none.
    package let reporting: Call.Reporting?

    package let bodyUse: BodyUse

    /// Whether the transport passes on interim responses.
    package let hasInterimResponses: Bool

    private struct Facts {
        var failedAttempts: [APIError] = []
        var isContinuable = false
        var sentSecrets: [CallSecrets] = []
    }

    private let lock = Lock()
    private var facts = Facts()

    package init(
        client: ClientContext = ClientContext(),
        deadline: Deadline? = nil,
        reporting: Call.Reporting? = nil,
        bodyUse: BodyUse = .whole,
        hasInterimResponses: Bool = false
    ) {
        self.client = client
        self.deadline = deadline
        self.reporting = reporting
        self.bodyUse = bodyUse
        self.hasInterimResponses = hasInterimResponses
    }
}

extension CallContext {
    /// Monotonic time.
    package var time: AnyClock { client.time }

    /// The deadlines of the calls that are under way.
    package var deadlines: CallDeadlines { client.deadlines }

    /// The date, as calendars and servers have it.
    package var dates: DateProvider { client.dates }

    /// The source of random numbers.
    package var randomSource: RandomSource { client.randomSource }

    /// The storage that outlasts a call.
    package var storage: ClientStorage { client.storage }

    /// The failures of the attempts so far, for an outer step that may have to end without waiting for them.
    package var failedAttempts: [APIError] {
        get { lock.withLock { facts.failedAttempts } }
        set { lock.withLock { facts.failedAttempts = newValue } }
    }

    /// Whether the next attempt continues a resumable upload, whose method does not matter then.
    package var isContinuable: Bool {
        get { lock.withLock { facts.isContinuable } }
        set { lock.withLock { facts.isContinuable = newValue } }
    }

    /// The secrets of the requests that were sent, for a middleware that records the call.
    package var sentSecrets: [CallSecrets] {
        get { lock.withLock { facts.sentSecrets } }
        set { lock.withLock { facts.sentSecrets = newValue } }
    }

    /// Adds the secrets of a request that was sent.
    package func note(_ secrets: CallSecrets) { lock.withLock { facts.sentSecrets.append(secrets) } }
}
