import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The directory of a cache on disk.
///
/// It touches nothing in there but files that are named as its own.
struct CacheDirectory: Sendable {
    static let entryExtension = "waybill-entry"
    static let unfinishedExtension = "waybill-unfinished"
    static let saltName = "waybill-salt"

    let url: URL

    /// What digests are made with: other than in any other directory.
    let salt: [UInt8]

    /// Opens a directory, and makes it where there is none.
    ///
    /// - Throws: what the file system says against it.
    init(_ url: URL) throws {
        self.url = url
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let file = url.appendingPathComponent(Self.saltName)
        if let bytes = try? Data(contentsOf: file), bytes.count == 32 {
            salt = Array(bytes)
        } else {
            salt = Self.newSalt()
            try Self.write(Data(salt), to: file, in: url)
        }
    }

    static func newSalt() -> [UInt8] { (0..<32).map { _ in .random(in: .min ... .max) } }

    /// Removes what was left unfinished, and lists the entries, the one used last at the end.
    func clean() -> [(id: CacheEntryID, bytes: Int)] {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
        let files =
            (try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: Array(keys))) ?? []
        var entries: [(id: CacheEntryID, bytes: Int, date: Date)] = []
        for file in files {
            if file.pathExtension == Self.unfinishedExtension { try? FileManager.default.removeItem(at: file) }
            guard file.pathExtension == Self.entryExtension, let id = Self.id(of: file) else { continue }
            let values = try? file.resourceValues(forKeys: keys)
            entries.append((id, values?.fileSize ?? 0, values?.contentModificationDate ?? .distantPast))
        }
        return entries.sorted { $0.date < $1.date }.map { ($0.id, $0.bytes) }
    }

    /// Reads an entry; nil where there is none that is whole.
    func read(_ id: CacheEntryID) -> StoredResponse? {
        (try? Data(contentsOf: file(of: id))).flatMap { CacheFile.response(in: $0, id: id) }
    }

    /// Writes an entry and says how many bytes it takes; nil where that is not possible.
    func write(_ response: StoredResponse, as id: CacheEntryID) -> Int? {
        let data = CacheFile.data(of: response, id: id)
        do {
            try Self.write(data, to: file(of: id), in: url)
            return data.count
        } catch {
            return nil
        }
    }

    /// Notes that an entry has been used, for the next start.
    func touch(_ id: CacheEntryID) {
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file(of: id).path)
    }

    func remove(_ id: CacheEntryID) { try? FileManager.default.removeItem(at: file(of: id)) }

    func file(of id: CacheEntryID) -> URL {
        url.appendingPathComponent("\(id.key.url)-\(id.key.owner)-\(id.variant).\(Self.entryExtension)")
    }

    private static func id(of file: URL) -> CacheEntryID? {
        let parts = file.deletingPathExtension().lastPathComponent.split(separator: "-").map(String.init)
        guard parts.count == 3 else { return nil }
        return CacheEntryID(key: CacheKey(url: parts[0], owner: parts[1]), variant: parts[2])
    }

    /// Writes a file that is there as a whole or not at all, and that nobody else may read.
    private static func write(_ data: Data, to file: URL, in directory: URL) throws {
        let unfinished = directory.appendingPathComponent("\(UUID().uuidString).\(unfinishedExtension)")
        let isWritten = FileManager.default.createFile(
            atPath: unfinished.path,
            contents: data,
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten, rename(unfinished.path, file.path) == 0 else {
            try? FileManager.default.removeItem(at: unfinished)
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
    }
}
