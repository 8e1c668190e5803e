import Foundation

/// Follows redirects above any transport, by the rules of RFC 9110, section 15.4.
///
/// Transports behave differently here and leak credentials; this is the one place that decides.
struct RedirectFollowing: Sendable {
    /// How many redirects are followed.
    static let limit = 10

    let transport: any Transport
    let plan: Plan

    /// Sends a request, and on from there to where the answers point.
    ///
    /// A redirect whose status counts as success is an answer like any other, and so is one without a `Location`.
    func send(_ original: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = original
        // Most calls are not redirected: nothing is kept for them.
        var visited: Set<Stop> = []
        while true {
            var response = try await transport.send(request)
            response.url = response.url ?? request.url
            guard let next = try redirected(request, by: response) else { return response }
            if visited.isEmpty { visited.insert(Stop(request)) }
            guard visited.insert(Stop(next)).inserted else {
                throw TransportError(.tooManyRedirects, "they lead in a circle back to \(shown(next.url))")
            }
            guard visited.count <= Self.limit + 1 else {
                throw TransportError(.tooManyRedirects, "more than \(Self.limit); the last led to \(shown(next.url))")
            }
            request = next
        }
    }

    private struct Stop: Hashable {
        let method: HTTPRequest.Method
        let url: URL

        init(_ request: HTTPRequest) {
            method = request.method
            url = request.url
        }
    }

    /// The request that a response redirects to; nil where it does not.
    private func redirected(
        _ request: HTTPRequest,
        by response: HTTPResponse
    ) throws(TransportError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status.code), !plan.isSuccess(response.status),
            let location = response.headerFields[values: .location].first
        else { return nil }
        guard let url = URL.resolved(location, against: request.url) else {
            throw TransportError(
                .redirectRefused,
                "the Location of the redirect is not an HTTP URL: \(Redaction.url(text: location, secretNames: plan.secretNames))"
            )
        }
        if request.url.scheme?.lowercased() == "https", url.scheme?.lowercased() != "https" {
            throw TransportError(.redirectRefused, "it leads from https to \(shown(url)), which is not encrypted")
        }
        var next = request
        next.url = url
        if Self.turnsIntoGET(response.status, request.method) {
            next.method = request.method == .head ? .head : .get
            next.body = nil
            next.headerFields.removeAll { $0.name.canonicalName.hasPrefix("content-") }
        } else if let body = request.body, !body.isReplayable {
            throw TransportError(.redirectRefused, "its body cannot be sent a second time, to \(shown(url))")
        }
        if Origin(url) != Origin(request.url) {
            next.headerFields.removeAll { $0.name == .host || plan.secretNames.contains($0.name) }
        }
        return next
    }

    /// 303 always, and 301 and 302 for POST, as clients have done since before the standard (RFC 9110, section 15.4.2).
    private static func turnsIntoGET(_ status: HTTPResponse.Status, _ method: HTTPRequest.Method) -> Bool {
        status == 303 || (method == .post && (status == 301 || status == 302))
    }

    private func shown(_ url: URL) -> String { Redaction.url(url, secretNames: plan.secretNames) }
}
