import WaybillSystem

/// Follows redirects above any transport, by the rules of RFC 9110, section 15.4, and the call's ``Redirects``.
///
/// Transports behave differently here and leak credentials; this is the one place that decides.
struct RedirectFollowing: Sendable {
    let next: CallStep.Next
    let call: Call

    /// The field of the idempotency key, which another server would take for a key of its own.
    let keyName: HTTPField.Name?

    /// The first request as it was sent, with its credential: its secrets are removed from texts.
    private var sent: CallRequest?

    init(next: @escaping CallStep.Next, call: Call, keyName: HTTPField.Name? = nil) {
        self.next = next
        self.call = call
        self.keyName = keyName
    }

    var plan: Plan { call.plan }

    /// Sends a request, and follows its redirects.
    ///
    /// A redirect whose status counts as success is returned like any other response, and so is one without a
    /// `Location`.
    func send(_ original: CallRequest) async throws(APIError) -> CallResponse {
        var following = self
        following.sent = original
        return try await following.follow(original)
    }

    private func follow(_ original: CallRequest) async throws(APIError) -> CallResponse {
        var (request, fragment) = (original.withoutFragment, original.url.fragment(percentEncoded: true))
        // Most calls are not redirected: nothing is kept for them.
        var visited: Set<Hop> = []
        while true {
            var response = try await send(request, isBehindRedirect: !visited.isEmpty)
            response.setURL(of: request, fragment: fragment)
            guard let target = try redirected(request, by: response) else { return response }
            // A redirect without a fragment inherits the one of the request (RFC 9110, section 10.2.2).
            fragment = target.url.fragment(percentEncoded: true) ?? fragment
            let next = target.withoutFragment
            if visited.isEmpty { visited.insert(Hop(request)) }
            guard visited.insert(Hop(next)).inserted else {
                throw failure(.redirectLoop, "back to \(shown(next.url))")
            }
            guard visited.count - 1 <= policy.limit else { throw tooManyRedirects(to: next.url) }
            await discardBody(of: response)
            guard !Task.isCancelled else { throw failure(.cancelled) }
            request = next.hidingValues(of: response.request ?? request)
        }
    }

    @inline(never)
    private func discardBody(of response: CallResponse) async { await response.message.discardBody() }

    /// Sends a request; "nothing was sent" means little if a redirect was the response before.
    private func send(_ request: CallRequest, isBehindRedirect: Bool) async throws(APIError) -> CallResponse {
        guard isBehindRedirect else { return try await next(request) }
        do throws(APIError) {
            return try await next(request)
        } catch {
            throw error.behindRedirect(hasLeftOrigin: request.hasLeftOrigin)
        }
    }

    private func tooManyRedirects(to url: URL) -> APIError {
        failure(
            .tooManyRedirects,
            "more than \(policy.limit); the last led to \(shown(url)); "
                + "Redirects(.\(policy.reach.rawValue)(upTo:)) allows more"
        )
    }

    /// Returns the failure of a redirect that is not followed.
    // Not inlined: its values need no room for as long as the transport works.
    @inline(never)
    func failure(_ kind: TransportError.Kind, _ message: String = "") -> APIError {
        call.at(attempt: sent?.attempt ?? 1).transportFailure(TransportError(kind, message), sent: sent)
    }

    private struct Hop: Hashable {
        let method: HTTPRequest.Method
        let url: URL

        init(_ request: CallRequest) {
            method = request.method
            url = request.url
        }
    }

    var policy: Redirects.Policy { plan.settings[Redirects.self]?.policy ?? .follow }

    /// Returns the URL without secrets and without its fragment, in which a server may send a token.
    func shown(_ url: URL) -> String { shown(String(url.textWithoutFragment)) }

    /// Returns a text without secrets, those of the request that a server has written into it included.
    func shown(_ text: String) -> String {
        Redaction.url(
            text: text,
            secretNames: plan.secretNames.hidingValues(of: sent ?? plan.request),
            isRedirect: true
        )
    }
}

extension APIError {
    /// Returns the error of a request that a redirect led to.
    fileprivate func behindRedirect(hasLeftOrigin: Bool) -> APIError {
        switch self {
        case .transport(var failure):
            failure.isBehindRedirect = true
            failure.hasLeftOrigin = hasLeftOrigin
            return .transport(failure)
        case .cancelled(var failure):
            if hasLeftOrigin { failure.awaitedServer = false }
            return .cancelled(failure)
        default: return self
        }
    }
}

extension CallRequest {
    /// The request without a fragment, which a middleware may have put there: none goes to a server (RFC 9110,
    /// section 7.1).
    // Not inlined: its values need no room for as long as the transport works.
    fileprivate var withoutFragment: CallRequest {
        @inline(never) get {
            guard let url = url.withoutFragment else { return self }
            var request = self
            request.url = url
            return request
        }
    }

    /// Returns the request with the values of the one before as secrets: the server may have written them into the URL,
    /// which may be another origin's.
    @inline(never)
    fileprivate func hidingValues(of former: CallRequest) -> CallRequest {
        var request = self
        request.secretNames = secretNames.hidingValues(of: former)
        return request
    }
}

extension CallResponse {
    /// Sets the URL to that of the request with its fragment, unless the transport has another one.
    // Not inlined: its values need no room for as long as the transport works.
    @inline(never)
    fileprivate mutating func setURL(of request: CallRequest, fragment: String?) {
        if url == nil { url = request.url }
        guard let fragment, url == request.url, let whole = request.url.withFragment(fragment) else { return }
        url = whole
    }
}

extension URL {
    /// The URL without its fragment; nil if it has none.
    fileprivate var withoutFragment: URL? {
        guard fragment(percentEncoded: true) != nil else { return nil }
        return URL(string: String(textWithoutFragment))
    }
}
