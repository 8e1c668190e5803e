import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Mock servers with several resources and procedures on one path")
struct MockSharedPathTests {
    @Test("Resources with different entities below one prefix stay separate") func prefix() async throws {
        let server = try MockServer(Seedbox()) { Seeds([Torrent(hash: "a", name: "Film")]) }
        let box = Seedbox(server.url)
        _ = try await box.categories.create(.init(name: "films"))
        #expect(try await box.categories.list().map(\.name) == ["films"])
        #expect(try await box.torrents.list().map(\.hash) == ["a"])
        try await box.categories.delete("films")
        #expect(try await box.categories.list().isEmpty)
        #expect(try await box.torrents.list().count == 1)
    }

    @Test("JSON seeds below a shared prefix belong to the list at their path") func seeds() async throws {
        let server = try MockServer(Seedbox()) { Seeds(json: #"[{"name": "films"}]"#, at: "api/v2/categories") }
        #expect(try await Seedbox(server.url).categories.list().map(\.name) == ["films"])
        #expect(try await Seedbox(server.url).torrents.list().isEmpty)
        let error = #expect(throws: Seeds.Failure.self) {
            try MockServer(Seedbox()) { Seeds(json: #"[{"name": "films"}]"#, at: "api/v2") }
        }
        #expect(error?.description.contains("Torrent, Category") ?? false, "\(error as Any)")
        #expect(error?.description.contains("Seeds(…, at: \"api/v2/torrents/info\")") ?? false, "\(error as Any)")
    }

    @Test("A summary and a full representation at the paths of one resource are the same entity") func views()
        async throws
    {
        let server = try MockServer(Catalog()) { Seeds([Article(id: 1, title: "Lamp", text: "Bright")]) }
        let catalog = Catalog(server.url)
        #expect(try await catalog.summaries.list().map(\.title) == ["Lamp"])
        let made = try await catalog.articles.create(.init(title: "Rug", text: "Soft"))
        #expect(try await catalog.summaries.list().map(\.id) == [1, made.id])
        let seeded = try MockServer(Catalog()) { Seeds([Summary(id: 5, title: "Chair")]) }
        let whole = try await Catalog(seeded.url).articles.read(5)
        #expect(whole.title == "Chair" && whole.text == "text")
    }

    @Test("The method in the body selects the resource's operation") func procedures() async throws {
        let server = try MockServer(Daemon()) { Seeds([Torrent(hash: "a", name: "Film")]) }
        let daemon = Daemon(server.url)
        let made = try await daemon.torrents.create(.init(name: "Song"))
        #expect(try await daemon.torrents.list().map(\.name) == ["Film", "Song"])
        try await daemon.torrents.delete("a")
        #expect(try await daemon.torrents.list().map(\.hash) == [made.hash])
        #expect(try await daemon.session(detail: "short").send().version == "text")
    }

    @Test("A request with an undeclared body method gets 501 with the declared ones") func undeclared() async throws {
        let server = try MockServer(Daemon())
        let call: Endpoint<JSONValue> = Daemon(server.url).endpoint {
            POST("rpc")
            Body.Member("method", "port-test")
            Body.Member("detail", "long")
        }
        let error = await #expect(throws: APIError.self) { try await call.send() }
        #expect(error?.status == 501)
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains(#"method is "port-test""#), "\(text)")
        #expect(text.contains(#""session-get", "torrent-add", "torrent-get", "torrent-remove""#), "\(text)")
    }

    @Test("A call whose return type differs from its resource's operation gets 501 with both names")
    func returning() async throws {
        let server = try MockServer(Shelf())
        let shelf = Shelf(server.url)
        let error = await #expect(throws: APIError.self) { try await shelf.receipt.send() }
        #expect(error?.status == 501)
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains("articles.create, articles.post"), "\(text)")
        #expect(text.contains("Query, Header or Body.Member"), "\(text)")
        #expect(try await shelf.articles.list().isEmpty)
    }

    @Test("A call with the path and type of a list returns the list's entities") func search() async throws {
        let server = try MockServer(Shelf()) { Seeds([Article(id: 4, title: "Lamp", text: "Bright")]) }
        let shelf = Shelf(server.url)
        #expect(try await shelf.found.list().map(\.id) == [4])
        #expect(try await shelf.found.all.collect(upTo: 9).map(\.id) == [4])
        #expect(try await shelf.search("Lamp").send().map(\.id) == [4])
    }

    @Test("Lists on one path are each paged by their own scheme") func schemes() async throws {
        let seeds = (1...5).map { Article(id: $0, title: "\($0)", text: "") }
        let server = try MockServer(Shelf()) { Seeds(seeds) }
        #expect(try await Shelf(server.url).numbered.all.collect(upTo: 9).map(\.id) == [1, 2, 3, 4, 5])
        #expect(try await Shelf(server.url).linked.all.collect(upTo: 9).map(\.id) == [1, 2, 3, 4, 5])
    }
}

private struct Torrent: Entity {
    let hash: String
    var id: String { hash }
    var name: String
    struct Draft: RequestContent, ResponseContent { var name: String }
}

private struct Category: Entity {
    var name: String
    var id: String { name }
}

private struct Article: Entity {
    let id: Int
    var title: String
    var text: String
    struct Draft: RequestContent, ResponseContent { var title, text: String }
}

private struct Summary: Entity {
    let id: Int
    var title: String
}

private enum ListAlone: Listable {}
private enum Managed: Listable, Creatable, Deletable {}

private struct Seedbox: DescribedAPI {
    let client: Client

    init(_ url: URL = .mocked) { client = Client(url) {} }

    var torrents: Resource<Torrent, ListAlone> {
        resource("api/v2") { On(.list) { GET("\(.resource)/torrents/info") } }
    }

    var categories: Resource<Category, Managed> {
        resource("api/v2") {
            On(.list) { GET("\(.resource)/categories") }
            On(.create) { POST("\(.resource)/createCategory") }
            On(.delete) {
                POST("\(.resource)/removeCategory")
                Query("name", .id)
            }
        }
    }

    var calls: APIDescription {
        torrents
        categories
    }
}

private struct Catalog: DescribedAPI {
    let client: Client

    init(_ url: URL = .mocked) { client = Client(url) {} }

    enum Whole: Creatable, Readable {}

    var summaries: Resource<Summary, ListAlone> { resource("articles") }
    var articles: Resource<Article, Whole> { resource("articles") }

    var calls: APIDescription {
        summaries
        articles
    }
}

private struct Daemon: DescribedAPI {
    struct Session: ResponseContent { let version: String }

    let client: Client

    init(_ url: URL = .mocked) { client = Client(url) {} }

    var torrents: Resource<Torrent, Managed> {
        resource("rpc") {
            On(.list) {
                POST("\(.resource)")
                Body.Member("method", "torrent-get")
            }
            On(.create) {
                POST("\(.resource)")
                Body.Format(under: "arguments")
                Body.Member("method", "torrent-add")
            }
            On(.delete) {
                POST("\(.resource)")
                Body.Member("method", "torrent-remove")
                Body.Member(["arguments", "ids", 0], .id)
            }
        }
    }

    func session(detail: String) -> Endpoint<Session> {
        endpoint {
            POST("rpc")
            Body.Member("method", "session-get")
            Body.Member("detail", detail)
        }
    }

    var calls: APIDescription {
        torrents
        session(detail: "long")
    }
}

private struct Shelf: DescribedAPI {
    struct Receipt: ResponseContent { let number: Int }

    let client: Client

    init(_ url: URL = .mocked) { client = Client(url) {} }

    var articles: Resource<Article, Managed> { resource("articles") }

    var receipt: Endpoint<Receipt> {
        articles.endpoints.create(.init(title: "a", text: "b")).returning(Receipt.self)
    }

    var found: Resource<Article, ListAlone> {
        resource("articles") {
            Paginated(.offset(.body("offset"), size: .body("limit", count: 2)))
            On(.list) { POST("\(.resource)/filter") }
        }
    }

    func search(_ title: String) -> Endpoint<[Article]> {
        endpoint {
            POST("articles/filter")
            Body(["title": title])
        }
    }

    var numbered: Resource<Article, ListAlone> {
        resource("articles") {
            Paginated(.pageNumber(size: .query("per_page", 2), total: .field("X-Total")))
            On(.list) { GET("\(.resource)/pages") }
        }
    }

    var linked: Resource<Article, ListAlone> {
        resource("articles") {
            Paginated(.link(size: .query("per_page", 2)))
            On(.list) { GET("\(.resource)/pages") }
        }
    }

    var calls: APIDescription {
        articles
        receipt
        found
        search("Rug")
        numbered
        linked
    }
}
