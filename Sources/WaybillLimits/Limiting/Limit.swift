import Waybill

/// A limit on the number of concurrent calls, or on the rate of calls; further calls wait for their turn.
///
/// ```swift
/// Client(url) {
///     Limit(concurrent: 8)                                    // at most 8 in flight
///     Limit(10, per: .seconds(1), to: .eachOrigin)            // at most 10 in any second, to each origin
/// }
/// ```
///
/// Limits of nested scopes combine: a call waits until all of its limits permit it. Calls with the same limits are sent
/// in arrival order. Each declaration is one limit, shared by all calls in its scope: all calls of a resource share a
/// limit declared on that resource, wherever they are made. Two equal declarations are two limits, but a single value
/// declared in two places is one limit.
///
/// A call holds its permits until its response body has been read or the call has failed. Redirected requests, and a
/// request repeated with a refreshed credential, use the same permits. The call that refreshes the credential also uses
/// them, but counts toward rates. Each retry waits for new permits.
///
/// Limits reported by the server apply, too. After a 429 or 503 with `Retry-After`, or a response that reports no
/// remaining requests (in `RateLimit`, `RateLimit-Remaining`, `X-RateLimit-Remaining` or a similar field), no call is
/// sent until the stated time. `Retry-After` takes precedence over the other fields, including those of earlier
/// responses. Times more than a day ahead are ignored. `Limit.byServer()` applies only the server's limits.
///
/// With `pacedBelow`, calls slow down before the quota is exhausted: once a response reports fewer remaining requests
/// than that number, they are spread over the rest of the server's window. If the server reports several quotas, the
/// strictest one applies. A quota in `RateLimit-Policy` also paces the window after the reported one, so that waiting
/// calls are not all sent at once. Quotas in units other than requests are ignored.
///
/// A call fails with an `APIError.RejectedFailure` instead of waiting if too many calls are already waiting, if its
/// turn is certain to come after its deadline, or if its total wait due to the server's limits would exceed
/// `maximumWait`.
///
/// A count below 1, a nonpositive interval or one over 365 days, and a negative `waiting` or `maximumWait` are
/// declaration errors, as is a `pacedBelow` below 1; nothing is sent.
public struct Limit: Scope.RepeatableClause, Hashable {
    /// The destination of the calls that share a limit.
    public enum Destination: Sendable, Hashable {
        /// Calls to any origin share one limit.
        case allOrigins
        /// Each origin (scheme, host and port) has a separate limit.
        case eachOrigin
    }

    /// The limited quantity.
    enum Kind: Sendable, Hashable {
        case concurrent(Int)
        case rate(Int, Duration)
        case byServer
    }

    let kind: Kind
    let destination: Destination
    let waiting: Int
    let maximumWait: Duration
    /// The number of remaining requests below which calls are spread over the rest of the server's window.
    let pacedBelow: Int?
    private let site: DeclarationSite
    /// Whether the declaration removes the limits of outer scopes.
    let isNone: Bool

    /// Creates a limit on the number of concurrent calls.
    ///
    /// - Parameters:
    ///   - count: the maximum number of concurrent calls, at least 1.
    ///   - destination: whether all calls share the limit, or only those to the same origin.
    ///   - waiting: the maximum number of waiting calls, at least 0; further calls fail immediately.
    ///   - maximumWait: the maximum total time that a call waits due to the server's limits.
    ///   - pacedBelow: the number of remaining requests reported by the server, at least 1, below which calls are
    ///     spread over the rest of the server's window; nil to send calls unpaced until none remain.
    ///   - file: the file of the declaration. With `line` and `column`, it identifies the limit; use the default.
    ///   - line: the line of the declaration; use the default.
    ///   - column: the column of the declaration; use the default.
    public init(
        concurrent count: Int,
        to destination: Destination = .allOrigins,
        waiting: Int = 1000,
        maximumWait: Duration = .seconds(60),
        pacedBelow: Int? = nil,
        file: String = #fileID,
        line: Int = #line,
        column: Int = #column
    ) {
        self.init(
            .concurrent(count),
            destination: destination,
            waiting: waiting,
            maximumWait: maximumWait,
            pacedBelow: pacedBelow,
            site: DeclarationSite(file: file, line: line, column: column)
        )
    }

    /// Creates a limit on the number of calls in any interval of a given length.
    ///
    /// - Parameters:
    ///   - count: the maximum number of calls, at least 1; the limit stores a timestamp for each of them.
    ///   - interval: the length of the interval, at most 365 days.
    ///   - destination: whether all calls share the limit, or only those to the same origin.
    ///   - waiting: the maximum number of waiting calls, at least 0; further calls fail immediately.
    ///   - maximumWait: the maximum total time that a call waits due to the server's limits.
    ///   - pacedBelow: the number of remaining requests reported by the server, at least 1, below which calls are
    ///     spread over the rest of the server's window; nil to send calls unpaced until none remain.
    ///   - file: the file of the declaration. With `line` and `column`, it identifies the limit; use the default.
    ///   - line: the line of the declaration; use the default.
    ///   - column: the column of the declaration; use the default.
    public init(
        _ count: Int,
        per interval: Duration,
        to destination: Destination = .allOrigins,
        waiting: Int = 1000,
        maximumWait: Duration = .seconds(60),
        pacedBelow: Int? = nil,
        file: String = #fileID,
        line: Int = #line,
        column: Int = #column
    ) {
        self.init(
            .rate(count, interval),
            destination: destination,
            waiting: waiting,
            maximumWait: maximumWait,
            pacedBelow: pacedBelow,
            site: DeclarationSite(file: file, line: line, column: column)
        )
    }

    private init(
        _ kind: Kind,
        destination: Destination,
        waiting: Int,
        maximumWait: Duration,
        pacedBelow: Int? = nil,
        site: DeclarationSite,
        isNone: Bool = false
    ) {
        self.kind = kind
        self.destination = destination
        self.waiting = waiting
        self.maximumWait = maximumWait
        self.pacedBelow = pacedBelow
        self.site = site
        self.isNone = isNone
    }

    /// Returns a limit that applies only limits reported by the server.
    ///
    /// - Parameters:
    ///   - destination: whether all calls share the limit, or only those to the same origin.
    ///   - waiting: the maximum number of waiting calls, at least 0; further calls fail immediately.
    ///   - maximumWait: the maximum total time that a call waits due to the server's limits.
    ///   - pacedBelow: the number of remaining requests reported by the server, at least 1, below which calls are
    ///     spread over the rest of the server's window; nil to send calls unpaced until none remain.
    ///   - file: the file of the declaration. With `line` and `column`, it identifies the limit; use the default.
    ///   - line: the line of the declaration; use the default.
    ///   - column: the column of the declaration; use the default.
    /// - Returns: the limit.
    public static func byServer(
        to destination: Destination = .allOrigins,
        waiting: Int = 1000,
        maximumWait: Duration = .seconds(60),
        pacedBelow: Int? = nil,
        file: String = #fileID,
        line: Int = #line,
        column: Int = #column
    ) -> Limit {
        Limit(
            .byServer,
            destination: destination,
            waiting: waiting,
            maximumWait: maximumWait,
            pacedBelow: pacedBelow,
            site: DeclarationSite(file: file, line: line, column: column)
        )
    }

    /// Whether this is a limit on the rate of calls.
    var isRate: Bool { if case .rate = kind { true } else { false } }

    /// No limit, even if outer scopes declare limits.
    public static let none = Limit(
        .byServer,
        destination: .allOrigins,
        waiting: 0,
        maximumWait: .zero,
        site: .none,
        isNone: true
    )

    /// Declares the limit; invalid values are declaration errors.
    ///
    /// - Parameter scope: the scope that declares it.
    public func declare(in scope: inout Scope) {
        for declarationError in declarationErrors { scope.declare(declarationError) }
        scope.declare(LimitRules(limits: [self]))
    }
}

extension Limit: CustomStringConvertible {
    /// The limit and the calls that share it: `8 at once, paced below 20`, `10 in 1 s to each origin`.
    public var description: String {
        let text =
            switch kind {
            case _ where isNone: "none"
            case .concurrent(let count): "\(count) at once"
            case .rate(let count, let interval): "\(count) in \(interval.shown)"
            case .byServer: "by the server"
            }
        let paced = pacedBelow.map { ", paced below \($0)" } ?? ""
        return (destination == .eachOrigin ? text + " to each origin" : text) + paced
    }
}

extension Limit {
    /// The errors in the declared values.
    var declarationErrors: [Scope.DeclarationError] {
        guard !isNone else { return [] }
        var declarationErrors: [Scope.DeclarationError] = []
        func reject(_ value: String, _ reason: String) {
            declarationErrors.append(Scope.DeclarationError(clause: "Limit", value: value, reason: reason))
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
        if maximumWait < .zero {
            reject("maximumWait: \(maximumWait.shown)", "give a time, or .zero for no wait at all")
        }
        if let pacedBelow, pacedBelow < 1 {
            reject("pacedBelow: \(pacedBelow)", "no call would be paced; give 1 or more, or omit it")
        }
        return declarationErrors
    }

    /// One year: a longer interval is not a plausible rate, and sums of shorter ones stay far below the maximum
    /// `Duration`.
    static var longestInterval: Duration { .seconds(365 * 86_400) }
}

/// The limits of a call, outermost first.
package struct LimitRules: Setting {
    package static let clauseName = "Limit"

    let limits: [Limit]

    package static var accumulates: Bool { true }

    package func merged(over outer: LimitRules) -> LimitRules {
        if let last = limits.lastIndex(where: \.isNone) { return LimitRules(limits: Array(limits[last...])) }
        return LimitRules(limits: outer.limits + limits.filter { !outer.limits.contains($0) })
    }

    /// The limits other than ``Limit/none``.
    package var effective: [Limit] { limits.filter { !$0.isNone } }

    package var summary: String { limits.map(\.description).joined(separator: ", ") }
}
