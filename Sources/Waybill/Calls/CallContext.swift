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
        /// It is read to its end, and a long one is dropped while it arrives.
        case ignored
        /// It is left to the caller, who reads it while it arrives, finds problems in it, and ends the call.
        case left
        /// It is left to the caller as bytes, unless it is a declared problem.
        case leftAsBytes
        /// A step reads it within each attempt, so that a body that breaks off is a failed attempt.
        case step(any CallStep)

        /// Whether it is read before the call ends.
        package var isWhole: Bool {
            switch self {
            case .whole, .ignored: true
            case .left, .leftAsBytes, .step: false
            }
        }

        /// Whether its bytes do not matter.
        var isIgnored: Bool { if case .ignored = self { true } else { false } }

        /// Whether it is left to the caller.
        package var isLeft: Bool {
            switch self {
            case .left, .leftAsBytes: true
            case .whole, .ignored, .step: false
            }
        }

        /// Whether the call fails if the body of a successful response is a declared problem.
        var isCheckedForProblem: Bool {
            switch self {
            case .leftAsBytes, .step: true
            case .whole, .ignored, .left: false
            }
        }

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

/// The storage that outlasts a call: budgets, limits, circuit breakers, by their types and purposes.
package final class ClientStorage: Sendable {
    /// The states of one type, by their purposes.
    private final class Group<Purpose: Hashable & Sendable, State: AnyObject & Sendable>: Sendable {
        let states = Locked<[Purpose: State]>([:])
    }

    // Compared with type-erased keys, typed groups save 4 allocations and 0.5 µs for each look-up.
    private let groups = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    package init() {}

    /// Returns the state of a type for a purpose, and creates it at the first use.
    package func state<State: AnyObject & Sendable>(
        _ type: State.Type = State.self,
        for purpose: some Hashable & Sendable,
        make: () -> State
    ) -> State {
        group(of: State.self, by: purpose).states.withLock { states in
            if let state = states[purpose] { return state }
            let state = make()
            states[purpose] = state
            return state
        }
    }

    private func group<Purpose: Hashable & Sendable, State: AnyObject & Sendable>(
        of type: State.Type,
        by purpose: Purpose
    ) -> Group<Purpose, State> {
        groups.withLock { groups in
            let key = ObjectIdentifier(Group<Purpose, State>.self)
            if let group = groups[key] as? Group<Purpose, State> { return group }
            let group = Group<Purpose, State>()
            groups[key] = group
            return group
        }
    }
}

/// The source of random numbers for retry jitter and keys: a generator that the calls of a client share.
package struct RandomSource: Sendable {
    private let bits: @Sendable () -> UInt64

    private init(bits: @escaping @Sendable () -> UInt64) { self.bits = bits }

    /// Shares a generator.
    ///
    /// Its `next()` changes it, so that it runs under a lock: the only code of an app that does.
    package init(_ generator: some RandomNumberGenerator & Sendable) {
        // That of the system has no state to protect.
        guard !(generator is SystemRandomNumberGenerator) else {
            self = .system
            return
        }
        let shared = Locked(generator)
        bits = { shared.withLock { $0.next() } }
    }

    /// The random number generator of the system, whose numbers cannot be predicted.
    package static let system = RandomSource(bits: { .random(in: .min ... .max) })

    /// Returns 64 random bits.
    package func next() -> UInt64 { bits() }

    /// A random number from 0 up to, and not including, 1.
    package var fraction: Double { Double(next() >> 11) * 0x1p-53 }
}

/// The source of the date, with which the dates of servers are compared.
///
/// ```swift
/// let client = Client(url, dates: DateProvider { Date(timeIntervalSince1970: 1_800_000_000) })
/// ```
///
/// It is a type of its own because the standard library has no protocol for dates: the instants of a `Clock` measure
/// durations and need not be dates. A plain function would take the trailing closure of a ``Client``.
public struct DateProvider: Sendable {
    private let date: @Sendable () -> Date

    /// Creates a source that is asked each time; for tests.
    public init(_ date: @escaping @Sendable () -> Date) { self.date = date }

    /// The date of the system.
    public static let system = DateProvider { Date() }

    package var now: Date { date() }
}
