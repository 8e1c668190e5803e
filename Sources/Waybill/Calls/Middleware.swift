/// Stands between a call and the transport: sees each request and its response, and can change or replace both.
///
/// ```swift
/// struct Trace: Middleware {
///     func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
///         var request = request
///         request.headerFields[.userAgent] = "shop/1.0"
///         return try await next(request)
///     }
/// }
///
/// Client(url) { Use(Trace()) }
/// ```
///
/// It sees responses of every status; their bodies are still arriving. Below it, each time that it calls `next`, the
/// credential is fetched and redirects are followed.
public protocol Middleware: Sendable {
    /// The request: a name that a conformance has even if other modules have a type `HTTPRequest` too.
    typealias Request = HTTPRequest

    /// The response: a name that a conformance has even if other modules have a type `HTTPResponse` too.
    typealias Response = HTTPResponse

    /// The rest of the way: other middleware, the transport.
    typealias Next = @Sendable (HTTPRequest) async throws(APIError) -> HTTPResponse

    /// Handles a request: calls `next` with it, or with another one, or not at all.
    ///
    /// - Parameters:
    ///   - request: the request, as the middleware outside of this one has left it.
    ///   - call: the call that the request belongs to.
    ///   - next: sends a request on and returns the response; it can be called any number of times.
    /// - Returns: the response, which may be another one than that of `next`.
    /// - Throws: the error of `next`, or `call.failure(error)` for a reason of its own.
    func handle(_ request: HTTPRequest, of call: Call, next: @escaping Next) async throws(APIError) -> HTTPResponse
}
