/// Handles the requests and responses between a call and the transport, and can change or replace them.
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
/// Middleware receives responses of any status, before their bodies arrive. Each call to `next` obtains the credential
/// and follows redirects.
public protocol Middleware: Sendable {
    /// The request type, for modules in which `HTTPRequest` is ambiguous.
    typealias Request = HTTPRequest

    /// The response type, for modules in which `HTTPResponse` is ambiguous.
    typealias Response = HTTPResponse

    /// A closure that runs the inner middleware and the transport.
    typealias Next = @Sendable (HTTPRequest) async throws(APIError) -> HTTPResponse

    /// Handles a request, calling `next` any number of times with the same request or different ones.
    ///
    /// - Parameters:
    ///   - request: the request, including changes made by outer middleware.
    ///   - call: the call that sends the request.
    ///   - next: a closure that forwards a request and returns its response.
    /// - Returns: the response from `next`, or another one.
    /// - Throws: the error of `next`, or `call.failure(error)` for an error of the middleware.
    func handle(_ request: HTTPRequest, of call: Call, next: @escaping Next) async throws(APIError) -> HTTPResponse
}

/// A step that runs middleware supplied by the app.
///
/// The middleware receives only messages. This step preserves the other state of the inner responses.
struct MiddlewareStep: CallStep {
    let middleware: any Middleware

    // Unique across calls: middleware may keep a response and return it from another call.
    private static let numbers = Locked(0)

    private static func nextNumber() -> Int {
        numbers.withLock { number in
            number += 1
            return number
        }
    }

    func handle(
        _ request: CallRequest,
        of call: Call,
        next: @escaping CallStep.Next
    ) async throws(APIError) -> CallResponse {
        let received = Locked<[CallResponse]>([])
        let message = try await middleware.handle(request.message, of: call) { (message) async throws(APIError) in
            var inner = request
            inner.replace(message)
            var response = try await next(inner)
            // The number identifies the response if the middleware returns it.
            response.message.transferNumber = response.message.transferNumber ?? Self.nextNumber()
            call.context.note(response.secrets(of: call.plan))
            received.withLock { [response] in $0.append(response) }
            return response.message
        }
        return response(message, among: received.withLock { $0 }, of: call, attempt: request.attempt)
    }

    /// Returns the middleware's response with the state of the matching inner response.
    ///
    /// Middleware can send several requests. The one that produced the returned response determines which users may
    /// receive that response from a cache.
    @inline(never)  // keeps frames small: see Architecture.md
    private func response(
        _ message: HTTPResponse,
        among responses: [CallResponse],
        of call: Call,
        attempt: Int
    ) -> CallResponse {
        let number = message.transferNumber
        guard var response = responses.first(where: { $0.message.transferNumber == number }), number != nil else {
            // The middleware created the response, so it has no request.
            let last = responses.last
            let secrets = last?.secrets(of: call.plan)
            var made = CallResponse(unsent: message, attempt: last?.attempt ?? attempt, secrets: secrets)
            made.message.transferNumber = nil
            made.earlierFailures = last?.earlierFailures ?? []
            made.retryRejection = last?.retryRejection
            return made
        }
        // If the middleware replaced the body, the new one has not been read.
        if message.body.bytes == nil || message.body.bytes != response.body.bytes {
            (response.isRead, response.isBodyTruncated) = (false, false)
        }
        response.message = message
        return response
    }
}

/// The identity of a declared middleware: the source location of its declaration, its type and its value.
///
/// A declaration in a computed property is evaluated for each call. The identity is stable if the middleware has no
/// stored properties, or is `Hashable` with an equal value.
package struct MiddlewareIdentity: Sendable, Hashable {
    /// A middleware's value, if it can be compared.
    private enum Value: Sendable, Hashable {
        case none
        case comparable(ComparableMiddleware)
        /// A value that cannot be compared, and is equal to no other.
        case unique(Int)
    }

    /// A hashable middleware.
    ///
    /// `@unchecked Sendable`: the value is a middleware, which is `Sendable`.
    private struct ComparableMiddleware: @unchecked Sendable, Hashable {
        let value: AnyHashable
    }

    private static let numbers = Locked(0)

    private let site: DeclarationSite
    private let type: ObjectIdentifier
    private let value: Value

    /// Creates the identity of a middleware declared at a source location.
    package init<M: Middleware>(of middleware: M, at site: DeclarationSite) {
        self.site = site
        type = ObjectIdentifier(M.self)
        if let hashable = middleware as? any Hashable {
            value = .comparable(ComparableMiddleware(value: AnyHashable(hashable)))
        } else if MemoryLayout<M>.size == 0 {
            value = .none
        } else {
            value = .unique(
                Self.numbers.withLock { number in
                    number += 1
                    return number
                }
            )
        }
    }
}
