import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
@testable import WaybillFiles

@testable import Waybill

@Suite("Cache entry files")
struct CacheFileTests {
    static let id = CacheEntryID(key: CacheKey(url: "a1", owner: "b2"), variant: "c3")

    static let response = StoredResponse(
        status: HTTPResponse.Status(code: 404, reasonPhrase: "Nöt"),
        headerFields: HTTPFields(lines: ["Cache-Control: max-age=1", "X-A: ä", "X-A: 2", "X-Empty:"]),
        body: Data((0...255).map { UInt8($0) }),
        requestDate: Date(timeIntervalSince1970: 784_111_777.25),
        responseDate: Date(timeIntervalSince1970: 784_111_778.5),
        variant: Variant(names: ["accept", "x-b"], digest: "d4")
    )

    @Test("A cache entry survives a round trip through its file")
    func roundTrip() throws {
        let read = try #require(CacheFile.response(in: CacheFile.data(of: Self.response, id: Self.id), id: Self.id))
        #expect(read == Self.response)
        #expect(read.status.reasonPhrase == "Nöt")
    }

    @Test("A cache file truncated at any byte is not an entry")
    func cuts() {
        let data = CacheFile.data(of: Self.response, id: Self.id)
        for count in 0..<data.count { #expect(CacheFile.response(in: data.prefix(count), id: Self.id) == nil) }
        #expect(CacheFile.response(in: data + [0], id: Self.id) == nil)
    }

    @Test("A cache file with any changed byte is not an entry, even in the version or checksum")
    func damage() {
        let data = CacheFile.data(of: Self.response, id: Self.id)
        for place in data.indices {
            var damaged = data
            damaged[place] ^= 0x01
            #expect(CacheFile.response(in: damaged, id: Self.id) == nil)
        }
    }

    @Test("A cache file with a valid checksum and a truncated payload is not an entry")
    func forgeries() {
        let header = CacheFile.header
        let payload = CacheFile.data(of: Self.response, id: Self.id).dropFirst(header.count + 32)
        func file(_ payload: Data) -> Data { Data(header) + Data(SHA256.hash(payload)) + payload }
        #expect(CacheFile.response(in: file(Data(payload)), id: Self.id) == Self.response)
        for count in 0..<payload.count {
            #expect(CacheFile.response(in: file(Data(payload.prefix(count))), id: Self.id) == nil)
        }
        #expect(CacheFile.response(in: file(payload + [0]), id: Self.id) == nil)
        for place in payload.indices {
            // This includes lengths of 2^63 and more, which must not crash.
            var forged = payload
            forged[place] = 0xFF
            _ = CacheFile.response(in: file(Data(forged)), id: Self.id)
        }
    }

    @Test("A cache file under another entry's name is not an entry")
    func names() {
        let data = CacheFile.data(of: Self.response, id: Self.id)
        let others = [
            CacheEntryID(key: CacheKey(url: "a2", owner: "b2"), variant: "c3"),
            CacheEntryID(key: CacheKey(url: "a1", owner: "b3"), variant: "c3"),
            CacheEntryID(key: CacheKey(url: "a1", owner: "b2"), variant: "c4"),
        ]
        for other in others { #expect(CacheFile.response(in: data, id: other) == nil) }
    }

    @Test("A cache reads the entries in its directory, and drops and refetches truncated ones")
    func restarts() async throws {
        let directory = TemporaryDirectory()
        let bench = CacheBench(CacheOwnerTests.fields, cache: try HTTPCache.onDisk(at: directory.url))
        _ = try await bench.number()
        let file = try #require(try Self.entries(in: directory).first)
        let whole = try Data(contentsOf: file)
        for count in 0...whole.count {
            try whole.prefix(count).write(to: file)
            let again = CacheBench(
                CacheOwnerTests.fields,
                cache: try HTTPCache.onDisk(at: directory.url),
                date: bench.date
            )
            #expect(try await again.number() == 1)
            #expect(again.requestCount == (count == whole.count ? 0 : 1))
        }
    }

    @Test("Unfinished files in a cache directory are removed, and unrelated files are kept")
    func rubbish() async throws {
        let directory = TemporaryDirectory()
        let store = DiskStore(try CacheDirectory(directory.url), limit: 10_000)
        await store.store(Self.response, as: Self.id, at: FreshnessTests.exampleDate)
        let names = ["x.\(CacheDirectory.unfinishedExtension)", "notes.txt", "a-b.\(CacheDirectory.entryExtension)"]
        for name in names { try Data("?".utf8).write(to: directory.url.appendingPathComponent(name)) }
        let again = DiskStore(try CacheDirectory(directory.url), limit: 10_000)
        #expect(await again.responses(for: Self.id.key) == [Self.response])
        await again.removeAll()
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
        #expect(left == ["a-b.\(CacheDirectory.entryExtension)", "notes.txt", CacheDirectory.saltName])
    }

    @Test("Entries in a cache directory are removed if the salt is invalid or the limit smaller")
    func changes() async throws {
        let directory = TemporaryDirectory()
        let bench = CacheBench(CacheOwnerTests.fields, cache: try HTTPCache.onDisk(at: directory.url))
        _ = try await bench.number()
        _ = try await bench.number(at: "b")
        let bytes = await bench.cache.byteCount
        let less = try HTTPCache.onDisk(at: directory.url, maximumBytes: bytes - 1)
        #expect(await less.byteCount == bytes / 2)
        #expect(try Self.entries(in: directory).count == 1)
        try Data("short".utf8).write(to: directory.url.appendingPathComponent(CacheDirectory.saltName))
        let other = CacheBench(CacheOwnerTests.fields, cache: try HTTPCache.onDisk(at: directory.url), date: bench.date)
        #expect(try await other.number() == 1)
        #expect(other.requestCount == 1)
    }

    @Test("An impossible cache directory throws, and losing the directory costs only its entries")
    func directories() async throws {
        let directory = TemporaryDirectory()
        #expect(throws: (any Error).self) {
            try HTTPCache.onDisk(at: URL(fileURLWithPath: "/dev/null/cache"))
        }
        let bench = CacheBench(CacheOwnerTests.fields, cache: try HTTPCache.onDisk(at: directory.url))
        _ = try await bench.number()
        try FileManager.default.removeItem(at: directory.url)
        #expect(try await bench.number() == 2)
        #expect(try await bench.number() == 3)
        #expect(await bench.cache.byteCount == 0)
    }

    static func entries(in directory: TemporaryDirectory) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: directory.url, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == CacheDirectory.entryExtension }
    }
}
