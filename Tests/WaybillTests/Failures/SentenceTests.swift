import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
@testable import WaybillFiles
import WaybillTesting
@testable import WaybillTransfers

@testable import Waybill

@Suite("localizedDescription")
struct SentenceTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let error: any Error
        let sentence: String

        init(_ name: String, _ error: any Error, _ sentence: String) {
            testDescription = name
            self.error = error
            self.sentence = sentence
        }
    }

    struct Plain: Error {}

    struct Spoken: LocalizedError, CustomStringConvertible {
        var errorDescription: String? { "The name is taken." }
        var description: String { "name_taken at https://shop.example" }
    }

    private static let call: APIError.FailedCall = {
        var call = APIError.FailedCall(method: .get, template: "products/{}", url: "https://shop.example/products/7")
        call.attempt = 2
        return call
    }()

    private static func status(_ code: Int, _ problem: (any Sendable)? = nil) -> APIError {
        .status(
            APIError.StatusFailure(call: call, status: .init(code: code), body: Data("secret".utf8), problem: problem)
        )
    }

    private static func transport(_ kind: TransportError.Kind) -> APIError {
        .transport(APIError.TransportFailure(call: call, error: TransportError(kind, "127.0.0.1:80 (libcurl: x)")))
    }

    private static func authorization(_ cause: any Error) -> APIError {
        .authorization(APIError.AuthorizationFailure(call: call, underlying: cause))
    }

    private static func rejected(_ reason: APIError.RejectedFailure.Reason) -> APIError {
        .rejected(APIError.RejectedFailure(call: call, reason: reason))
    }

    private static func items(_ problems: any Sendable...) -> APIError {
        let items = problems.enumerated().map { APIError.ItemsFailure.Item(index: $0.offset, problem: $0.element) }
        return .items(APIError.ItemsFailure(call: call, status: 200, items: items, count: 3))
    }

    static let rows: [Row] =
        [
            Row(
                "request",
                APIError.request(APIError.RequestFailure(call: call, declarationErrors: [])),
                "The request could not be made."
            ),
            Row("authorization", authorization(Plain()), "You are not signed in."),
            Row("authorization: a reason of the app", authorization(Spoken()), "The name is taken."),
            Row(
                "authorization: no way to the server",
                authorization(transport(.cannotConnect)),
                "The server cannot be reached."
            ),
            Row(
                "authorization: a source that asks by itself and is offline",
                authorization(URLError(.notConnectedToInternet)),
                "The server cannot be reached."
            ),
            Row(
                "authorization: a source that is cancelled",
                authorization(CancellationError()),
                "The request was cancelled."
            ),
            Row("authorization: the refresh is rejected", authorization(status(400)), "You are not signed in."),
            Row("authorization: the sign-in is rejected", authorization(status(401)), "You are not signed in."),
            Row("authorization: the sign-in says why", authorization(status(403, Spoken())), "The name is taken."),
            Row("authorization: the refresh says why", authorization(status(400, Spoken())), "The name is taken."),
            Row("authorization: a problem without a sentence", authorization(status(403, 7)), "You are not signed in."),
            Row(
                "authorization: the sign-in within the refresh says why",
                authorization(authorization(status(403, Spoken()))),
                "The name is taken."
            ),
            Row("authorization: no server of tokens is there", authorization(status(404)), "This item does not exist."),
            Row(
                "authorization: too many requests for tokens",
                authorization(status(429)),
                "There were too many requests. Try again later."
            ),
            Row(
                "authorization: the request for a token cannot be made",
                authorization(APIError.request(APIError.RequestFailure(call: call, declarationErrors: []))),
                "The request could not be made."
            ),
            Row(
                "authorization: a token that does not decode",
                authorization(
                    APIError.decoding(
                        APIError.DecodingFailure(
                            call: call,
                            status: 200,
                            typeName: "Int",
                            underlying: Plain(),
                            body: Data("x".utf8)
                        )
                    )
                ),
                "The server's response could not be read."
            ),
            Row(
                "authorization: the server of tokens is broken",
                authorization(status(500)),
                "The server has a problem. Try again later."
            ),
            Row(
                "authorization: too many wait for a token",
                authorization(RefreshingToken.TooManyWaiting(limit: 1)),
                "There were too many requests. Try again later."
            ),
            Row(
                "rejected: too many wait",
                rejected(.tooManyWaiting(limit: 1)),
                "There were too many requests. Try again later."
            ),
            Row(
                "rejected: too late",
                rejected(.rateLimited(until: .now, wait: .seconds(1), bound: .deadline(in: .zero))),
                "There were too many requests. Try again later."
            ),
            Row(
                "rejected: the server wants no request",
                rejected(.rateLimited(until: .now, wait: .seconds(1), bound: .maximumWait(.zero))),
                "The server is busy. Try again later."
            ),
            Row("transport: no host", transport(.cannotResolveHost), "The server cannot be reached."),
            Row("transport: no network", transport(.notConnected), "There is no network connection."),
            Row("transport: no connection", transport(.cannotConnect), "The server cannot be reached."),
            Row(
                "transport: TLS",
                transport(.secureConnectionFailed),
                "A secure connection to the server could not be established."
            ),
            Row("transport: lost", transport(.connectionLost), "The connection to the server was lost."),
            Row("transport: late", transport(.timedOut), "The server took too long to respond."),
            Row("transport: cancelled", transport(.cancelled), "The request was cancelled."),
            Row("transport: not HTTP", transport(.invalidResponse), "The server's response could not be read."),
            Row("transport: head", transport(.headTooLarge), "The server's response is too large."),
            Row("transport: body", transport(.bodyTooLarge), "The server's response is too large."),
            Row("transport: redirects", transport(.tooManyRedirects), "The server's response could not be read."),
            Row("transport: loop", transport(.redirectLoop), "The server's response could not be read."),
            Row("transport: redirect", transport(.redirectRejected), "The server's response could not be read."),
            Row("transport: request", transport(.unsupportedRequest), "The request could not be made."),
            Row("transport: unavailable", transport(.unavailable), "The request could not be made."),
            Row("transport: other", transport(.other), "The request failed."),
            Row(
                "a transport's own error",
                TransportError(.connectionLost, "x"),
                "The connection to the server was lost."
            ),
            Row(
                "timeout",
                APIError.timeout(APIError.TimeoutFailure(call: call, limit: .seconds(5))),
                "The server took too long to respond."
            ),
            Row("cancelled", APIError.cancelled(APIError.CancelledFailure(call: call)), "The request was cancelled."),
            Row("status 304 to a POST", status(304), "The server's response could not be read."),
            Row("status 400", status(400), "The server rejected the request."),
            Row("status 401", status(401), "You are not signed in."),
            Row("status 403", status(403), "You are not allowed to do this."),
            Row("status 404", status(404), "This item does not exist."),
            Row("status 408", status(408), "The server took too long to respond."),
            Row("status 409", status(409), "The change conflicts with another one."),
            Row("status 410", status(410), "This item does not exist."),
            Row("status 412", status(412), "This was changed in the meantime. Load it again and repeat your change."),
            Row("status 413", status(413), "The request is too large for the server."),
            Row("status 422", status(422), "The server rejected the request."),
            Row("status 428", status(428), "This was changed in the meantime. Load it again and repeat your change."),
            Row("status 429", status(429), "There were too many requests. Try again later."),
            Row("status 500", status(500), "The server has a problem. Try again later."),
            Row("status 503", status(503), "The server is not available. Try again later."),
            Row("status 504", status(504), "The server took too long to respond."),
            Row("a success with a problem", status(200, Plain()), "The server reported an error."),
            Row("a problem without a sentence", status(422, "name_taken"), "The server rejected the request."),
            Row("a problem with a sentence", status(422, Spoken()), "The name is taken."),
            Row("several problems", status(422, [Spoken(), Spoken()]), "The name is taken. The name is taken."),
            Row(
                "decoding",
                APIError.decoding(
                    APIError.DecodingFailure(
                        call: call,
                        status: 200,
                        typeName: "Int",
                        underlying: Plain(),
                        body: Data("x".utf8)
                    )
                ),
                "The server's response could not be read."
            ),
            Row(
                "pagination",
                APIError.pagination(APIError.PaginationFailure(call: call, reason: .loop)),
                "The list could not be loaded completely."
            ),
            Row("items", items(Plain(), Spoken()), "The change failed for some items."),
            Row("one item with a sentence", items(Spoken()), "The name is taken."),
            Row(
                "an item by itself",
                APIError.ItemsFailure.Item(index: 0, problem: 7),
                "The change failed for this item."
            ),
            Row(
                "middleware",
                APIError.middleware(APIError.MiddlewareFailure(call: call, underlying: Plain())),
                "The request failed."
            ),
            Row(
                "middleware with a sentence",
                APIError.middleware(APIError.MiddlewareFailure(call: call, underlying: Spoken())),
                "The name is taken."
            ),
            Row(
                "nothing in the cache",
                APIError.middleware(APIError.MiddlewareFailure(call: call, underlying: Cached.Policy.NotCached())),
                "This is not available offline."
            ),
            Row(
                "a full disk",
                APIError.download(
                    APIError.DownloadFailure(
                        call: APIError.FailedCall(method: .get, template: "products"),
                        file: URL(fileURLWithPath: "/tmp/shop"),
                        reason: .diskFull
                    )
                ),
                "The file could not be saved."
            ),
            Row(
                "an upload that the server has removed",
                APIError.upload(APIError.UploadFailure(call: call, reason: .expired(410))),
                "The upload could not be completed."
            ),
            Row(
                "a directory that holds no cache",
                DirectoryError(URL(fileURLWithPath: "/tmp/shop"), .symbolicLink),
                "The stored data cannot be used."
            ),
        ] + circuits.map { Row("rejected: an open circuit", $0, "The server is not available. Try again later.") }

    private static let circuits = [HTTPRequest.Origin(Shop.url)].compactMap { $0 }.map { origin in
        rejected(
            .circuitOpen(
                APIError.OpenCircuit(origin: origin, failures: 1, since: .now, until: .now, cause: status(503))
            )
        )
    }

    @Test("Each error has its user-facing localizedDescription", arguments: rows)
    func sentence(_ row: Row) {
        #expect(row.error.localizedDescription == row.sentence)
    }

    @Test("Every sentence is covered and contains no URL, template or type name")
    func all() {
        let said = Set(Self.rows.map(\.sentence))
        // `notSent` belongs to stores.
        for sentence in ErrorSentence.allCases where sentence != .notSent {
            #expect(said.contains(sentence.rawValue), "\(sentence)")
            #expect(!sentence.rawValue.contains { "/:{}()<>_\n".contains($0) } && sentence.rawValue.hasSuffix("."))
        }
    }

    @Test(
        "A problem's detail or title becomes its localizedDescription",
        arguments: [
            (#"{"type":"about:blank","title":"No stock","detail":"There is no lamp left."}"#, "There is no lamp left."),
            (#"{"title":"No stock"}"#, "No stock"), (#"{"type":"/errors/7"}"#, "The server rejected the request."),
            (#"{"detail":""}"#, "The server rejected the request."),
        ]
    )
    func problems(json: String, sentence: String) async {
        let stub = StubTransport { _ in .json(json, status: 422) }
        let client = Client(Shop.url, transport: stub) { Problem(Problem.Details.self) }
        let error = await failure { try await client.get("a", as: Int.self) }
        #expect(error?.localizedDescription == sentence)
        #expect(error?.description.contains("GET a failed: 422") == true)
    }

    @Test("The localizedDescription of a Django REST framework or JSON:API problem is its detail")
    func styles() async {
        let bodies = [
            (Style.djangoREST, #"{"detail":"Not found."}"#, "Not found."),
            (Style.djangoREST, #"{"name":["This field is required."]}"#, "This field is required."),
            (Style.jsonAPI, #"{"errors":[{"detail":"No lamp."},{"title":"No name"}]}"#, "No lamp. No name"),
            (Style.jsonAPI, #"{"errors":[{"code":"7"}]}"#, "The server rejected the request."),
        ]
        for (style, json, sentence) in bodies {
            let client = Client(Shop.url, transport: StubTransport { _ in .json(json, status: 400) }) { style }
            let error = await failure { try await client.get("a", as: Int.self) }
            #expect(error?.localizedDescription == sentence)
        }
    }

    @Test("A secret echoed in a problem is redacted from localizedDescription")
    func secrets() async {
        let stub = StubTransport { _ in .json(#"{"detail":"t0k3n is not valid."}"#, status: 400) }
        let client = Client(Shop.url, transport: stub) {
            Problem(Problem.Details.self)
            Authorization(.bearer("t0k3n"))
        }
        let error = await failure { try await client.get("a", as: Int.self) }
        #expect(error?.localizedDescription == "‹redacted› is not valid.")
    }

    #if canImport(Darwin)
        @Test("An app's string table translates localizedDescription; missing sentences stay in English")
        func translated() throws {
            let directory = TemporaryDirectory()
            let strings = #""You are not signed in." = "Du bist nicht angemeldet.";"#
            let table = directory.url.appendingPathComponent("Waybill.strings")
            try FileManager.default.moveItem(at: directory.file(Data(strings.utf8)), to: table)
            let bundle = try #require(Bundle(url: directory.url))
            #expect(ErrorSentence.notSignedIn.text(in: bundle) == "Du bist nicht angemeldet.")
            #expect(ErrorSentence.notFound.text(in: bundle) == "This item does not exist.")
        }
    #endif
}

@Suite("APIError.summary")
struct SummaryTests {
    private let call = APIError.FailedCall(
        method: .get,
        template: "products/{}",
        url: "https://shop.example/products/7"
    )

    @Test("APIError.summary is the first line of the description")
    func firstLine() {
        let errors: [(APIError, String)] = [
            (.status(APIError.StatusFailure(call: call, status: 404)), "GET products/{} failed: 404 Not Found"),
            (
                .transport(APIError.TransportFailure(call: call, error: TransportError(.connectionLost))),
                "GET products/{} got no response: the connection was lost"
            ),
        ]
        for (error, summary) in errors {
            #expect(error.summary == summary)
            #expect(error.description.hasPrefix(summary + "\n"))
        }
    }

    @Test("APIError.summary replaces control characters with spaces, so an error cannot forge a log line")
    func controlCharacters() {
        let error = TransportError(.other, "\u{1B}[2Jover\u{0}written\u{7F}\r\nERROR forged")
        #expect(
            APIError.transport(APIError.TransportFailure(call: call, error: error)).summary
                == "GET products/{} got no response: the transport failed:  [2Jover written "
        )
    }

    @Test("APIError.summary of a decoding failure has the location and the reason")
    func decoding() async throws {
        let rows = [
            (#"{"id":7,"name":null}"#, "name (line 1, column 16): expected a string, found null"),
            (#"{"id":"x"}"#, #"id (line 1, column 7): expected an integer (Int), found the string "x""#),
            ("", "the body is empty; declare `Void` or an optional where that is expected"),
        ]
        for (body, reason) in rows {
            let shop = Shop(responses: ["GET products/7": .json(body)])
            let error = await failure { try await shop.products.read(7) }
            let head = "GET products/{} returned 200 OK, but its body does not decode as Product: "
            #expect(try #require(error).summary == head + reason)
        }
    }

    @Test("APIError.summary includes only the first line of a custom decoder's error")
    func ownDecoder() async throws {
        let shop = Shop(responses: ["GET products/7": .json(#"{"password":"hunter2","id":"x"}"#)]) {
            Decode(with: Repeating())
        }
        let error = await failure { try await shop.products.read(7) }
        #expect(try #require(error).summary.hasSuffix("does not decode as Product: id: x"))
    }

    private struct Repeating: ResponseDecoder {
        struct Reason: Error, CustomStringConvertible { let description = "id: x\nmore" }

        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { throw Reason() }
    }
}
