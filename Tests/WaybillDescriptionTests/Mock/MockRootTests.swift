import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Mock servers for calls at the root of an API")
struct MockRootTests {
    @Test("Calls at the root are distinguished by the method in their bodies") func procedures() async throws {
        try await atServerAndStub({ try .mocking(Node()) }, Node.init) { (node: Node) async throws in
            #expect(try await node.count.send() == 1)
            #expect(try await node.name.send() == ["text"])
            #expect(try await node.status.send().isReady)
        }
    }

    @Test("A resource at the root stores its entities in a server and in a stub with a base path")
    func resource() async throws {
        let responses = { try StubResponses.mocking(Files()) { Seeds([File(id: "a", size: 1)]) } }
        try await atServerAndStub(responses, Files.init) { (files: Files) async throws in
            #expect(try await files.files.list().map(\.id) == ["a"])
            let response = try await files.files.endpoints.create(File(id: "b", size: 2)).response()
            #expect(response.headerFields["Location"]?.hasSuffix("/b") ?? false)
            #expect(response.headerFields["Location"]?.hasPrefix("//") == false)
            #expect(try await files.files.read("b").size == 2)
            try await files.files.delete("a")
            #expect(try await files.files.list().map(\.id) == ["b"])
        }
    }

    @Test("Seeds at the root have an empty path or a slash") func seeds() async throws {
        for path in ["", "/"] {
            let server = try MockServer(Files()) { Seeds(json: #"[{"id": "x", "size": 3}]"#, at: path) }
            #expect(try await Files(server.url).files.list().map(\.size) == [3])
        }
    }

    @Test("An overriding response replaces a call at the root") func override() async throws {
        let server = try MockServer(Files(), overriding: ["GET /": .status(503)])
        let error = await #expect(throws: APIError.self) { try await Files(server.url).files.list() }
        #expect(error?.status == 503)
    }
}

/// Runs a test with a server and with a stub whose base URL has a path.
private func atServerAndStub<Mocked>(
    _ responses: () throws -> StubResponses,
    _ make: (URL, any Transport) -> Mocked,
    _ test: (Mocked) async throws -> Void
) async throws {
    let server = try LoopbackServer(responses())
    defer { server.stop() }
    try await test(make(server.url, .default))
    let base = try #require(URL(string: "https://root.example/api/v1"))
    try await test(make(base, StubTransport(try responses())))
}

private struct File: Entity {
    let id: String
    var size: Int
}

private struct Files: DescribedAPI {
    enum Access: Listable, Readable, Creatable, Deletable {}

    let client: Client

    init(_ url: URL = .mocked, _ transport: any Transport = .default) {
        client = Client(url, transport: transport) {}
    }

    var files: Resource<File, Access> { resource("") }

    var calls: APIDescription { files }
}

private struct Node: DescribedAPI {
    struct Status: ResponseContent { let isReady: Bool }

    let client: Client

    init(_ url: URL = .mocked, _ transport: any Transport = .default) {
        client = Client(url, transport: transport) { Envelope("result") }
    }

    func call<Value: Decodable & Sendable>(_ path: Route.Path, _ method: String) -> Endpoint<Value> {
        endpoint {
            POST(path)
            Body.Member("method", method)
        }
    }

    var count: Endpoint<Int> { call("", "block_count") }
    var name: Endpoint<[String]> { call("/", "names") }
    var status: Endpoint<Status> { call("", "status") }

    var calls: APIDescription {
        count
        name
        status
    }
}
