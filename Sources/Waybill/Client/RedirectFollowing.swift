import Foundation

/// Follows redirects above any transport, by the rules of RFC 9110, section 15.4, as far as the call's ``Redirects`` say.
///
/// Transports behave differently here and leak credentials; this is the one place that decides.
struct RedirectFollowing: Sendable {
    let transport: any Transport
    let plan: Plan

    /// What was sent first, with its credential: for taking its secrets out of texts.
    private var sent: HTTPRequest?

    init(transport: any Transport, plan: Plan) {
        self.transport = transport
        self.plan = plan
    }

    /// Sends a request, and on from there to where the answers point.
    ///
    /// A redirect whose status counts as success is an answer like any other, and so is one without a `Location`.
    func send(_ original: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var following = self
        following.sent = original
        return try await following.follow(original)
    }

    private func follow(_ original: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = original
        // A middleware may have put one there; none goes to a server (RFC 9110, section 7.1).
        if let url = original.url.value.withoutFragment { request.url.value = url }
        // Most calls are not redirected: nothing is kept for them.
        var visited: Set<Stop> = []
        while true {
            var response = try await send(request, isBehindRedirect: !visited.isEmpty)
            response.url = response.url ?? request.url
            guard let next = try redirected(request, by: response) else { return response }
            if visited.isEmpty { visited.insert(Stop(request)) }
            guard visited.insert(Stop(next)).inserted else {
                throw TransportError(.redirectLoop, "back to \(shown(next.url))")
            }
            let policy = policy
            guard visited.count - 1 <= policy.limit else {
                throw TransportError(
                    .tooManyRedirects,
                    "more than \(policy.limit); the last led to \(shown(next.url)); "
                        + "Redirects(.\(policy.reach.rawValue)(upTo:)) allows more"
                )
            }
            await response.discardBody()
            guard !Task.isCancelled else { throw TransportError(.cancelled) }
            // The server may have written what it was sent into the URL, which may be another origin's.
            let names = next.secretNames.hidingValues(of: response.request ?? request)
            request = next
            request.secretNames = names
        }
    }

    /// Sends a request; that nothing of it came to be sent means little where one before it was answered.
    private func send(_ request: HTTPRequest, isBehindRedirect: Bool) async throws(TransportError) -> HTTPResponse {
        guard isBehindRedirect else { return try await transport.send(request) }
        do {
            return try await transport.send(request)
        } catch {
            var error = error
            error.isBehindRedirect = true
            error.hasLeftOrigin = request.hasLeftOrigin
            throw error
        }
    }

    private struct Stop: Hashable {
        let method: HTTPRequest.Method
        let url: URL

        init(_ request: HTTPRequest) {
            method = request.method
            url = request.url.value
        }
    }

    var policy: Redirects.Policy { plan.settings[Redirects.self]?.policy ?? .follow }

    func shown(_ url: HTTPURL) -> String { shown(url.absoluteString) }

    func shown(_ url: URL) -> String { shown(url.absoluteString) }

    /// Without secrets, those of the request that a server has written into it among them.
    func shown(_ text: String) -> String {
        Redaction.url(text: text, secretNames: plan.secretNames.hidingValues(of: sent ?? plan.request))
    }
}

extension URL {
    /// The URL without its fragment; nil where it has none.
    fileprivate var withoutFragment: URL? {
        guard fragment(percentEncoded: true) != nil else { return nil }
        return URL(string: String(absoluteString.prefix { $0 != "#" }))
    }
}
