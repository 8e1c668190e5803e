import Foundation
import TestSupport
import Testing
@testable import WaybillCaching

@testable import Waybill

@Suite("Cache size", .inTurn, .safetyNet)
struct CacheRoomTests {
    static func id(_ number: Int, url: Int = 0, owner: Int = 0) -> CacheEntryID {
        CacheEntryID(key: CacheKey(url: "u\(url)", owner: "o\(owner)"), variant: "v\(number)")
    }

    static func response(bytes: Int, number: UInt8 = 0) -> StoredResponse {
        StoredResponse(
            status: 200,
            headerFields: [],
            body: Data(repeating: number, count: max(0, bytes - 256)),
            requestDate: FreshnessTests.exampleDate,
            responseDate: FreshnessTests.exampleDate,
            variant: Variant(names: [], digest: "")
        )
    }

    @Test("The least recently used cache entries are evicted")
    func order() {
        var index = CacheIndex(limit: 30)
        for number in 1...3 { #expect(index.insert(Self.id(number), bytes: 10).isEmpty) }
        index.touch(Self.id(1))
        #expect(index.insert(Self.id(4), bytes: 10) == [Self.id(2)])
        #expect(index.all == [4, 1, 3].map { Self.id($0) })
        #expect(index.insert(Self.id(5), bytes: 20) == [3, 1].map { Self.id($0) })
        #expect(index.insert(Self.id(4), bytes: 5).isEmpty)
        #expect(index.byteCount == 25)
        #expect(index.insert(Self.id(6), bytes: 31) == [5, 4, 6].map { Self.id($0) })
        #expect(index.byteCount == 0)
        #expect(index.count == 0)
        #expect(index.all.isEmpty)
    }

    @Test("The number of cached responses per URL is limited")
    func variants() {
        var index = CacheIndex(limit: 1_000)
        for number in 1...CacheIndex.variantLimit { #expect(index.insert(Self.id(number), bytes: 1).isEmpty) }
        #expect(index.insert(Self.id(1), bytes: 1).isEmpty)
        #expect(index.insert(Self.id(1, url: 1), bytes: 1).isEmpty)
        #expect(index.insert(Self.id(99), bytes: 1) == [Self.id(2)])
        #expect(index.entries(of: Self.id(1).key).count == CacheIndex.variantLimit)
        #expect(index.byteCount == CacheIndex.variantLimit + 1)
    }

    @Test("A cache index matches a plain list of entries after random operations")
    func model() {
        var generator = SplitMix64(seed: 6)
        var index = CacheIndex(limit: 100)
        var model: [(id: CacheEntryID, bytes: Int)] = []
        for _ in 1...5_000 {
            let id = Self.id(
                .random(in: 1...4, using: &generator),
                url: .random(in: 1...3, using: &generator),
                owner: .random(in: 1...3, using: &generator)
            )
            switch Int.random(in: 0...3, using: &generator) {
            case 0, 1:
                let bytes = Int.random(in: 0...40, using: &generator)
                model.removeAll { $0.id == id }
                model.append((id, bytes))
                var evicted: [CacheEntryID] = []
                while model.reduce(0, { $0 + $1.bytes }) > 100 { evicted.append(model.removeFirst().id) }
                #expect(index.insert(id, bytes: bytes) == evicted)
            case 2:
                index.touch(id)
                if let place = model.firstIndex(where: { $0.id == id }) { model.append(model.remove(at: place)) }
            default:
                index.remove(id)
                model.removeAll { $0.id == id }
            }
            #expect(index.all == model.reversed().map(\.id))
            #expect(index.byteCount == model.reduce(0) { $0 + $1.bytes })
            #expect(Set(index.entries(of: id.key)) == Set(model.map(\.id).filter { $0.key == id.key }))
            #expect(Set(index.entries(ofURL: "u1")) == Set(model.map(\.id).filter { $0.key.url == "u1" }))
        }
    }

    @Test("An in-memory or on-disk cache stays within its byte limit", arguments: [false, true])
    func limits(onDisk: Bool) async throws {
        let directory = TemporaryDirectory()
        let store: any CacheStore =
            onDisk ? DiskStore(try CacheDirectory(directory.url), limit: 5_000) : MemoryStore(limit: 5_000)
        for number in 1...20 {
            await store.store(Self.response(bytes: 1_000), as: Self.id(number), at: FreshnessTests.exampleDate)
        }
        let bytes = await store.byteCount()
        #expect(bytes <= 5_000)
        #expect(bytes >= 3_000)
        let count = await store.responses(for: Self.id(20).key).count
        #expect(count == 5 || onDisk)
        if onDisk {
            let files = try FileManager.default.contentsOfDirectory(
                at: directory.url,
                includingPropertiesForKeys: [.fileSizeKey]
            )
            .filter { $0.pathExtension == CacheDirectory.entryExtension }
            let sizes = try files.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
            #expect(sizes.reduce(0, +) == bytes)
            #expect(sizes.count == count)
        }
        await store.removeAll()
        #expect(await store.byteCount() == 0)
        #expect(await store.responses(for: Self.id(20).key).isEmpty)
    }

    @Test("A response over the entry limit is not cached, and the previous entry is removed")
    func largeEntries() async throws {
        let size = Lines()
        let bench = CacheBench.serving(cache: HTTPCache(maximumBytes: 100_000, maximumEntryBytes: 2_000)) { _ in
            size.add("")
            let padding = String(repeating: " ", count: size.all.count == 1 ? 10 : 2_000)
            return .json("\(size.all.count)" + padding, headers: CacheOwnerTests.fields)
        }
        #expect(try await bench.number() == 1)
        bench.date.advance(by: 11)
        #expect(try await bench.number() == 2)
        #expect(await bench.cache.byteCount == 0)
        #expect(try await bench.number() == 3)
        #expect(HTTPCache(maximumBytes: 100).maximumEntryBytes == 25)
        #expect(HTTPCache(maximumBytes: 100, maximumEntryBytes: 500).maximumEntryBytes == 100)
    }

    @Test("Concurrent calls through one cache each get the complete response for their URL", arguments: [false, true])
    func concurrency(onDisk: Bool) async throws {
        let directory = TemporaryDirectory()
        let cache =
            onDisk ? try HTTPCache.onDisk(at: directory.url, maximumBytes: 20_000) : HTTPCache(maximumBytes: 20_000)
        let bench = CacheBench.serving(cache: cache) { request in
            let name = request.url.lastPathComponent
            return .text(String(repeating: name + ",", count: 100), headers: CacheOwnerTests.fields)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let name = "p\(number % 40)"
                    let endpoint: Endpoint<Data> = bench.client.endpoint { GET("\(name)") }
                    let body = try await endpoint.send()
                    #expect(body == Data(String(repeating: name + ",", count: 100).utf8))
                    if number % 50 == 0 { await cache.removeAll() }
                }
            }
            try await group.waitForAll()
        }
        #expect(await cache.byteCount <= 20_000)
    }
}
