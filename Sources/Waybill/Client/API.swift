/// An API used by an app: a client, and the resources and endpoints declared on it.
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
    /// The client for all calls.
    var client: Client { get }
}

/// A client is also an API, without declared resources or endpoints.
extension Client: API {
    /// The client itself.
    public var client: Client { self }
}

extension API {
    /// Declares an endpoint that returns a value from the response.
    ///
    /// The value can be a ``ResponseContent`` or any other `Decodable` type. An optional value is nil if the body is
    /// empty, or if the value in its envelope is null. A value of type `Data` is the undecoded body.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - clauses: a route and further clauses.
    /// - Returns: the endpoint.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Value> {
        Endpoint(client: client, declaration: clauses(), reader: .decoding())
    }

    /// Declares an endpoint that ignores the response body.
    ///
    /// - Parameters:
    ///   - type: `Void`.
    ///   - clauses: a route and further clauses.
    /// - Returns: the endpoint.
    public func endpoint(_ type: Void.Type, @Scope.EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        Endpoint(client: client, declaration: clauses(), reader: .ignoring)
    }

    /// Declares an endpoint that ignores the response body.
    ///
    /// - Parameter clauses: a route and further clauses.
    /// - Returns: the endpoint.
    public func endpoint(@Scope.EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        Endpoint(client: client, declaration: clauses(), reader: .ignoring)
    }
}

// Apps use the HTTP message types directly.
@_exported import WaybillHTTP
