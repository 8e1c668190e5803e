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
    /// The client through which every call goes.
    var client: Client { get }
}

/// A client can be used without declaring an API around it.
extension Client: API {
    /// Itself.
    public var client: Client { self }
}

extension API {
    /// Declares an endpoint that answers with a value.
    ///
    /// The value is anything `Decodable`; an optional one is nil where the body is empty, or null below its envelope, and `Data` is the
    /// body as it came.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        @EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Value> {
        Endpoint(client: client, declaration: clauses(), reader: .decoding())
    }

    /// Declares an endpoint whose answer's body does not matter.
    public func endpoint(@EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        Endpoint(client: client, declaration: clauses(), reader: .ignoring)
    }
}
