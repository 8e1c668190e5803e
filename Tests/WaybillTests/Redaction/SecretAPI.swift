import CallSupport
import Foundation
import TestSupport
import Waybill
import WaybillSessions
import WaybillTesting

/// An API with secrets of every kind, on a server that echoes all of them in each response.
struct SecretAPI: Sendable {
    /// The credential that the API's calls send.
    enum Kind: CaseIterable {
        case bearer, fetchedBearer, refreshed, basic, digest, fieldKey, queryKey
    }

    struct Printed: Sendable {
        let name: String
        let value: any Sendable
    }

    struct Problem: Decodable, Sendable { let detail: String }

    let kind: Kind
    let transport = EchoingTransport()
    let printed = Notes<Printed>()

    let namedField = "n4med-field/value"
    let field = "fl4g-field+value"
    let query = "fl4g query&value"
    let namedQuery = "n4med=query/value"
    let path = "p4th value/é"
    let password = "b0dy \"password\""
    let credential = "cr3dential/value+1"

    var secrets: [String] {
        // The values for header fields contain only valid characters.
        [namedField, field, query, namedQuery, path, password, credential]
    }

    init(_ kind: Kind) { self.kind = kind }

    /// Whether to print everything.
    ///
    /// This is limited to one credential because rendering is slow in debug builds.
    var isWhole: Bool { kind == .fetchedBearer }

    private var authorization: Authorization {
        let secret = credential
        let token = RefreshingToken.AccessToken(secret)
        return switch kind {
        case .bearer: Authorization(.bearer(secret))
        case .fetchedBearer: Authorization(.bearer { secret })
        case .refreshed: Authorization(.bearer(refreshing: RefreshingToken(token) { _ in token }))
        case .basic: Authorization(.basic(user: "ann", password: secret))
        case .digest: Authorization(.digest(user: "ann", password: secret))
        case .fieldKey: Authorization(.apiKey(secret, header: "X-Key"))
        case .queryKey: Authorization(.apiKey(secret, query: "key"))
        }
    }

    var client: Client {
        Client(Shop.url, transport: transport) {
            authorization
            Secret("X-Session", "iban")
            Header("X-Session", namedField)
            Header("X-Signature", field, secret: true)
            Query("sig", query, secret: true)
            Query("iban", namedQuery)
            Observe { printed.add(Printed(name: "event \($0.kind)", value: $0)) }
            if isWhole {
                Observe { printed.add(Printed(name: "fields of an event", value: "\($0.headerFields) \($0.url)")) }
                Observe(RequestLog(.headers) { printed.add(Printed(name: "log", value: $0)) })
            }
            Use(Printing(notes: printed))
        }
    }

    func endpoint(_ name: String, @Scope.Builder _ clauses: () -> Scope = { Scope() }) -> Endpoint<Int> {
        client.endpoint {
            POST("\(name)/\(secret: path)")
            Body(["password": password])
            clauses()
        }
    }

    var list: Endpoint<[Int]> {
        client.endpoint {
            GET("list/\(secret: path)")
            Envelope("items")
            Paginated(.next(at: "next"))
        }
    }

    /// Returns the public values of calls with every outcome.
    func printedValues() async throws -> [Printed] {
        var values: [(String, any Sendable)] = [("client", client)]
        let products: Resource<Product, ReadWrite> = client.resource("of/\(secret: path)/products")
        let profile: Singleton<Profile, ReadWrite> = client.singleton("of/\(secret: path)/profile")
        values += [("resource", products), ("endpoints", products.endpoints), ("singleton", profile)]
        let good = endpoint("good")
        values += try plan(good)
        let response = try await good.response()
        values += [
            ("response", response), ("fields", response.headerFields),
            ("field", Array(response.headerFields)),
            ("trailers", response.trailerFields),
        ]
        let others = ["teapot", "odd", "down", "moved-0", "moved-1", "moved-2", "moved-3", "moved-4"]
        for name in isWhole ? ["missing"] + others : ["missing"] {
            guard let error = await failure({ try await endpoint(name).send() }) else {
                continue
            }
            values += parts(of: error).map { ("\(name): \($0.0)", $0.1) }
        }
        if !isWhole { return values.map { Printed(name: $0.0, value: $0.1) } + printed.all + transport.printed.all }
        let problem = await failure {
            try await endpoint("missing") { Waybill.Problem(Problem.self) }.send()
        }
        if let problem { values += parts(of: problem).filter { $0.0 != "problem" } }
        if let rejected = await failure({
            try await endpoint("good") { Use(GivingUp()) }.send()
        }) {
            values += parts(of: rejected).filter { $0.0 != "underlying" }
        }
        values += try await pages()
        let all = values.map { Printed(name: $0.0, value: $0.1) } + printed.all + transport.printed.all
        return all
    }

    private func plan(_ endpoint: Endpoint<Int>) throws -> [(String, any Sendable)] {
        let plan = try endpoint.plan()
        return [
            ("endpoint", endpoint), ("plan", plan), ("plan.headerFields", plan.headerFields),
            ("plan.field", plan.headerFields.first), ("filtered", plan.headerFields.filter { $0.name != .accept }),
            ("sorted", plan.headerFields.sorted { $0.name.rawName < $1.name.rawName }),
            ("plan.settings", plan.settings), ("curl", plan.curl()), ("explanation", plan.explanation),
            ("body", plan.body), ("endpoint.fields", try endpoint.headerFields),
        ]
    }

    private func parts(of error: APIError) -> [(String, any Sendable)] {
        var parts: [(String, any Sendable)] = [("error", error), ("call", error.call), ("URL", error.call.url)]
        switch error {
        case .status(let failure):
            parts += [
                ("failure", failure), ("fields", failure.headerFields), ("field", failure.headerFields.first),
                ("challenges", failure.challenges), ("lost update", failure.lostUpdate),
            ]
        case .decoding(let failure):
            parts += [
                ("failure", failure), ("fields", failure.headerFields), ("underlying", failure.underlying),
                ("diagnosis", failure.diagnosis), ("excerpt", failure.diagnosis?.excerpt),
            ]
        case .transport(let failure):
            parts += [("failure", failure), ("error", failure.error), ("underlying", failure.error.underlying)]
        case .middleware(let failure): parts += [("failure", failure), ("underlying", failure.underlying)]
        default: break
        }
        return parts
    }

    private func pages() async throws -> [(String, any Sendable)] {
        let page = try await list.page()
        let other = list.with { Paginated(.next(at: "elsewhere")) }
        let broken = list.with { Paginated(.next(at: "broken")) }
        var values: [(String, any Sendable)] = [
            ("page", page), ("cursor", page.next), ("request of a cursor", page.next?.request), ("pages", list.pages),
        ]
        for endpoint in [other, broken] {
            let error = await failure {
                for try await _ in endpoint.pages {}
            }
            if case .pagination(let failure)? = error {
                values += [("pagination", failure), ("reason", failure.reason), ("cursor", failure.call.cursor)]
                values.append(("error", error))
            }
        }
        return values
    }
}

/// A middleware that throws an error containing one of the call's secrets.
private struct GivingUp: Middleware {
    struct Reason: Error { let url: String }

    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        throw call.failure(Reason(url: request.url.absoluteString))
    }
}

/// A middleware that prints everything it sees.
private struct Printing: Middleware {
    let notes: Notes<SecretAPI.Printed>

    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        add("request", request)
        add("request.headerFields", request.headerFields)
        add("request.body", request.body)
        add("field", request.headerFields.map { $0 })
        add("call", call)
        add("call.plan", call.plan)
        add("call.settings", call.settings)
        let response = try await next(request)
        add("response.body", response.body)
        return response
    }

    private func add(_ name: String, _ value: any Sendable) {
        notes.add(SecretAPI.Printed(name: "\(name) in a middleware", value: value))
    }
}

/// A server that echoes the request in every part of its response.
struct EchoingTransport: Transport {
    let requests = Notes<HTTPRequest>()
    let printed = Notes<SecretAPI.Printed>()

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        requests.add(request)
        for value in [request, request.headerFields] as [any Sendable] {
            printed.add(SecretAPI.Printed(name: "\(type(of: value)) in a transport", value: value))
        }
        let body = try await request.body?.collect() ?? Data()
        let password = (try? JSONDecoder().decode([String: String].self, from: body))?["password"] ?? ""
        let fields = request.headerFields.map(\.value).joined(separator: " ")
        let url = request.url.absoluteString
        let echo = "\(url) \(fields) \(password)"
        return try response(to: request, url: url, fields: fields, echo: echo)
    }

    private func response(to request: HTTPRequest, url: String, fields: String, echo: String)
        throws(TransportError) -> HTTPResponse
    {
        var headers = HTTPFields()
        // `Content-Type` and `X-Echo` contain all secrets. The others repeat the last request field, usually the
        // credential.
        let query = PercentEncoding.encode(request.headerFields.last?.value ?? "")
        for (name, value) in [
            ("Content-Type", "application/json; echo=\"\(echo)\""), ("ETag", "\"\(query)\""), ("X-Echo", echo),
            ("Set-Cookie", "a=\(query)"), ("WWW-Authenticate", "Bearer realm=\"shop\", error=\"\(query)\""),
            ("Location", "\(url)&echo=\(query)"), ("Link", "<\(url)&echo=\(query)>; rel=\"next\""),
        ] {
            if let name = HTTPField.Name(name) {
                headers.append(HTTPField(name: name, value: value))
            }
        }
        let text = JSONValue.string(echo).description
        let responseURL = URL(string: "\(url)&echo=\(query)")
        let name = request.url.path(percentEncoded: true).split(separator: "/").dropFirst().first ?? ""
        switch name {
        case "good": return response(200, headers, "1", responseURL)
        case "missing": return response(404, headers, #"{"detail":\#(text)}"#, responseURL)
        case "teapot":
            headers[.contentType] = "text/plain; echo=\"\(query)\""
            return response(412, headers, echo, responseURL)
        case "odd": return response(200, headers, text, responseURL)
        case "down":
            let failed = URLError(.timedOut, userInfo: ["NSErrorFailingURLStringKey": url, "other": echo])
            throw TransportError(.other, "no response from \(url): \(fields)", underlying: failed)
        case "list":
            let isFirst = !url.contains("page=2")
            let next = isFirst ? JSONValue.string("\(url)&page=2&echo=\(query)").description : "null"
            let elsewhere = JSONValue.string("https://\(query).example/?\(query)").description
            let broken = JSONValue.string("ftp://\(url)").description
            let body = #"{"items":[\#(isFirst ? 1 : 2)],"next":\#(next),"elsewhere":\#(elsewhere),"broken":\#(broken)}"#
            return response(200, headers, body, request.url)
        default:
            let targets = [
                "ftp://other.example/\(query)", "https://ann:\(query)@other.example/",
                "http://other.example/?a=\(query)",
                url, "https://[\(query)",
            ]
            headers[.location] = targets[Int(String(name.suffix(1))) ?? 0]
            return response(302, headers, "", nil)
        }
    }

    private func response(_ status: Int, _ fields: HTTPFields, _ body: String, _ url: URL?) -> HTTPResponse {
        let trailers = HTTPFields(fields.filter { $0.name.canonicalName == "x-echo" })
        return HTTPResponse(
            status: HTTPResponse.Status(integerLiteral: status),
            headerFields: fields,
            body: HTTPBody(Data(body.utf8), trailerFields: trailers),
            url: url
        )
    }
}
