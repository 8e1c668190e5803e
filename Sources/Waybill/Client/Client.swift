import Foundation

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
/// It is a value: copies are cheap, share the transport, and can be used from any task. A mistake in it, such as a base
/// URL without a host, is an error of every call that names it; nothing is sent.
public struct Client: Sendable {
    /// What a client has.
    ///
    /// A class, because each resource and each endpoint has its client.
    private final class Declared: Sendable {
        let transport: any Transport
        let context: CallContext
        let scopes: ClientScopes
        let scope: Scope

        init(_ transport: any Transport, _ context: CallContext, _ scopes: ClientScopes, _ scope: Scope) {
            self.transport = transport
            self.context = context
            self.scopes = scopes
            self.scope = scope
        }
    }

    private let declared: Declared

    package var transport: any Transport { declared.transport }

    package var context: CallContext { declared.context }

    /// What holds for every call.
    package var scopes: ClientScopes { declared.scopes }

    /// The scope of the clauses, with what it declares for operations of resources.
    package var scope: Scope { declared.scope }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - url: the URL below which all paths lie: scheme, host, and a path if there is one.
    ///   - transport: what carries requests.
    ///   - clock: what durations are measured with: time limits, waits before another attempt, intervals.
    ///   - dates: the date, with which the dates of servers are compared.
    ///   - randomness: of which waits and keys are made.
    ///   - defaults: what holds for every call, unless a nearer scope says otherwise.
    public init(
        _ url: URL,
        transport: some Transport = .default,
        clock: some Clock<Duration> = ContinuousClock(),
        dates: DateSource = .system,
        randomness: Randomness = .system,
        @ScopeBuilder _ defaults: () -> Scope = { Scope() }
    ) {
        var scope = defaults()
        scope.name = "client"
        scope.refuseRouteAndBody()
        declared = Declared(
            transport,
            CallContext(time: Timeline(clock), dates: dates, randomness: randomness),
            ClientScopes(base: BaseURL(url), scopes: [Self.defaults] + scope.flattened),
            scope
        )
    }

    /// The base URL.
    public var url: URL { scopes.base.url }

    /// What Waybill itself declares.
    private static let defaults: Scope = {
        var scope = Scope("Waybill")
        Header(.accept, "application/json").declare(in: &scope)
        BodyLimits(success: BodyLimits.defaultSuccess).declare(in: &scope)
        return scope
    }()
}

extension Client: CustomStringConvertible, CustomReflectable {
    /// The base URL; nothing of what is declared, which may be secret.
    public var description: String {
        "Client(\(HTTPURL(url)))"
    }

    /// The base URL, the type of the transport, and the settings; nothing that is secret.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": HTTPURL(url), "transport": "\(type(of: transport))", "settings": scopes.resolution.settings,
            ],
            displayStyle: .struct
        )
    }
}
