/// How many calls may be on their way at once, or may be sent in a time; the others wait for their turn.
///
/// ```swift
/// Client(url) {
///     Limit(concurrent: 8)                                    // at most 8 on their way
///     Limit(10, per: .seconds(1), scope: .host)               // at most 10 in any second, to each host
/// }
/// ```
///
/// They add up, nearer ones and farther ones: a call waits until all of its limits have a place for it. Calls with the
/// same limits go in the order in which they came. A declaration is one limit for all calls of a client that it holds
/// for: on a resource, for all the calls of that resource, wherever they are made; two declarations that say the same
/// are two limits, and one value that is declared twice is one.
///
/// A call has its place until the body of its response has been read, or it has failed. Redirects, the request that
/// follows a refreshed credential, and the call for that credential go with it; another attempt waits for a place of its own.
///
/// A server's own limit is heeded: after a 429 or 503 with `Retry-After`, and after a response that says that nothing
/// remains (`RateLimit`, `RateLimit-Remaining`, `X-RateLimit-Remaining` and the like), no call is sent until the moment
/// that it names. What is not a moment within a day is ignored. `Limit.byServer()` is a limit that
/// says nothing else.
///
/// A call fails with a ``RefusedFailure`` instead of waiting where too many wait already, where its turn would come
/// after its deadline as far as is known, and where the server names a moment that is farther away than `longestWait`.
///
/// Numbers and times that are not positive are mistakes: nothing is sent.
public struct Limit: RepeatableClause, Hashable {
    /// What shares a limit.
    public enum Extent: Sendable, Hashable {
        /// All calls of the client.
        case client
        /// Those that go to one origin: scheme, host and port.
        case host
    }

    /// What is counted.
    enum Kind: Sendable, Hashable {
        case concurrent(Int)
        case rate(Int, Duration)
        case byServer
    }

    /// Where a limit is declared, which tells it from others like it.
    private struct Place: Sendable, Hashable {
        let file: String
        let line: Int
        let column: Int
    }

    let kind: Kind
    let extent: Extent
    let waiting: Int
    let longestWait: Duration
    private let place: Place
    /// Whether it takes those of farther scopes away, and is none itself.
    let isNone: Bool

    /// So many calls on their way at once.
    ///
    /// - Parameters:
    ///   - count: the most calls, at least 1.
    ///   - scope: which calls count.
    ///   - waiting: how many calls may wait; one more fails at once.
    ///   - longestWait: how long a call waits for a moment that the server names.
    ///   - file: with `line` and `column` what tells the limit from others; leave them out.
    ///   - line: see `file`.
    ///   - column: see `file`.
    public init(
        concurrent count: Int,
        scope: Extent = .client,
        waiting: Int = 1000,
        longestWait: Duration = .seconds(60),
        file: String = #fileID,
        line: Int = #line,
        column: Int = #column
    ) {
        self.init(.concurrent(count), scope, waiting, longestWait, Place(file: file, line: line, column: column))
    }

    /// So many calls sent in any stretch of time of that length.
    ///
    /// - Parameters:
    ///   - count: the most calls, at least 1; so many moments are kept.
    ///   - interval: the stretch of time.
    ///   - scope: which calls count.
    ///   - waiting: how many calls may wait; one more fails at once.
    ///   - longestWait: how long a call waits for a moment that the server names.
    ///   - file: with `line` and `column` what tells the limit from others; leave them out.
    ///   - line: see `file`.
    ///   - column: see `file`.
    public init(
        _ count: Int,
        per interval: Duration,
        scope: Extent = .client,
        waiting: Int = 1000,
        longestWait: Duration = .seconds(60),
        file: String = #fileID,
        line: Int = #line,
        column: Int = #column
    ) {
        self.init(.rate(count, interval), scope, waiting, longestWait, Place(file: file, line: line, column: column))
    }

    private init(
        _ kind: Kind,
        _ extent: Extent,
        _ waiting: Int,
        _ longestWait: Duration,
        _ place: Place,
        isNone: Bool = false
    ) {
        self.kind = kind
        self.extent = extent
        self.waiting = waiting
        self.longestWait = longestWait
        self.place = place
        self.isNone = isNone
    }

    /// No number of its own: calls wait when the server says so, and not else.
    ///
    /// - Parameters:
    ///   - scope: which calls wait.
    ///   - waiting: how many calls may wait; one more fails at once.
    ///   - longestWait: how long a call waits for a moment that the server names.
    ///   - file: with `line` and `column` what tells the limit from others; leave them out.
    ///   - line: see `file`.
    ///   - column: see `file`.
    public static func byServer(
        scope: Extent = .client,
        waiting: Int = 1000,
        longestWait: Duration = .seconds(60),
        file: String = #fileID,
        line: Int = #line,
        column: Int = #column
    ) -> Limit {
        Limit(.byServer, scope, waiting, longestWait, Place(file: file, line: line, column: column))
    }

    /// Whether it counts what is sent in a time.
    var isRate: Bool { if case .rate = kind { true } else { false } }

    /// No limit, whatever farther scopes say.
    public static let none = Limit(
        .byServer,
        .client,
        0,
        .zero,
        Place(file: "", line: 0, column: 0),
        isNone: true
    )

    /// Declares the limit.
    public func declare(in scope: inout Scope) {
        for mistake in mistakes { scope.declare(mistake) }
        scope.declare(LimitRules(limits: [self]))
    }
}

extension Limit: CustomStringConvertible {
    /// What may be, and for which calls: `8 at once`, `10 in 1.0 seconds to each host`.
    public var description: String {
        let text =
            switch kind {
            case _ where isNone: "none"
            case .concurrent(let count): "\(count) at once"
            case .rate(let count, let interval): "\(count) in \(interval)"
            case .byServer: "by the server"
            }
        return extent == .host ? text + " to each host" : text
    }
}
