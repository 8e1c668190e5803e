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

/// A middleware of an app among the steps of a call.
///
/// The middleware sees messages alone. The facts that the steps below hand on beside them go around it.
struct MiddlewareStep: CallStep {
    let middleware: any Middleware

    // Not counted in each call: a middleware may keep the response to one call and return it to another.
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
            // By its number the response is known again when the middleware returns it.
            response.message.transferNumber = response.message.transferNumber ?? Self.nextNumber()
            call.context.note(response.secrets(of: call.plan))
            received.withLock { [response] in $0.append(response) }
            return response.message
        }
        return response(message, among: received.withLock { $0 }, of: call, attempt: request.attempt)
    }

    /// Returns the response that a middleware has returned, with the facts of the steps below.
    ///
    /// A middleware may send several requests, and whose response it returns decides who may get it from a cache.
    // Not inlined: its values need no room for as long as the middleware works.
    @inline(never)
    private func response(
        _ message: HTTPResponse,
        among responses: [CallResponse],
        of call: Call,
        attempt: Int
    ) -> CallResponse {
        let number = message.transferNumber
        guard var response = responses.first(where: { $0.message.transferNumber == number }), number != nil else {
            // Made by the middleware itself: it belongs to no request.
            let last = responses.last
            let secrets = last?.secrets(of: call.plan)
            var made = CallResponse(unsent: message, attempt: last?.attempt ?? attempt, secrets: secrets)
            made.message.transferNumber = nil
            made.earlierFailures = last?.earlierFailures ?? []
            made.retryRejection = last?.retryRejection
            return made
        }
        // Another body is still to be read.
        if message.body.bytes == nil || message.body.bytes != response.body.bytes {
            (response.isRead, response.isBodyTruncated) = (false, false)
        }
        response.message = message
        return response
    }
}

/// The identity of a middleware: where it is declared, and which values it has.
///
/// A declaration in a computed resource is made anew for each call. It is the same one each time if the middleware has
/// no properties, or is `Hashable` and equal.
package struct MiddlewareIdentity: Sendable, Hashable {
    /// The values of a middleware.
    private enum Value: Sendable, Hashable {
        case none
        case comparable(ComparableMiddleware)
        /// Values that cannot be compared: no other middleware is the same.
        case unique(Int)
    }

    /// A middleware that can be compared.
    ///
    /// `@unchecked Sendable`: it is made of a middleware, which is `Sendable`.
    private struct ComparableMiddleware: @unchecked Sendable, Hashable {
        let value: AnyHashable
    }

    private static let numbers = Locked(0)

    private let site: DeclarationSite
    private let type: ObjectIdentifier
    private let value: Value

    /// Creates the identity of a middleware that is declared at a site.
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
