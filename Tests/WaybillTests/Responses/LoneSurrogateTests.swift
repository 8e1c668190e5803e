import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

/// Text that a server truncated in the middle of a UTF-16 surrogate pair.
@Suite("Lone surrogates in responses")
struct LoneSurrogateTests {
    struct Post: Codable, Sendable, Equatable {
        var id: Int
        var text: String?
    }

    struct Failure: Decodable, Sendable, Equatable {
        var code: String
        var detail: String?
    }

    private static let items = [#"{"id":1,"text":"a"}"#, #"{"id":2,"text":"cut \ud83d"}"#, #"{"id":3,"text":"b"}"#]

    /// The format of a body with the items.
    enum Form: CaseIterable {
        case list, envelope, jsonLines, concatenated

        fileprivate var response: StubResponse {
            let items = LoneSurrogateTests.items
            switch self {
            case .list: return .json("[\(items.joined(separator: ","))]")
            case .envelope: return .json("{\"data\":[\(items.joined(separator: ","))],\"note\":\"\\ude00\"}")
            case .jsonLines:
                return .json(items.joined(separator: "\n")).header("Content-Type", "application/x-ndjson")
            case .concatenated: return .json(items.joined())
            }
        }

        fileprivate func endpoint(@Scope.Builder _ clauses: () -> Scope) -> Endpoint<[Post]> {
            let response = response
            return Client(Shop.url, transport: StubTransport { _ in response }).endpoint {
                GET("posts")
                self == .envelope ? Envelope("data") : .none
                if self == .concatenated { Decode.StreamFormat(.concatenatedJSON) }
            }.with(clauses)
        }
    }

    @Test(
        "DropInvalidItems drops only the item with a lone surrogate, from a list and a stream",
        arguments: Form.allCases
    )
    func dropped(form: Form) async throws {
        let endpoint = form.endpoint { DropInvalidItems() }
        if form == .list || form == .envelope {
            let response = try await endpoint.response()
            #expect(response.value.map(\.id) == [1, 3])
            #expect(response.droppedItems.map(\.index) == [1])
        }
        let stream = try await endpoint.stream()
        var read: [Int] = []
        for try await post in stream { read.append(post.id) }
        #expect(read == [1, 3])
        #expect(stream.droppedItems.map(\.index) == [1])
    }

    @Test("With .replace, a lone surrogate in a list or stream becomes U+FFFD", arguments: Form.allCases)
    func replaced(form: Form) async throws {
        let endpoint = form.endpoint { Decode(loneSurrogates: .replace) }
        if form == .list || form == .envelope {
            #expect(try await endpoint.send().map(\.text) == ["a", "cut \u{FFFD}", "b"])
        }
        var read: [String?] = []
        for try await post in try await endpoint.stream() { read.append(post.text) }
        #expect(read == ["a", "cut \u{FFFD}", "b"])
    }

    @Test(
        "By default, an error names the item and the fix, and the stream yields the items before it",
        arguments: Form.allCases
    )
    func strict(form: Form) async throws {
        let endpoint = form.endpoint { Timeout(.seconds(60)) }
        var read: [Int] = []
        do {
            for try await post in try await endpoint.stream() { read.append(post.id) }
            Issue.record("no error")
        } catch {
            #expect("\(error)".contains("[1].text (line "))
            #expect("\(error)".contains("Decode(loneSurrogates: .replace)"))
        }
        #expect(read == [1])
        if form == .list || form == .envelope {
            let error = await failure { try await endpoint.send() }
            #expect(error.map { "\($0)".contains("[1].text (line 1") } == true)
        }
    }

    @Test("Pagination drops the item with a lone surrogate, replaces the surrogate or fails after the page before")
    func pages() async throws {
        let client = Client(
            Shop.url,
            transport: StubTransport { request in
                request.url.query()?.contains("after=x") == true
                    ? .json(#"{"data":[{"id":3,"text":"cut \ud83d"},{"id":4}]}"#)
                    : .json(#"{"data":[{"id":1},{"id":2}],"next":"x","note":"\ud83d"}"#)
            }
        )
        let endpoint: Endpoint<[Post]> = client.endpoint {
            GET("posts")
            Envelope("data")
            Paginated(.cursor(at: "next", as: "after"))
        }
        var read: [Int] = []
        for try await post in endpoint.with({ DropInvalidItems() }).all { read.append(post.id) }
        #expect(read == [1, 2, 4])
        read = []
        for try await post in endpoint.with({ Decode(loneSurrogates: .replace) }).all { read.append(post.id) }
        #expect(read == [1, 2, 3, 4])
        read = []
        await #expect(throws: APIError.self) { for try await post in endpoint.all { read.append(post.id) } }
        #expect(read == [1, 2])
    }

    @Test(
        "A problem with a lone surrogate is decoded, whether or not its type uses the text",
        arguments: [
            (#"{"code":"full","detail":"cut \ud83d"}"#, "cut \u{FFFD}"), (#"{"code":"full","other":"\ude00"}"#, nil),
        ]
    )
    func problems(body: String, detail: String?) async {
        let client = Client(Shop.url, transport: StubTransport { _ in .json(body, status: 409) }) {
            Problem(Failure.self)
        }
        let error = await failure { try await client.get("a") as Post }
        #expect(error?.problem() == Failure(code: "full", detail: detail))
        let lines = Client(
            Shop.url,
            transport: StubTransport { _ in
                .json("{\"id\":1}\n\(body)\n").header("Content-Type", "application/x-ndjson")
            }
        )
        let endpoint: Endpoint<[JSONValue]> = lines.endpoint {
            GET("a")
            Problem(Failure.self, on: .success)
        }
        let inLine = await failure { for try await _ in try await endpoint.stream() {} }
        #expect(inLine?.problem() == Failure(code: "full", detail: detail))
        let inEvents: Endpoint<Events<JSONValue>> = Client(
            Shop.url,
            transport: StubTransport(["GET a": .events("data: {\"id\":1}\n\ndata: \(body)\n\n")])
        ).endpoint {
            GET("a")
            Problem(Failure.self, on: .success)
        }
        let inEvent = await failure { for try await _ in try await inEvents.stream() {} }
        #expect(inEvent?.problem() == Failure(code: "full", detail: detail))
    }

    @Test("A token rejection is decoded from a body with a lone surrogate")
    func rejectedTokens() {
        let body = Data(#"{"code":"M_UNKNOWN_TOKEN","detail":"cut \ud83d"}"#.utf8)
        let rejection = RefreshingToken.Rejection(status: 403, body: body)
        #expect(rejection.value(as: Failure.self)?.code == "M_UNKNOWN_TOKEN")
    }

    @Test("An emoji split across two events is an error, or two replacement characters")
    func splitOverEvents() async throws {
        struct Delta: Decodable, Sendable { var text: String }
        let text =
            #"data: {"text":"\ud83d"}"# + "\n\n" + #"data: {"text":"\ude00"}"# + "\n\ndata: [DONE]\n\n"
        let client = Client(Shop.url, transport: StubTransport(["GET chat": .events(text)]))
        let endpoint: Endpoint<Events<Delta>> = client.endpoint {
            GET("chat")
            Events.End("[DONE]")
        }
        let error = await failure { for try await _ in try await endpoint.stream() {} }
        #expect(error.map { "\($0)".contains("[0].text") && "\($0)".contains("loneSurrogates: .replace") } == true)
        var read = ""
        for try await event in try await endpoint.with({ Decode(loneSurrogates: .replace) }).stream() {
            read += event.data.text
        }
        #expect(read == "\u{FFFD}\u{FFFD}")
    }

    @Test("The strategy combines with outer ones and is a declaration error with Foundation's decoder")
    func scopes() throws {
        #expect(Decode(loneSurrogates: .replace).summary == "loneSurrogates replace")
        let snake = Decode(keys: .convertFromSnakeCase)
        #expect(
            Decode(loneSurrogates: .replace).merged(over: snake).summary
                == "keys convertFromSnakeCase, loneSurrogates replace"
        )
        let client = Client(Shop.url) { Decode(with: JSONDecoder()) }
        let endpoint: Endpoint<Int> = client.endpoint {
            GET("a")
            Decode(loneSurrogates: .replace)
        }
        let error = try #require(throws: APIError.self) { try endpoint.plan() }
        #expect("\(error)".contains("the JSONDecoder of an outer scope has no strategy for lone surrogates"))
        #expect("\(error)".contains("loneSurrogateDecodingStrategy"))
    }
}
