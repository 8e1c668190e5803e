/// An API that an app talks to: a client, and the resources and endpoints that are declared on it.
///
/// ```swift
/// struct Shop: API {
///     let client: Client
///
///     var products: Resource<Product, ReadWrite> { resource("products") }
///
///     func search(_ text: String) -> Endpoint<[Product]> {
///         endpoint {
///             GET("products/search")
///             Query("q", text)
///         }
///     }
/// }
/// ```
public protocol API: Sendable {
    /// The client of every call.
    var client: Client { get }
}

/// A client can be used without declaring an API around it.
extension Client: API {
    /// Itself.
    public var client: Client { self }
}

extension API {
    /// Declares an endpoint whose response has a value.
    ///
    /// The value is a ``ResponseContent``, or anything else that is `Decodable`; an optional one is nil if the body is
    /// empty, or null below its envelope, and `Data` is the body as it came.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - clauses: a route, and further clauses.
    /// - Returns: the endpoint.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Value> {
        Endpoint(client: client, declaration: clauses(), reader: .decoding())
    }

    /// Declares an endpoint whose response's body does not matter.
    public func endpoint(@Scope.EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        Endpoint(client: client, declaration: clauses(), reader: .ignoring)
    }
}

// The messages of HTTP are a part of what an app sees.
@_exported import WaybillHTTP
