import WaybillSystem

extension RedirectFollowing {
    /// Returns the request to which a response redirects, with the fragment of its `Location`; nil if it is no
    /// redirect.
    // Not inlined: its values need no room for as long as the transport works.
    @inline(never)
    func redirected(_ request: CallRequest, by response: CallResponse) throws(APIError) -> CallRequest? {
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
            next.headerFields.removeAll { Self.describesContent($0.name) }
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
            || ["digest", "repr-digest", "last-modified"].contains(name.canonicalName)
    }
}
