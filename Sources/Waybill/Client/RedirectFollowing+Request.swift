import Foundation

extension RedirectFollowing {
    /// The request that a response redirects to; nil where it does not.
    func redirected(_ request: HTTPRequest, by response: HTTPResponse) throws(TransportError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status.code), !plan.isSuccess(response.status),
            let location = try location(of: response)
        else { return nil }
        let url = try target(location, of: request)
        try check(url, from: request.url.value)
        var next = request
        next.url.value = url
        if Self.turnsIntoGET(response.status, request.method) {
            next.method = request.method == .head ? .head : .get
            next.body = nil
            next.headerFields.removeAll { Self.describesContent($0.name) }
        } else if let body = request.body, !body.isReplayable {
            throw TransportError(.redirectRefused, "its body cannot be sent a second time, to \(shown(url))")
        }
        if Origin(url) != Origin(request.url) {
            next.credential = nil
            next.hasLeftOrigin = true
            // The other server would take a key for one of its own.
            let key = plan.settings[IdempotencyKey.self]?.name
            next.headerFields.removeAll { $0.name == .host || $0.name == key || plan.secretNames.contains($0.name) }
        }
        return next
    }

    /// The `Location`; nil where there is none.
    ///
    /// It has one value (RFC 9110, section 10.2.2). Several that agree do no harm; of several that do not, an attacker
    /// may have slipped one in, and nothing says which.
    private func location(of response: HTTPResponse) throws(TransportError) -> String? {
        let values = response.headerFields[values: .location]
        guard let first = values.first else { return nil }
        if let other = values.first(where: { !$0.hasSameBytes(as: first) }) {
            throw TransportError(
                .redirectRefused,
                "it has several Location fields, which differ: \(shown(first)) and \(shown(other))"
            )
        }
        return first
    }

    /// Where a `Location` leads.
    private func target(_ location: String, of request: HTTPRequest) throws(TransportError) -> URL {
        // By RFC 3986 it stands for the URL itself; servers that send it mean something else.
        guard !location.isEmpty else {
            throw TransportError(.redirectRefused, "its Location is empty")
        }
        guard let url = URL.resolved(location, against: request.url.value) else {
            throw TransportError(
                .redirectRefused,
                "the Location of the redirect is not an HTTP URL: \(shown(location))"
            )
        }
        // To be treated as an error (RFC 9110, section 4.2.4), and transports would make a credential of it.
        guard url.user == nil else {
            throw TransportError(.redirectRefused, "its Location has a user or a password in it: \(shown(url))")
        }
        return url
    }

    /// Refuses a target to which the request must not follow.
    ///
    /// What no policy allows comes first, so that the way out is one.
    private func check(_ url: URL, from current: URL) throws(TransportError) {
        if current.scheme?.asciiLowercased == "https", url.scheme?.asciiLowercased != "https" {
            throw TransportError(.redirectRefused, "it leads from https to \(shown(url)), which is not encrypted")
        }
        switch policy.reach {
        case .follow: break
        case .sameOrigin where Origin(url) == Origin(current): break
        case .sameOrigin:
            throw TransportError(
                .redirectRefused,
                "it leads to another origin, \(shown(url)); declare Redirects(.follow) to go there"
            )
        case .refuse:
            throw TransportError(
                .redirectRefused,
                "it leads to \(shown(url)); declare Redirects(.follow) to go there"
            )
        }
    }

    /// 303 always, and 301 and 302 for POST, as clients have done since before the standard (RFC 9110, section 15.4.2).
    private static func turnsIntoGET(_ status: HTTPResponse.Status, _ method: HTTPRequest.Method) -> Bool {
        status == 303 || (method == .post && (status == 301 || status == 302))
    }

    /// Whether a field is about the content, which a GET does not have (RFC 9110, section 15.4).
    private static func describesContent(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("content-")
            || ["digest", "repr-digest", "last-modified"].contains(name.canonicalName)
    }
}
