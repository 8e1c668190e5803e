import Waybill
import WaybillFiles
import WaybillJSON
import WaybillSystem

// The later requests of an operation, and the URLs in its responses.
extension OperationRun {
    /// Returns the token in the response to the first request; nil if the response is the result.
    func token(in reply: Reply) throws(APIError) -> LongRunning.Token? {
        let isAccepted = reply.status == 202
        if case .statusCode = clause.state.form, !isAccepted { return nil }
        guard let url = try url(at: clause.location, in: reply, plan) else {
            guard isAccepted else { return nil }
            let reason = "LongRunning expects the URL of the status at \(clause.location), and the response has none"
            throw undecodable(reply, plan, clause.location.keys, reason)
        }
        var resultURL: URL?
        if case .link(let location) = clause.result.form { resultURL = try self.url(at: location, in: reply, plan) }
        let identity = plan.endpointIdentity(hash: SHA256.hexadecimal(of:))
        return LongRunning.Token(url: url, resultURL: resultURL, endpoint: identity)
    }

    /// Returns the URL at a location in a response; nil if it is missing.
    func url(at location: LongRunning.Location, in reply: Reply, _ plan: Call.Plan) throws(APIError) -> URL? {
        let text: String?
        switch location.form {
        case .fields(let names):
            text = names.lazy.compactMap { HTTPField.Name($0).flatMap { reply.headerFields[$0] } }.first
        case .member(let path): text = reply.json?.value(at: path)?.stringValue
        case .path(let keys, let path):
            guard let value = reply.json?.value(at: keys), !value.isNull, value.objectValue == nil,
                value.arrayValue == nil
            else { return nil }
            let id = value.stringValue ?? value.description
            let endpoint: Endpoint<Void> = self.endpoint.client.endpoint { GET(path(id)) }
            // A token must not contain secret query items; each request adds them again.
            let url = try endpoint.plan().url
            return url.changingQuery { $0.removeAll { self.plan.secretNames.contains($0.name) } }
        }
        guard let text, !text.isEmpty else { return nil }
        guard let link = URL.resolved(text, against: reply.url) else {
            throw undecodable(reply, plan, location.keys, "it is not an HTTP URL")
        }
        let url = self.plan.target(of: link, from: reply.url)
        guard HTTPRequest.Origin(url) == HTTPRequest.Origin(self.plan.url) else {
            let reason =
                "the URL is on another origin than the client, whose credentials must not go there; "
                + Route.Links.advice
            throw undecodable(reply, plan, location.keys, reason)
        }
        return URL(string: UserInfo.removed(from: url.absoluteString)) ?? url
    }

    /// Returns the endpoint of a later request, which inherits settings and header fields from the first request, but
    /// no body.
    func statusEndpoint(
        at url: URL,
        of method: HTTPRequest.Method,
        _ envelope: Envelope? = nil
    ) -> Endpoint<Value> {
        var scope = Scope("operation")
        Route(method, .url(url.absoluteString)).declare(in: &scope)
        // A cached response would report an outdated state.
        scope.declare(NeedsNewResponse())
        // The client may declare a different source for the results of writes.
        scope.declare(WriteResult(.response))
        envelope?.declare(in: &scope)
        scope.isForOneCall = true
        return Endpoint(
            client: endpoint.client,
            scopes: endpoint.scopes.map(further) + [scope],
            target: RequestBuilder.Target(),
            reader: endpoint.reader
        )
    }

    private func further(_ scope: Scope) -> Scope {
        // Given the first request's idempotency key again, a server would replay its first response.
        let keyName = plan.settings[IdempotencyKey.self]?.name ?? IdempotencyKey.usualName
        return scope.ofFurtherRequests(
            without: scope.settings.typesOfFirstRequest + [
                OperationContinuation.self, Success.self, WriteResult.self, BodyMembers.self,
            ],
            removing: { name in
                name.canonicalName.hasPrefix("content-") || name.canonicalName.hasPrefix("if-") || name == .prefer
                    || name == keyName
            }
        )
    }

    func undecodable(
        _ reply: Reply,
        _ plan: Call.Plan,
        _ path: [EnvelopeKey],
        _ reason: String
    ) -> APIError {
        let codingPath = path.map(EnvelopeCodingKey.init(step:))
        let error = DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
        return .decoding(
            APIError.DecodingFailure(
                call: reply.call(of: plan),
                status: reply.status,
                headerFields: reply.headerFields,
                typeName: "LongRunning",
                underlying: path.isEmpty ? UnusableOperation(description: reason) : error,
                body: reply.body
            )
        )
    }

    func rejection(_ value: String, _ reason: String) -> APIError {
        .request(
            APIError.RequestFailure(plan.failedCall(), clause: "LongRunning", value: value, because: reason)
        )
    }
}

extension LongRunning.Location {
    /// The path to the member with the URL; empty for a header field.
    var keys: [EnvelopeKey] {
        switch form {
        case .fields: []
        case .member(let path), .path(let path, _): path
        }
    }
}

extension URL {
    /// Returns the URL with a suffix appended to its path; nil if the result is not a URL.
    func appending(pathSuffix: String) -> URL? {
        guard !pathSuffix.isEmpty else { return self }
        let text = textWithoutFragment
        let end = text.firstIndex(of: "?") ?? text.endIndex
        return URL(string: text[..<end] + pathSuffix + text[end...])
    }
}

/// An error for a response without a usable header field for the status or the result of the operation.
struct UnusableOperation: UnusableResponse {
    let description: String

    var consequence: String { "its operation cannot be followed" }
}
