import WaybillSystem

/// An API's base URL, the transport that reaches it, and what holds for every call to it.
///
/// ```swift
/// let client = Client(url) {
///     Authorization(.bearer { try await tokens.current() })
///     Envelope("data")
///     Problem(ShopProblem.self)
/// }
/// ```
///
/// It is a value: copies are cheap, share the transport, and can be used from any task. A declaration error in it, such
/// as a base URL without a host, is an error of every call that names it; nothing is sent.
public struct Client: Sendable {
    /// The content of a client.
    ///
    /// A class, because each resource and each endpoint has its client.
    private final class Declared: Sendable {
        let transport: any Transport
        let context: ClientContext
        let scopes: ClientScopes
        let scope: Scope

        init(transport: any Transport, context: ClientContext, scopes: ClientScopes, scope: Scope) {
            self.transport = transport
            self.context = context
            self.scopes = scopes
            self.scope = scope
        }
    }

    private let declared: Declared

    package var transport: any Transport { declared.transport }

    package var context: ClientContext { declared.context }

    /// The scopes that hold for every call.
    package var scopes: ClientScopes { declared.scopes }

    /// The scope of the clauses, with what it declares for operations of resources.
    package var scope: Scope { declared.scope }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - url: the URL below which all paths lie: scheme, host, and a path if there is one.
    ///   - transport: the transport of requests.
    ///   - clock: the clock of durations: time limits, waits before another attempt, intervals.
    ///   - dates: the date, with which the dates of servers are compared.
    ///   - randomNumberGenerator: the generator of waits, keys and boundaries of forms. All calls of the client share
    ///     it, and its `next()` changes it: it runs under a lock, and must not wait for anything.
    ///   - defaults: the clauses that hold for every call, unless an inner scope declares others.
    public init(
        _ url: URL,
        transport: some Transport = .default,
        clock: some Clock<Duration> = ContinuousClock(),
        dates: DateProvider = .system,
        randomNumberGenerator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        @Scope.Builder _ defaults: () -> Scope = { Scope() }
    ) {
        var scope = defaults()
        scope.name = "client"
        scope.rejectRouteAndBody()
        let randomSource = RandomSource(randomNumberGenerator)
        declared = Declared(
            transport: transport,
            context: ClientContext(time: AnyClock(clock), dates: dates, randomSource: randomSource),
            scopes: ClientScopes(
                base: BaseURL(url),
                scopes: [Self.defaults] + scope.flattened,
                randomBits: randomSource.next
            ),
            scope: scope
        )
    }

    /// The base URL.
    public var url: URL { scopes.base.url }

    /// The clauses that Waybill itself declares.
    private static let defaults: Scope = {
        var scope = Scope("Waybill")
        Header(.accept, "application/json").declare(in: &scope)
        BodyLimits(success: BodyLimits.defaultSuccess).declare(in: &scope)
        return scope
    }()
}

extension Client: CustomStringConvertible, CustomReflectable {
    /// The base URL; the clauses may be secret.
    public var description: String {
        "Client(\(Redaction.url(url, secretNames: .usual)))"
    }

    /// The base URL, the type of the transport, and the settings; nothing that is secret.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": Redaction.url(url, secretNames: .usual), "transport": "\(type(of: transport))",
                "settings": scopes.configuration.settings,
            ],
            displayStyle: .struct
        )
    }
}
