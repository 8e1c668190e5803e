import WaybillSystem

/// The follower of redirects above any transport, by the rules of RFC 9110, section 15.4, and the call's ``Redirects``.
///
/// No transport follows redirects: they differ in their rules, and leak credentials.
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
            guard let target = try following(response, to: request, &visited) else { return response }
            // A redirect without a fragment inherits the one of the request (RFC 9110, section 10.2.2).
            fragment = target.url.fragment(percentEncoded: true) ?? fragment
            request = target.withoutFragment
            await discardBody(of: response)
            guard !Task.isCancelled else { throw failure(.cancelled) }
        }
    }

    /// Returns the request to which a response redirects, with the fragment of its `Location`; nil for any other
    /// response.
    // Not inlined: its values need no room for as long as the transport works.
    @inline(never)
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
            throw noted.failure(.redirectLoop, "back to \(noted.shown(next.url))")
        }
        guard visited.count - 1 <= policy.limit else { throw noted.tooManyRedirects(to: next.url) }
        return (noted.sent.map { target.hidingValues(of: $0) } ?? target).hidingValuesOfURL
    }

    /// Returns the follower with the request as it was sent, with its cookies, and the cookies that its response sets:
    /// a server may write them into the URL to which it redirects.
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

    private var policy: Redirects.Policy { plan.settings[Redirects.self]?.policy ?? .follow }

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

extension RedirectFollowing {
    /// Returns the request to which a response redirects, with the fragment of its `Location`; nil if it is no
    /// redirect.
    // Not inlined: its values need no room for as long as the transport works.
    @inline(never)
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

    /// Returns the `Location`; nil if the field is missing.
    ///
    /// The field has one value (RFC 9110, section 10.2.2). Several equal ones do no harm; if they differ, an attacker
    /// may have added one, and nothing tells which.
    private func location(of response: CallResponse) throws(APIError) -> String? {
        let values = response.headerFields[values: .location]
        guard let first = values.first else { return nil }
        if let other = values.first(where: { !$0.hasSameBytes(as: first) }) {
            throw failure(
                .redirectRejected,
                "it has several Location fields, which differ: \(shown(first)) and \(shown(other))"
            )
        }
        return first
    }

    /// Returns the URL of a `Location`.
    private func target(_ location: String, of request: CallRequest) throws(APIError) -> URL {
        // By RFC 3986 it means the URL itself; servers that send it mean something else.
        guard !location.isEmpty else {
            throw failure(.redirectRejected, "its Location is empty")
        }
        guard let url = URL.resolved(location, against: request.url, keepsFragment: true) else {
            throw failure(
                .redirectRejected,
                "the Location of the redirect is not an HTTP URL: \(shown(location))"
            )
        }
        // To be treated as an error (RFC 9110, section 4.2.4), and transports would make a credential of it.
        guard url.user == nil else {
            throw failure(.redirectRejected, "its Location has a user or a password in it: \(shown(url))")
        }
        return url
    }

    /// Rejects a target to which the request must not follow.
    ///
    /// Redirects that no policy allows are checked first, so that the way out is one.
    private func check(_ url: URL, from current: URL) throws(APIError) {
        if current.scheme?.asciiLowercased == "https", url.scheme?.asciiLowercased != "https" {
            throw failure(.redirectRejected, "it leads from https to \(shown(url)), which is not encrypted")
        }
        switch policy.reach {
        case .follow: break
        case .sameOrigin where HTTPRequest.Origin(url) == HTTPRequest.Origin(current): break
        case .sameOrigin:
            throw failure(
                .redirectRejected,
                "it leads to another origin, \(shown(url)); declare Redirects(.follow) to go there"
            )
        case .reject:
            throw failure(
                .redirectRejected,
                "it leads to \(shown(url)); declare Redirects(.follow) to go there"
            )
        }
    }

    /// Whether a redirect turns the method into GET: a 303 does, and a 301 or 302 after a POST, as in clients from
    /// before the standard (RFC 9110, section 15.4.2).
    private static func turnsIntoGET(_ status: HTTPResponse.Status, _ method: HTTPRequest.Method) -> Bool {
        status == 303 || (method == .post && (status == 301 || status == 302))
    }

    /// Whether a field is about the content, which a GET does not have (RFC 9110, section 15.4).
    private static func describesContent(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("content-")
            || ["digest", "repr-digest", "last-modified", "transfer-encoding", "trailer"].contains(name.canonicalName)
    }

    /// Whether a field belongs to the request whose method the redirect replaces (RFC 9110, section 15.4): its
    /// conditions are about the state before the change, so the GET would fail with 412 after the change succeeded.
    private func belongsToChange(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("if-") || name.canonicalName.hasPrefix("upload-")
            || [.expect, .range, .tusResumable].contains(name) || name == keyName
            || name.canonicalName == "idempotency-key"
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

    /// The request with the secrets of its URL, to which a redirect leads, as secrets anywhere.
    // Not inlined: its values need no room for as long as the transport works.
    fileprivate var hidingValuesOfURL: CallRequest {
        @inline(never) get {
            let values = SentSecrets.values(inRedirect: url.absoluteString, secretNames)
            guard !values.isEmpty else { return self }
            var request = self
            request.secretNames = secretNames.hiding(values)
            return request
        }
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
