/// A type that handles each request and response between a call and the transport, and can change or replace them.
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
/// Middleware receives responses with any status, before their bodies have arrived. Each call to `next` fetches the
/// credential and follows redirects.
public protocol Middleware: Sendable {
    /// The request type, for use if another module also has a type named `HTTPRequest`.
    typealias Request = HTTPRequest

    /// The response type, for use if another module also has a type named `HTTPResponse`.
    typealias Response = HTTPResponse

    /// A function that runs the inner middleware and the transport.
    typealias Next = @Sendable (HTTPRequest) async throws(APIError) -> HTTPResponse

    /// Handles a request, calling `next` any number of times with the same request or different ones.
    ///
    /// - Parameters:
    ///   - request: the request, including changes by outer middleware.
    ///   - call: the call that sends the request.
    ///   - next: a closure that forwards a request and returns the response.
    /// - Returns: the response from `next`, or a different one.
    /// - Throws: the error of `next`, or `call.failure(error)` for the middleware's own error.
    func handle(_ request: HTTPRequest, of call: Call, next: @escaping Next) async throws(APIError) -> HTTPResponse
}

/// A call step that runs a middleware supplied by the app.
///
/// The middleware receives only messages; this step preserves the other state from the inner steps.
struct MiddlewareStep: CallStep {
    let middleware: any Middleware

    // Unique across calls: middleware may keep the response to one call and return it from another.
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

    /// Returns the response from the middleware, with the state from the inner steps.
    ///
    /// Middleware may send several requests. The one that led to the returned response determines which users may
    /// receive it from a cache.
    @inline(never)  // keeps frames small: see Architecture.md
    private func response(
        _ message: HTTPResponse,
        among responses: [CallResponse],
        of call: Call,
        attempt: Int
    ) -> CallResponse {
        let number = message.transferNumber
        guard var response = responses.first(where: { $0.message.transferNumber == number }), number != nil else {
            // The middleware created the response, so it belongs to no request.
            let last = responses.last
            let secrets = last?.secrets(of: call.plan)
            var made = CallResponse(unsent: message, attempt: last?.attempt ?? attempt, secrets: secrets)
            made.message.transferNumber = nil
            made.earlierFailures = last?.earlierFailures ?? []
            made.retryRejection = last?.retryRejection
            return made
        }
        // If the middleware has replaced the body, the new one has not been read.
        if message.body.bytes == nil || message.body.bytes != response.body.bytes {
            (response.isRead, response.isBodyTruncated) = (false, false)
        }
        response.message = message
        return response
    }
}

/// The identity of a declared middleware: the source location of its declaration, its type and its value.
///
/// A declaration in a computed property is evaluated for each call. The identity stays the same if the middleware has
/// no stored properties, or if it is `Hashable` and its value is equal.
package struct MiddlewareIdentity: Sendable, Hashable {
    /// The value of a middleware, as far as it can be compared.
    private enum Value: Sendable, Hashable {
        case none
        case comparable(ComparableMiddleware)
        /// A value that cannot be compared, and equals no other.
        case unique(Int)
    }

    /// A hashable middleware.
    ///
    /// `@unchecked Sendable`: the value is middleware, which is `Sendable`.
    private struct ComparableMiddleware: @unchecked Sendable, Hashable {
        let value: AnyHashable
    }

    private static let numbers = Locked(0)

    private let site: DeclarationSite
    private let type: ObjectIdentifier
    private let value: Value

    /// Creates the identity of middleware declared at a source location.
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
