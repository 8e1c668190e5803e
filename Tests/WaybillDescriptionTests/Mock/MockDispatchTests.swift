import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Mock servers with several calls on one path")
struct MockDispatchTests {
    private let server: MockServer
    private let wiki: Wiki

    init() throws {
        server = try MockServer(Wiki())
        wiki = Wiki(server.url)
    }

    @Test("Calls on one path that differ in constant query items get responses of their types") func queries()
        async throws
    {
        #expect(try await wiki.titles(limit: 3).send().map(\.title) == ["text"])
        #expect(try await wiki.page("Any").send().text == "text")
        #expect(try await wiki.edit("New").send().revision == 1)
        #expect(try await wiki.login("ada").send().token == "text")
    }

    @Test("Named calls are also distinguished, by a server and by a stub") func names() async throws {
        for wiki in [wiki, Wiki(transport: StubTransport(try .mocking(Wiki())))] {
            #expect(try await wiki.named("read", Page.self, "pages.read").send().text == "text")
            #expect(try await wiki.named("login", Grant.self, "login").send().token == "text")
        }
    }

    @Test("An overriding response for a call's name leaves the other calls on its path as declared") func overrides()
        async throws
    {
        let server = try MockServer(Wiki(), overriding: ["GET pages.read": .sequence([.status(503), .status(404)])])
        let wiki = Wiki(server.url)
        for status in [503, 404, 404] {
            let error = await #expect(throws: APIError.self) {
                try await wiki.named("read", Page.self, "pages.read").send()
            }
            #expect(error?.status?.code == status)
        }
        #expect(try await wiki.named("login", Grant.self, "login").send().token == "text")
    }

    @Test("A JSON create and a multipart upload on one path get separate responses") func mediaTypes() async throws {
        let file = try await wiki.files.create(.init(name: "a"))
        #expect(try await wiki.files.read(file.id).name == "a")
        #expect(try await wiki.upload(Data([1])).send().token == "text")
        #expect(try await wiki.files.list().count == 1)
    }

    @Test("Calls that differ in the members of their bodies get separate responses") func members() async throws {
        #expect(try await wiki.flows(named: "x").send().map(\.title) == ["text"])
        #expect(try await wiki.flows(tagged: ["x"]).send().map(\.text) == ["text"])
    }

    @Test("Calls with indistinguishable requests but different responses get 501 with their names") func alike()
        async throws
    {
        let error = await #expect(throws: APIError.self) { try await wiki.alike(Page.self).send() }
        #expect(error?.status == 501)
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains("cannot distinguish these calls"))
        #expect(text.contains("alike.get, alike.get2"))
    }
}

private struct Title: ResponseContent { let title: String }
private struct Page: ResponseContent { let text: String }
private struct Edited: ResponseContent { let revision: Int }
private struct Grant: ResponseContent { let token: String }
private struct File: Entity {
    let id: Int
    var name: String
    struct Draft: Codable, Sendable { var name: String }
}

private struct Wiki: DescribedAPI {
    let client: Client

    init(_ url: URL = URL(filePath: "/"), transport: (any Transport)? = nil) {
        let base = url.isFileURL ? URL(string: "https://wiki.example/w") ?? url : url
        client =
            transport.map { Client(base, transport: $0) { Query("format", "json") } }
            ?? Client(base) { Query("format", "json") }
    }

    var calls: APIDescription {
        titles(limit: 7)
        page("Main")
        edit("Text")
        login("root")
        named("read", Page.self, "pages.read")
        named("login", Grant.self, "login")
        files
        upload(Data([7]))
        flows(named: "x")
        flows(tagged: ["a"])
        alike(Page.self)
        alike(Grant.self)
    }

    func titles(limit: Int) -> Endpoint<[Title]> {
        endpoint {
            GET("api.php")
            Query("action", "query")
            Query("list", "all")
            Query("limit", limit)
            Envelope("query", "all")
        }
    }

    func page(_ title: String) -> Endpoint<Page> {
        endpoint {
            GET("api.php")
            Query("action", "query")
            Query("titles", title)
            Envelope("query", "pages", 0)
        }
    }

    func edit(_ text: String) -> Endpoint<Edited> {
        endpoint {
            POST("api.php")
            Query("action", "edit")
            Body(form: ["text": text])
            Envelope("edit")
        }
    }

    func login(_ user: String) -> Endpoint<Grant> {
        endpoint {
            POST("api.php")
            Query("action", "login")
            Body(form: ["user": user])
            Envelope("login")
        }
    }

    func named<Value: ResponseContent>(_ action: String, _ type: Value.Type, _ name: String) -> Endpoint<Value> {
        endpoint {
            GET("rpc.php")
            Query("action", action)
            Call.Name(name)
        }
    }

    enum Access: Listable, Readable, Creatable {}

    var files: Resource<File, Access> { resource("files") }

    func upload(_ bytes: Data) -> Endpoint<Grant> {
        endpoint {
            POST("files")
            Multipart { Multipart.Part("file", bytes, fileName: "a.bin") }
        }
    }

    func flows(named name: String) -> Endpoint<[Title]> {
        endpoint {
            POST("flows/filter")
            Body(["name": name])
        }
    }

    func flows(tagged tags: [String]) -> Endpoint<[Page]> {
        endpoint {
            POST("flows/filter")
            Body(["tags": tags])
        }
    }

    func alike<Value: ResponseContent>(_ type: Value.Type) -> Endpoint<Value> { endpoint { GET("alike") } }
}
