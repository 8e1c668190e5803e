import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

/// A secret must not appear in values that a developer prints, interpolates or logs.
@Suite("Secrets in descriptions")
struct SecrecyTests {
    struct Tell: Middleware {
        let lines: Lines
        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            let response = try await next(request)
            lines.add("\(request) \(call) \(response) \(request.headerFields.first as Any)")
            lines.add(String(reflecting: request) + String(reflecting: call) + String(reflecting: response))
            return response
        }
    }

    @Test("Descriptions of clients, endpoints, plans, requests, responses and failures contain no secret")
    func descriptions() async throws {
        let lines = Lines()
        let cookie = HTTPFields([HTTPField(name: .setCookie, value: "session=s3cret")])
        let stub = StubTransport([
            "GET good": .json("1", headers: cookie),
            "GET bad": .json(#"{"token":"s3cret"}"#, status: 400, headers: cookie),
            "GET odd": .json(#"{"token":"s3cret"}"#),
        ])
        let client = Client(Shop.url, transport: stub) {
            Authorization(.bearer("s3cret"))
            Header("X-Signature", "s3cret", secret: true)
            Query("sig", "s3cret", secret: true)
            Use(Tell(lines: lines))
        }
        for path in ["good", "bad", "odd"] {
            let endpoint: Endpoint<Int> = client.endpoint { GET(Route.Path(segments: [path])) }
            lines.add("\(client) \(endpoint) \(try endpoint.plan()) \(try endpoint.curl()) \(try endpoint.explanation)")
            do throws(APIError) {
                lines.add("\(try await endpoint.response())")
            } catch {
                lines.add("\(error) \(String(reflecting: error)) \(error.localizedDescription)")
                switch error {
                case .status(let failure): lines.add("\(failure) \(failure.headerFields)")
                case .decoding(let failure): lines.add("\(failure)")
                default: Issue.record("unexpected: \(error)")
                }
            }
        }
        #expect(lines.all.count == 14)
        for line in lines.all { #expect(!line.contains("s3cret"), "\(line)") }
    }

    struct Holder: Decodable, Sendable {
        let token: Date
        let id: Int
    }

    @Test(
        "A printed decoding failure contains no secret",
        arguments: [
            #"{"token":"s3cret","id":1}"#, #"{"token":["s3cret"],"id":1}"#, #"{"token":"s3cret"}"#,
            #"{"token":"2026-05-01T12:00:00Z","id":"x","password":"s3cret"}"#, #"{"token":"s3cret""#,
            #"{"token":s3cret}"#,
        ],
        [Decode(), Decode(with: JSONDecoder()), Decode(with: JSONDecoder.dated)]
    )
    func underlyingErrors(body: String, decode: Decode) async throws {
        let client = Client(Shop.url, transport: StubTransport { _ in .json(body) }) { decode }
        let error = await failure { try await client.get("a", as: Holder.self) }
        guard case .decoding(let failure) = error else {
            Issue.record("expected a decoding failure")
            return
        }
        var texts = ["\(failure)", "\(failure.underlying)", String(reflecting: failure.underlying)]
        texts.append(failure.underlying.localizedDescription)
        if let error = failure.decodingError, let diagnosis = WaybillJSONDecoder.Diagnosis(error) {
            texts.append("\(diagnosis)")
        }
        for text in texts { #expect(!text.contains("s3cret"), "\(text)") }
    }

    @Test("A credential source's decoding error does not show the decoded value")
    func credentialsSource() async throws {
        struct Token: Decodable { let access_token: Date }
        let client = Client(Shop.url, transport: StubTransport { _ in .json("1") }) {
            Authorization(
                .bearer {
                    let data = Data(#"{"access_token":"s3cret"}"#.utf8)
                    var decoder = WaybillJSONDecoder()
                    decoder.dateDecodingStrategy = .iso8601
                    return "\(try decoder.decode(Token.self, from: data).access_token)"
                }
            )
        }
        let error = try #require(await failure { try await client.get("a", as: Int.self) })
        guard case .authorization(let failure) = error else {
            Issue.record("expected an authorization failure")
            return
        }
        for text in ["\(error)", "\(failure.underlying)"] {
            #expect(text.contains("access_token"))
            #expect(!text.contains("s3cret"), "\(text)")
        }
    }

    @Test("A decoding error of a document inside a secret string does not show the document")
    func embeddedDocument() async throws {
        struct Inner: Decodable { let id: Date }
        struct Outer: Decodable, Sendable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                let text = try container.decode(String.self, forKey: .token)
                var decoder = WaybillJSONDecoder()
                decoder.dateDecodingStrategy = .iso8601
                _ = try decoder.decode(Inner.self, from: Data(text.utf8))
            }
            enum CodingKeys: CodingKey { case token }
        }
        let client = Client(Shop.url, transport: StubTransport { _ in .json(#"{"token":"{\"id\":\"s3cret\"}"}"#) })
        let error = try #require(
            await failure { try await client.get("a", as: Outer.self) }
        )
        guard case .decoding(let failure) = error else {
            Issue.record("expected a decoding failure")
            return
        }
        for text in ["\(error)", "\(failure.underlying)"] { #expect(!text.contains("s3cret"), "\(text)") }
    }

    @Test("A printed error of a dropped item contains no secret")
    func droppedItems() async throws {
        let body = #"[{"token":"s3cret","id":1},{"token":"2026-05-01T12:00:00Z"},{"id":1,"token":7}]"#
        let client = Client(Shop.url, transport: StubTransport { _ in .json(body) })
        let holders: Endpoint<[Holder]> = client.endpoint {
            GET("a")
            DropInvalidItems()
        }
        let response = try await holders.response()
        #expect(response.droppedItems.map(\.index) == [0, 1, 2])
        for item in response.droppedItems { #expect(!"\(item.error)".contains("s3cret"), "\(item.error)") }
    }

    @Test("A credential's description shows no secret")
    func credentials() {
        let credentials: [Authorization.Credential] = [
            .bearer("s3cret"), .bearer { "s3cret" }, .basic(user: "u", password: "s3cret"), .scheme("Token", "s3cret"),
        ]
        for credential in credentials {
            #expect(!"\(credential) \(Authorization(credential).summary)".contains("s3cret"))
        }
    }
}

extension JSONDecoder {
    fileprivate static var dated: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .waybillISO8601
        return decoder
    }
}
