/// A limit on the calls that are in flight at once, or that are sent in a stretch of time; the others wait for their
/// turn.
///
/// ```swift
/// Client(url) {
///     Limit(concurrent: 8)                                    // at most 8 on their way
///     Limit(10, per: .seconds(1), scope: .host)               // at most 10 in any second, to each host
/// }
/// ```
///
/// Limits of inner and outer scopes add up: a call waits until all of its limits have a permit for it. Calls with the
/// same limits go in the order in which they came. A declaration is one limit for all calls of a client that it holds
/// for: on a resource, for all the calls of that resource, wherever they are made. Two equal declarations are two
/// limits, and one value that is declared twice is one.
///
/// A call holds its permit until the body of its response has been read, or it has failed. Redirects, the request that
/// follows a refreshed credential, and the call for that credential share it; another attempt waits for a permit of its
/// own.
///
/// A server's own limit is heeded: after a 429 or 503 with `Retry-After`, and after a response that says that nothing
/// remains (`RateLimit`, `RateLimit-Remaining`, `X-RateLimit-Remaining` and the like), no call is sent until the moment
/// that it names. `Retry-After` takes precedence over the other fields, of earlier responses too. Moments that are more
/// than a day away are ignored. `Limit.byServer()` is a limit with no number of its own.
///
/// A call fails with an ``APIError/RejectedFailure`` instead of waiting if too many wait already, if its turn is known
/// to come after its deadline, or if it would wait longer than `longestWait`, all in all, for moments that the server
/// names.
///
/// Numbers and times that are not positive are declaration errors: nothing is sent.
public struct Limit: RepeatableClause, Hashable {
    /// The calls that share a limit.
    public enum Extent: Sendable, Hashable {
        /// All calls of the client.
        case client
        /// Those that go to one origin: scheme, host and port.
        case host
    }

    /// The quantity that is limited.
    enum Kind: Sendable, Hashable {
        case concurrent(Int)
        case rate(Int, Duration)
        case byServer
    }

    let kind: Kind
    let extent: Extent
    let waiting: Int
    let longestWait: Duration
    private let site: DeclarationSite
    /// Whether it removes the limits of outer scopes.
    let isNone: Bool

    /// Creates a limit on the calls that are in flight at once.
    ///
    /// - Parameters:
    ///   - count: the most calls, at least 1.
    ///   - scope: the calls that count.
    ///   - waiting: the most calls that may wait; one more fails at once.
    ///   - longestWait: the time that a call waits in all for moments that the server names.
    ///   - file: with `line` and `column` the limit's identity; leave them out.
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
        self.init(
            .concurrent(count),
            extent: scope,
            waiting: waiting,
            longestWait: longestWait,
            site: DeclarationSite(file: file, line: line, column: column)
        )
    }

    /// Creates a limit on the calls that are sent in any stretch of time of a length.
    ///
    /// - Parameters:
    ///   - count: the most calls, at least 1; that many moments are kept.
    ///   - interval: the stretch of time.
    ///   - scope: the calls that count.
    ///   - waiting: the most calls that may wait; one more fails at once.
    ///   - longestWait: the time that a call waits in all for moments that the server names.
    ///   - file: with `line` and `column` the limit's identity; leave them out.
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
        self.init(
            .rate(count, interval),
            extent: scope,
            waiting: waiting,
            longestWait: longestWait,
            site: DeclarationSite(file: file, line: line, column: column)
        )
    }

    private init(
        _ kind: Kind,
        extent: Extent,
        waiting: Int,
        longestWait: Duration,
        site: DeclarationSite,
        isNone: Bool = false
    ) {
        self.kind = kind
        self.extent = extent
        self.waiting = waiting
        self.longestWait = longestWait
        self.site = site
        self.isNone = isNone
    }

    /// Returns a limit without a number: calls wait only for moments that the server names.
    ///
    /// - Parameters:
    ///   - scope: the calls that wait.
    ///   - waiting: the most calls that may wait; one more fails at once.
    ///   - longestWait: the time that a call waits in all for moments that the server names.
    ///   - file: with `line` and `column` the limit's identity; leave them out.
    ///   - line: see `file`.
    ///   - column: see `file`.
    /// - Returns: the limit.
    public static func byServer(
        scope: Extent = .client,
        waiting: Int = 1000,
        longestWait: Duration = .seconds(60),
        file: String = #fileID,
        line: Int = #line,
        column: Int = #column
    ) -> Limit {
        Limit(
            .byServer,
            extent: scope,
            waiting: waiting,
            longestWait: longestWait,
            site: DeclarationSite(file: file, line: line, column: column)
        )
    }

    /// Whether it limits the rate of calls.
    var isRate: Bool { if case .rate = kind { true } else { false } }

    /// No limit, even if outer scopes declare some.
    public static let none = Limit(
        .byServer,
        extent: .client,
        waiting: 0,
        longestWait: .zero,
        site: .none,
        isNone: true
    )

    /// Declares the limit.
    public func declare(in scope: inout Scope) {
        for declarationError in declarationErrors { scope.declare(declarationError) }
        scope.declare(LimitRules(limits: [self]))
    }
}

extension Limit: CustomStringConvertible {
    /// The limit and its calls: `8 at once`, `10 in 1 s to each host`.
    public var description: String {
        let text =
            switch kind {
            case _ where isNone: "none"
            case .concurrent(let count): "\(count) at once"
            case .rate(let count, let interval): "\(count) in \(interval.shown)"
            case .byServer: "by the server"
            }
        return extent == .host ? text + " to each host" : text
    }
}

extension Limit {
    /// The declaration errors of a limit.
    var declarationErrors: [DeclarationError] {
        guard !isNone else { return [] }
        var declarationErrors: [DeclarationError] = []
        func reject(_ value: String, _ reason: String) {
            declarationErrors.append(DeclarationError(clause: "Limit", value: value, reason: reason))
        }
        switch kind {
        case .concurrent(let count) where count < 1:
            reject("concurrent: \(count)", "no call could ever be sent; give 1 or more, or Limit.none")
        case .rate(let count, let interval) where count < 1 || interval <= .zero:
            reject(
                "\(count), per: \(interval.shown)",
                "a rate needs at least 1 call and a positive time; give both, or Limit.none"
            )
        case .rate(let count, let interval) where interval > Self.longestInterval:
            reject(
                "\(count), per: \(interval.shown)",
                "the time is too long; give one of up to \(Self.longestInterval.shown)"
            )
        default: break
        }
        if waiting < 0 { reject("waiting: \(waiting)", "give the number of calls that may wait, zero or more") }
        if longestWait < .zero {
            reject("longestWait: \(longestWait.shown)", "give a time, or .zero for no wait at all")
        }
        return declarationErrors
    }

    /// A year: more would not be a rate, and this keeps sums of such times far below the limits of `Duration`.
    static var longestInterval: Duration { .seconds(365 * 86_400) }
}

/// The limits of a call, the outermost first.
package struct LimitRules: Setting {
    package static let clauseName = "Limit"

    let limits: [Limit]

    package static var accumulates: Bool { true }

    package func merged(over outer: LimitRules) -> LimitRules {
        if let last = limits.lastIndex(where: \.isNone) { return LimitRules(limits: Array(limits[last...])) }
        return LimitRules(limits: outer.limits + limits.filter { !outer.limits.contains($0) })
    }

    /// Those that count.
    package var effective: [Limit] { limits.filter { !$0.isNone } }

    package var summary: String { limits.map(\.description).joined(separator: ", ") }
}
