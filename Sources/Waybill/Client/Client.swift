import WaybillSystem

/// A client of an API: the base URL, the transport, and the clauses that apply to every call.
///
/// ```swift
/// let client = Client(url) {
///     Authorization(.bearer { try await tokens.current() })
///     Envelope("data")
///     Problem(ShopProblem.self)
/// }
/// ```
///
/// A client is a value: copies are cheap, share the transport, and can be used from any task. A declaration error, such
/// as a base URL without a host, makes every call of the client fail without sending anything.
public struct Client: Sendable {
    /// The storage of a client.
    ///
    /// This is a class, so that the copy of the client in each resource and endpoint is a single reference.
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

    /// The scopes that apply to every call.
    package var scopes: ClientScopes { declared.scopes }

    /// The scope of the client's clauses, including those for the operations of resources.
    package var scope: Scope { declared.scope }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - url: the base URL of all paths, with a scheme, a host and optionally a path.
    ///   - transport: the transport for requests.
    ///   - clock: the clock for time limits, waits between attempts, intervals and other durations.
    ///   - dates: the source of the current date, used to evaluate dates from servers.
    ///   - randomNumberGenerator: the generator for random waits, keys and form boundaries, shared by all calls of the
    ///     client. Its `next()` is called with a lock held and must not block.
    ///   - defaults: the clauses that apply to every call, unless an inner scope overrides them.
    public init(
        _ url: URL,
        transport: some Transport = .default,
        clock: some Clock<Duration> = ContinuousClock(),
        dates: Client.DateProvider = .system,
        randomNumberGenerator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        @Scope.Builder _ defaults: () -> Scope = { Scope() }
    ) {
        var scope = defaults()
        scope.name = "client"
        scope.rejectRouteAndBody()
        let randomSource = RandomSource(randomNumberGenerator)
        declared = Declared(
            transport: transport,
            context: ClientContext(
                time: AnyClock(clock),
                dates: dates,
                randomSource: randomSource,
                site: url
            ),
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

    /// The clauses that Waybill declares for every client.
    private static let defaults: Scope = {
        var scope = Scope("Waybill")
        Header(.accept, "application/json").declare(in: &scope)
        BodyLimits(successBytes: BodyLimits.defaultSuccess).declare(in: &scope)
        return scope
    }()
}

extension Client: CustomStringConvertible, CustomReflectable {
    /// The base URL, with secrets redacted; the clauses are omitted.
    public var description: String {
        "Client(\(Redaction.url(url, secretNames: .usual)))"
    }

    /// The base URL, the type of the transport and the settings, with secrets redacted.
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
