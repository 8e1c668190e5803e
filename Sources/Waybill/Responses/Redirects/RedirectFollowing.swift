import WaybillSystem

/// Follows redirects for any transport, according to RFC 9110, section 15.4, and the call's ``Redirects``.
///
/// Transports do not follow redirects themselves, because their rules differ and some leak credentials.
struct RedirectFollowing: Sendable {
    let next: CallStep.Next
    let call: Call

    /// The header field of the idempotency key, which is never sent to another origin.
    let keyName: HTTPField.Name?

    /// The request as sent, including its credential; its secrets are redacted in error texts.
    private var sent: CallRequest?

    init(next: @escaping CallStep.Next, call: Call, keyName: HTTPField.Name? = nil) {
        self.next = next
        self.call = call
        self.keyName = keyName
    }

    var plan: Call.Plan { call.plan }

    /// Sends a request and follows its redirects.
    ///
    /// Returns a redirect like any other response if its status counts as success or it has no `Location`.
    func send(_ original: CallRequest) async throws(APIError) -> CallResponse {
        var following = self
        following.sent = original
        return try await following.follow(original)
    }

    private func follow(_ original: CallRequest) async throws(APIError) -> CallResponse {
        var (request, fragment) = (original.withoutFragment, original.url.fragment(percentEncoded: true))
        // Stays empty for most calls, because few are redirected.
        var visited: Set<Hop> = []
        while true {
            var response = try await send(request, isBehindRedirect: !visited.isEmpty)
            response.setURL(of: request, fragment: fragment)
            guard let target = try following(response, to: request, &visited) else { return response }
            // A URL without a fragment inherits the current one (RFC 9110, section 10.2.2).
            fragment = target.url.fragment(percentEncoded: true) ?? fragment
            request = target.withoutFragment
            await discardBody(of: response)
            guard !Task.isCancelled else { throw failure(.cancelled) }
        }
    }

    /// Returns the request to send for a redirect, with the fragment of its `Location`; nil if the response is not a
    /// redirect to follow.
    @inline(never)  // keeps frames small: see Architecture.md
    private func following(
        _ response: CallResponse,
        to request: CallRequest,
        _ visited: inout Set<Hop>
    ) throws(APIError) -> CallRequest? {
        let noted = noting(response, to: request)
        guard let target = try noted.redirected(request, by: response) else { return nil }
        let next = target.withoutFragment
        if visited.isEmpty { visited.insert(Hop(request)) }
        guard visited.insert(Hop(next)).inserted else {
            let advice = noted.advice(on: response, to: next)
            throw noted.failure(.redirectLoop, "back to \(noted.shown(next.url))\(advice)")
        }
        guard visited.count - 1 <= policy.limit else { throw noted.tooManyRedirects(to: next.url) }
        return (noted.sent.map { target.hidingValues(of: $0) } ?? target).hidingValuesOfURL
    }

    /// Returns advice for a loop caused by replacing the origin in the `Location`; empty for other loops.
    private func advice(on response: CallResponse, to next: CallRequest) -> String {
        guard let location = response.headerFields[.location], let link = URL.resolved(location, against: next.url),
            let origin = HTTPRequest.Origin(link), origin != HTTPRequest.Origin(next.url)
        else { return "" }
        let shown = shown("\(origin)")
        return "; its Location is on \(shown), and Route.Links(to: .baseOrigin) keeps the origin of the client; make a"
            + " client for \(shown), or declare Route.Links(to: .linkedOrigin)"
    }

    /// Returns a follower that also redacts the secrets of the sent request and the cookies set by its response.
    ///
    /// The server may have put them into the redirect's URL.
    private func noting(_ response: CallResponse, to request: CallRequest) -> Self {
        guard response.headerFields[.location] != nil else { return self }
        var sent = response.request ?? request
        sent.secretNames = sent.secretNames.hiding(
            SentSecrets.values(in: HTTPFields(response.headerFields.filter { $0.name == .setCookie }), sent.secretNames)
        )
        var following = self
        following.sent = sent
        return following
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private func discardBody(of response: CallResponse) async { await response.message.discardBody() }

    /// Sends a request.
    ///
    /// Errors of a redirected request are marked, because an earlier request has already reached a server.
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

    /// Returns the failure for a redirect that is not followed.
    @inline(never)  // keeps frames small: see Architecture.md
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

    private var policy: Redirects.Policy { plan.settings[Redirects.self]?.policy ?? .follow }

    /// Returns the URL without secrets and without its fragment, which may contain a token.
    func shown(_ url: URL) -> String { shown(String(url.textWithoutFragment)) }

    /// Returns a text without secrets, including those of the request, which the server may have echoed.
    func shown(_ text: String) -> String {
        Redaction.url(
            text: text,
            secretNames: plan.secretNames.hidingValues(of: sent ?? plan.request),
            isRedirect: true
        )
    }
}

extension RedirectFollowing {
    /// Returns the request to send for a redirect, with the fragment of its `Location`; nil if the response is not a
    /// redirect to follow.
    private func redirected(_ request: CallRequest, by response: CallResponse) throws(APIError) -> CallRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status.code), !plan.isSuccess(response.status),
            let location = try location(of: response)
        else { return nil }
        let url = try target(location, of: request)
        try check(url, from: request.url)
        var next = request
        next.url = url
        if Self.turnsIntoGET(response.status, request.method) {
            next.method = request.method == .head ? .head : .get
            next.body = nil
            let isOther = next.method != request.method
            next.headerFields.removeAll { Self.describesContent($0.name) || (isOther && belongsToChange($0.name)) }
        } else if let body = request.body, !body.isReplayable {
            throw failure(.redirectRejected, "its body cannot be sent a second time, to \(shown(url))")
        }
        if HTTPRequest.Origin(url) != HTTPRequest.Origin(request.url) {
            next.credentials = []
            next.hasLeftOrigin = true
            next.headerFields.removeAll { field in
                field.name == .host || field.name == keyName || plan.secretNames.contains(field.name)
            }
        }
        return next
    }

    /// Returns the `Location` of a response; nil if it has none.
    ///
    /// Repeated fields are accepted if they are equal. If they differ, an attacker may have injected one, so the
    /// redirect is rejected.
    private func location(of response: CallResponse) throws(APIError) -> String? {
        let values = response.headerFields[values: .location]
        guard let first = values.first else { return nil }
        if let other = values.first(where: { !$0.hasSameBytes(as: first) }) {
            throw failure(
                .redirectRejected,
                "it has several different Location fields: \(shown(first)) and \(shown(other))"
            )
        }
        return first
    }

    /// Returns the URL of a `Location` field, resolved against the request's URL.
    private func target(_ location: String, of request: CallRequest) throws(APIError) -> URL {
        // In RFC 3986, an empty reference means the current URL, which is unlikely to be the server's intention.
        guard !location.isEmpty else {
            throw failure(.redirectRejected, "its Location is empty")
        }
        guard let url = URL.resolved(location, against: request.url, keepsFragment: true) else {
            throw failure(
                .redirectRejected,
                "the Location of the redirect is not an HTTP URL: \(shown(location))"
            )
        }
        // User information in a URL is an error (RFC 9110, section 4.2.4), and transports would send it as a
        // credential.
        guard url.user == nil else {
            throw failure(.redirectRejected, "its Location contains a user or a password: \(shown(url))")
        }
        return plan.target(of: url, from: request.url)
    }

    /// Throws if a target must not be followed.
    ///
    /// Checks first for targets that no policy allows, because declaring another policy would not help.
    private func check(_ url: URL, from current: URL) throws(APIError) {
        if current.scheme?.asciiLowercased == "https", url.scheme?.asciiLowercased != "https" {
            throw failure(
                .redirectRejected,
                "it leads from https to \(shown(url)), which is not encrypted\(advice(from: current))"
            )
        }
        switch policy.reach {
        case .follow: break
        case .sameOrigin where HTTPRequest.Origin(url) == HTTPRequest.Origin(current): break
        case .sameOrigin:
            throw failure(
                .redirectRejected,
                "it leads to another origin, \(shown(url)); declare Redirects(.follow) to follow it"
                    + advice(from: current)
            )
        case .reject:
            throw failure(
                .redirectRejected,
                "it leads to \(shown(url)); declare Redirects(.follow) to follow it"
            )
        }
    }

    /// Returns advice for a redirect from the client's server to another origin; empty for other servers.
    private func advice(from current: URL) -> String {
        HTTPRequest.Origin(current) == HTTPRequest.Origin(plan.url) ? "; \(Route.Links.advice)" : ""
    }

    /// Whether a redirect changes the method to GET: always for a 303, and for a POST with a 301 or 302, as is
    /// established practice (RFC 9110, section 15.4.2).
    private static func turnsIntoGET(_ status: HTTPResponse.Status, _ method: HTTPRequest.Method) -> Bool {
        status == 303 || (method == .post && (status == 301 || status == 302))
    }

    /// Whether a field describes request content, which a GET does not have (RFC 9110, section 15.4).
    private static func describesContent(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("content-")
            || ["digest", "repr-digest", "last-modified", "transfer-encoding", "trailer"].contains(name.canonicalName)
    }

    /// Whether a field applies only to the replaced request (RFC 9110, section 15.4).
    ///
    /// Preconditions refer to the state before the change: if kept, the GET would fail with 412 after a successful
    /// change.
    private func belongsToChange(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("if-") || name.canonicalName.hasPrefix("upload-")
            || [.expect, .range, .tusResumable].contains(name) || name == keyName
            || name.canonicalName == "idempotency-key"
    }
}

extension APIError {
    /// Returns this error, marked as an error of a redirected request.
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
    /// The request without its URL fragment, which is never sent to a server (RFC 9110, section 7.1).
    fileprivate var withoutFragment: CallRequest {
        @inline(never) get {  // keeps frames small: see Architecture.md
            guard let url = url.withoutFragment else { return self }
            var request = self
            request.url = url
            return request
        }
    }

    /// Returns a copy that also redacts the secrets of the previous request, because the server may have put them into
    /// the URL.
    fileprivate func hidingValues(of former: CallRequest) -> CallRequest {
        var request = self
        request.secretNames = secretNames.hidingValues(of: former)
        return request
    }

    /// A copy that also redacts the secrets in its URL.
    fileprivate var hidingValuesOfURL: CallRequest {
        let values = SentSecrets.values(inRedirect: url.absoluteString, secretNames)
        guard !values.isEmpty else { return self }
        var request = self
        request.secretNames = secretNames.hiding(values)
        return request
    }
}

extension CallResponse {
    /// Sets the URL to the request's URL with the fragment, unless the transport reported a different URL.
    @inline(never)  // keeps frames small: see Architecture.md
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
