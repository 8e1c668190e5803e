import Foundation
import Testing
import Waybill
import WaybillCaching
import WaybillFiles
import WaybillTesting

private struct Product: Entity, Equatable {
    let id: Int
    var name: String
}

private struct Shop: API {
    let client: Client

    var products: Resource<Product, ReadWrite> { resource("products") }
}

private struct User { let id: String }

private struct NoVersion: Error {}

private struct Lamp: Entity {
    let id: Int
    var version: String
}

private struct Lamps: API {
    let client: Client

    var lamps: Resource<Lamp, ReadWrite> { resource("lamps") }
}

private struct Tokens: Sendable {
    func current() async throws -> String { "token" }
}

@Suite("Caching.md")
struct CachingSamples {
    private let url = Sample.url

    @Test("The lost update in Caching.md has the server's version")
    func lostUpdate() async throws {
        let tag = { (text: String) -> HTTPFields in [HTTPField(name: .eTag, value: text)] }
        let stub = StubTransport([
            "GET products/{}": .json(#"{"id":7,"name":"Lamp"}"#, headers: tag(#""1""#)),
            "PUT products/{}": .json(
                #"{"details":{"existing":{"id":7,"name":"Floor lamp"}}}"#,
                status: 412,
                headers: tag(#""2""#)
            ),
        ])
        let shop = Shop(client: Client(url, transport: stub))
        var shown: [Product?] = []
        func show(_ product: Product?, _ tag: HTTPField.EntityTag?) {
            shown.append(product)
            #expect(tag == HTTPField.EntityTag(#""2""#))
        }

        let read = try await shop.products.endpoints.read(7).response()
        var lamp = read.value
        lamp.name = "Desk lamp"
        do throws(APIError) {
            try await shop.products.with { IfMatch(read) }.update(lamp)
        } catch {
            guard let lost = error.lostUpdate else { throw error }
            let theirs = lost.version(as: Product.self, at: "details", "existing")
            show(theirs, lost.entityTag)
        }

        #expect(shown == [Product(id: 7, name: "Floor lamp")])
        #expect(stub.requests.last?.headerFields[.ifMatch] == #""1""#)
    }

    @Test("The tag from a body in Caching.md guards an update")
    func tagInBody() async throws {
        let stub = StubTransport { _ in .json(#"{"id":7,"version":"1-a"}"#) }
        let shop = Lamps(client: Client(url, transport: stub))

        let lamp = try await shop.lamps.read(7)
        guard let tag = HTTPField.EntityTag(opaqueTag: lamp.version) else { throw NoVersion() }
        try await shop.lamps.with { IfMatch(tag) }.update(lamp)

        #expect(stub.requests.last?.headerFields[.ifMatch] == #""1-a""#)
    }

    @Test("The conditional GET in Caching.md returns nil after a 304")
    func notModified() async throws {
        let stub = StubTransport(["GET products/{}": .status(304)])
        let shop = Shop(client: Client(url, transport: stub))
        let tag = HTTPField.EntityTag(#""1""#)

        let changed: Endpoint<Product?> = shop.endpoint {
            GET("products/\(7)")
            IfNoneMatch(tag)
            Success(.success, 304)  // nil if nothing has changed
        }

        #expect(try await changed.send() == nil)
        #expect(stub.requests.first?.headerFields[.ifNoneMatch] == #""1""#)
    }

    @Test("The explanation lists the memory cache in Caching.md")
    func memory() throws {
        let cache = HTTPCache(maximumBytes: 20_000_000)
        let client = Client(url) {
            Cached(in: cache)
        }

        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Cached: HTTPCache(maximumBytes: 20000000)"))
    }

    @Test("The disk cache in Caching.md serves a second call and follows its policies and removals")
    func disk() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("waybill-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }

        let cache = try HTTPCache.onDisk(at: directory, maximumBytes: 100_000_000)

        let fields: HTTPFields = [HTTPField(name: .cacheControl, value: "max-age=3600")]
        let stub = StubTransport(["GET products": .json("[]", headers: fields)])
        let shop = Shop(client: Client(url, transport: stub) { Cached(in: cache, heuristicFreshness: false) })
        for _ in 1...2 { #expect(try await shop.products.list().isEmpty) }
        #expect(stub.requests.count == 1)

        let fresh = try await shop.products.with { Cached.Policy(.reload) }.list()

        #expect(fresh.isEmpty)
        #expect(stub.requests.count == 2)

        let known: Endpoint<[Product]> = shop.products.endpoints.list().with {
            Cached.Policy(.onlyIfCached)
            Header(.cacheControl, "max-stale")
        }

        #expect(try await known.send().isEmpty)
        #expect(stub.requests.count == 2)
        await cache.removeAll()
        let error = await Sample.failure { try await known.send() }
        #expect(error?.isNotCached == true)
    }

    @Test("The error text for a cache directory writable by others matches Caching.md")
    func directory() {
        let error = DirectoryError(URL(fileURLWithPath: "/tmp/shop"), .writableByOthers(mode: 0o777))
        #expect(
            error.description == """
                the directory /tmp/shop is writable by other users (mode 0777); run chmod 700 on it, or use a path that does not exist yet
                """
        )
    }

    @Test("The explanation lists the cache for a user in Caching.md")
    func users() throws {
        let (cache, tokens, user) = (HTTPCache(), Tokens(), User(id: "ann"))
        let client = Client(url) {
            Authorization(.bearer { try await tokens.current() })
            Cached(in: cache, for: user.id)
        }

        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Cached: "))
    }

    @Test("The explanation lists the coalescing in Caching.md")
    func coalesced() throws {
        let client = Client(url) {
            Coalesced()
        }

        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Coalesced: on"))
    }
}
