import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
@testable import WaybillFiles

@testable import Waybill

@Suite("The directory of an on-disk cache")
struct DirectoryTests {
    private let directory = TemporaryDirectory()
    private var url: URL { directory.url }

    private static let entryName = "a1-b2-c3.\(CacheDirectory.entryExtension)"

    private func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func makeDirectory(mode: Int = 0o700) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    private func storeEntry() async throws {
        let store = DiskStore(try CacheDirectory(url), limit: 10_000)
        await store.store(CacheFileTests.response, as: CacheFileTests.id, at: FreshnessTests.exampleDate)
    }

    private func responses() async throws -> [StoredResponse] {
        await DiskStore(try CacheDirectory(url), limit: 10_000).responses(for: CacheFileTests.id.key)
    }

    private func reason(_ url: URL) -> DirectoryError.Reason? {
        do throws(DirectoryError) {
            _ = try HTTPCache.onDisk(at: url)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("A cache creates its directory with mode 0700 and its files with mode 0600")
    func modes() async throws {
        try await storeEntry()
        #expect(try mode(url.path) == 0o700)
        for name in [CacheDirectory.saltName, Self.entryName] { #expect(try mode(path(name)) == 0o600) }
    }

    @Test(
        "A cache directory writable by its group or others is rejected",
        arguments: [0o770, 0o720, 0o702, 0o777, 0o1777]
    )
    func writableByOthers(mode: Int) throws {
        try makeDirectory(mode: mode)
        let error = #expect(throws: DirectoryError.self) { try HTTPCache.onDisk(at: url) }
        #expect(error?.reason == .writableByOthers(mode: mode))
        #expect(
            error?.description
                == "the directory \(url.path) is writable by other users (mode 0\(String(mode, radix: 8))); "
                + "run chmod 700 on it, or use a path that does not exist yet"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: url.path).isEmpty)
    }

    @Test("A cache directory readable by others is accepted", arguments: [0o700, 0o750, 0o755])
    func readableByOthers(mode: Int) throws {
        try makeDirectory(mode: mode)
        #expect(reason(url) == nil)
    }

    @Test("A cache directory of another user is rejected", .enabled(if: geteuid() == 0, "only root gives files away"))
    func otherOwner() throws {
        try makeDirectory()
        #expect(chown(url.path, 12_345, 12_345) == 0)
        let error = #expect(throws: DirectoryError.self) { try HTTPCache.onDisk(at: url) }
        #expect(error?.reason == .otherOwner(12_345))
        #expect(
            error?.description
                == "the directory \(url.path) is owned by user 12345, but the process runs as user 0; "
                + "use a directory owned by that user"
        )
    }

    @Test("A cache directory that is a symbolic link, a file, or below a file is rejected")
    func otherKinds() throws {
        try makeDirectory()
        try Data().write(to: url.appendingPathComponent("file"))
        try FileManager.default.createDirectory(atPath: path("real"), withIntermediateDirectories: true)
        for (name, target) in [("link", "real"), ("dangling", "none")] {
            try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: path(target))
            #expect(reason(url.appendingPathComponent(name)) == .symbolicLink)
        }
        #expect(reason(url.appendingPathComponent("file")) == .notDirectory)
        #expect(reason(url.appendingPathComponent("file/cache")) == .notDirectory)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("real")).isEmpty)
    }

    @Test("A salt file that is a symbolic link is replaced, and its target stays unchanged")
    func linkedSalt() throws {
        try makeDirectory()
        let target = path("target")
        let bytes = Data(repeating: 7, count: 32)
        try bytes.write(to: URL(fileURLWithPath: target))
        try FileManager.default.createSymbolicLink(atPath: path(CacheDirectory.saltName), withDestinationPath: target)
        #expect(try CacheDirectory(url).salt != Array(bytes))
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == bytes)
        let type = try FileManager.default.attributesOfItem(atPath: path(CacheDirectory.saltName))[.type]
        #expect(type as? FileAttributeType == .typeRegular)
    }

    @Test("A salt file that is writable by others or owned by another user is replaced")
    func foreignSalt() throws {
        let first = try CacheDirectory(url).salt
        #expect(try CacheDirectory(url).salt == first)
        #expect(chmod(path(CacheDirectory.saltName), 0o622) == 0)
        let second = try CacheDirectory(url).salt
        #expect(second != first)
        guard geteuid() == 0 else { return }
        #expect(chown(path(CacheDirectory.saltName), 12_345, 12_345) == 0)
        #expect(try CacheDirectory(url).salt != second)
    }

    @Test("A cache entry that is a symbolic link is not read, and replacing it leaves the target unchanged")
    func linkedEntry() async throws {
        try await storeEntry()
        let elsewhere = path("elsewhere")
        try FileManager.default.moveItem(atPath: path(Self.entryName), toPath: elsewhere)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: elsewhere))
        try FileManager.default.createSymbolicLink(atPath: path(Self.entryName), withDestinationPath: elsewhere)
        #expect(try await responses().isEmpty)
        try await storeEntry()
        #expect(try await responses() == [CacheFileTests.response])
        #expect(try Data(contentsOf: URL(fileURLWithPath: elsewhere)) == bytes)
    }

    @Test("A cache entry that is a FIFO or directory is neither opened nor counted")
    func otherKindsOfEntries() async throws {
        try makeDirectory()
        #expect(mkfifo(path(Self.entryName), 0o600) == 0)
        try FileManager.default.createDirectory(
            atPath: path("a2-b2-c3.\(CacheDirectory.entryExtension)"),
            withIntermediateDirectories: true
        )
        let cache = try HTTPCache.onDisk(at: url)
        #expect(await cache.byteCount == 0)
        // Opening the FIFO would block here.
        #expect(try await responses().isEmpty)
    }

    @Test("A cache entry owned by another user or writable by others is not read", .enabled(if: geteuid() == 0))
    func foreignEntry() async throws {
        try await storeEntry()
        #expect(chown(path(Self.entryName), 12_345, 12_345) == 0)
        #expect(try await responses().isEmpty)
        #expect(chown(path(Self.entryName), 0, 0) == 0)
        #expect(chmod(path(Self.entryName), 0o622) == 0)
        #expect(try await responses().isEmpty)
        #expect(chmod(path(Self.entryName), 0o600) == 0)
        #expect(try await responses() == [CacheFileTests.response])
    }

    @Test("Opening a cache removes files of interrupted writes and counts their bytes")
    func leftovers() async throws {
        try await storeEntry()
        let outside = TemporaryDirectory()
        let kept = try outside.file(Data(count: 5_000))
        for (name, count) in [("one", 700), ("two", 300)] {
            let file = url.appendingPathComponent("\(name).\(CacheDirectory.unfinishedExtension)")
            try Data(count: count).write(to: file)
        }
        try FileManager.default.createSymbolicLink(
            atPath: path("link.\(CacheDirectory.unfinishedExtension)"),
            withDestinationPath: kept.path
        )
        let entry = try Data(contentsOf: URL(fileURLWithPath: path(Self.entryName))).count
        let cache = try HTTPCache.onDisk(at: url)
        #expect(cache.bytesReclaimed == 1_000)
        #expect(await cache.byteCount == entry)
        let left = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        #expect(left == [Self.entryName, CacheDirectory.saltName])
        #expect(try Data(contentsOf: kept).count == 5_000)
        #expect(try HTTPCache.onDisk(at: url).bytesReclaimed == 0)
        #expect(HTTPCache().bytesReclaimed == 0)
    }

    @Test("A cache keeps using its directory even if another directory or a link takes its path")
    func replacedDirectory() async throws {
        let store = DiskStore(try CacheDirectory(url), limit: 10_000)
        let other = TemporaryDirectory()
        try FileManager.default.createDirectory(at: other.url, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: url, to: other.url.appendingPathComponent("moved"))
        try FileManager.default.createSymbolicLink(at: url, withDestinationURL: other.url)
        await store.store(CacheFileTests.response, as: CacheFileTests.id, at: FreshnessTests.exampleDate)
        #expect(await store.responses(for: CacheFileTests.id.key) == [CacheFileTests.response])
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path) == ["moved"])
    }
}
