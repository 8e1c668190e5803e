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
    /// The rest of the way: other middleware, the transport.
    typealias Next = @Sendable (HTTPRequest) async throws(APIError) -> HTTPResponse

    /// Handles a request: calls `next` with it, or with another one, or not at all.
    ///
    /// - Throws: what `next` throws, or `call.failure(error)` for a reason of its own.
    func handle(_ request: HTTPRequest, of call: Call, next: @escaping Next) async throws(APIError)
        -> HTTPResponse
}
