import Foundation

extension Client {
    /// How many bytes of a failed response's body are kept.
    package static let failureBodyLimit = 256 * 1024

    /// Makes a call: plan in, reply out, or the failure that its status says it is.
    package func exchange(_ plan: Plan) async throws(APIError) -> Reply {
        guard let limit = plan.settings[Timeout.self]?.limit else { return try await exchangeWithoutTimer(plan) }
        return try await withTimeLimit(limit, plan: plan) { () async throws(APIError) in
            try await exchangeWithoutTimer(plan)
        }
    }

    private func exchangeWithoutTimer(_ plan: Plan) async throws(APIError) -> Reply {
        let call = Call(plan: plan)
        guard !Task.isCancelled else { throw call.failure(CancellationError()) }
        let request = plan.request
        let response = try await chain(of: call)(request)
        let isSuccess = plan.isSuccess(response.status)
        let (body, isTruncated) = try await read(response.body, isSuccess: isSuccess, of: call)
        let reply = Reply(
            status: response.status,
            headerFields: response.headerFields,
            url: response.url ?? plan.url,
            body: body,
            trailerFields: response.body.trailerFields
        )
        if let failure = reply.failure(of: plan, request: response.request ?? request, isBodyTruncated: isTruncated) {
            throw .status(failure)
        }
        return reply
    }

    /// The middlewares of a call around its credential around redirects around the transport.
    private func chain(of call: Call) -> Middleware.Next {
        let redirects = RedirectFollowing(transport: transport, plan: call.plan)
        // Nothing is counted for bodies that can be sent any number of times.
        let sends = call.plan.body?.isReplayable ?? true ? nil : Counter()
        var next: Middleware.Next = { (request) async throws(APIError) in
            if let sends, sends.next() > 1, request.body?.isReplayable == false {
                throw call.transportFailure(
                    TransportError(.unsupportedRequest, "its body cannot be sent a second time")
                )
            }
            let request = try await authorized(request, of: call)
            do throws(TransportError) {
                var response = try await redirects.send(request)
                response.request = request
                return response
            } catch {
                throw call.transportFailure(error)
            }
        }
        for middleware in (call.settings[MiddlewareChain.self]?.middlewares ?? []).reversed() {
            let inner = next
            next = { (request) async throws(APIError) in
                try await middleware.handle(request, of: call, next: inner)
            }
        }
        return next
    }

    /// Whether a URL is on the origin to which the call's credential belongs: a middleware may have changed it.
    private func isOwn(_ url: URL, of call: Call) -> Bool {
        url == call.plan.url || Origin(url) == Origin(call.plan.url)
    }

    private func authorized(_ request: HTTPRequest, of call: Call) async throws(APIError) -> HTTPRequest {
        guard let credential = call.plan.credential, isOwn(request.url, of: call) else { return request }
        var request = request
        do {
            let secret =
                switch credential.secret {
                case .text(let text): text
                case .source(let source): try await source()
                }
            guard let field = HTTPField(name: .authorization, value: "\(credential.scheme) \(secret)") else {
                throw InvalidCredential()
            }
            request.headerFields.removeAll(named: .authorization)
            request.headerFields.append(field)
            return request
        } catch  where Task.isCancelled {
            throw call.failure(CancellationError())
        } catch {
            throw .authorization(
                AuthorizationFailure(call: call.plan.failedCall(attempt: call.attempt), underlying: error)
            )
        }
    }

    private func read(
        _ body: HTTPBody,
        isSuccess: Bool,
        of call: Call
    ) async throws(APIError) -> (body: Data, isTruncated: Bool) {
        do {
            guard !isSuccess else { return (try await body.collect(), false) }
            if let bytes = body.bytes, bytes.count <= Self.failureBodyLimit { return (bytes, false) }
            var collected = Data()
            for try await chunk in body {
                let room = Self.failureBodyLimit - collected.count
                collected.append(chunk.prefix(room))
                if chunk.count > room { return (collected, true) }
            }
            return (collected, false)
        } catch {
            throw call.transportFailure(TransportError(wrapping: error))
        }
    }
}

/// A credential that a header field cannot carry.
///
/// It is not shown: it is a secret.
struct InvalidCredential: Error, CustomStringConvertible {
    var description: String { "the credential has a line break or another control character in it" }
}
