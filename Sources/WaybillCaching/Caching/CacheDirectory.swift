import Waybill
import WaybillFiles
import WaybillSystem

/// The directory of a cache on disk.
///
/// The directory belongs to the process's user, and no other user can write to it. Files are accessed through a
/// directory descriptor, so replacing the directory has no effect. Only regular files that belong to this user and
/// match the cache's naming scheme are opened.
final class CacheDirectory: Sendable {
    static let entryExtension = "waybill-entry"
    static let unfinishedExtension = "waybill-unfinished"
    static let saltName = "waybill-salt"

    /// The contents of a directory after cleanup.
    struct Contents {
        /// The entries, least recently used first.
        var entries: [(id: CacheEntryID, bytes: Int)] = []
        /// The total size of removed files from interrupted writes, in bytes.
        var bytesReclaimed = 0
    }

    let url: URL

    /// The random salt for digests, unique to the directory.
    let salt: [UInt8]

    private let descriptor: DirectoryDescriptor

    /// Opens a directory, creating it with mode 0700 if it is missing.
    init(_ url: URL) throws(DirectoryError) {
        self.url = url
        descriptor = try DirectoryDescriptor(url)
        if let bytes = descriptor.read(Self.saltName, upTo: 32), bytes.count == 32 {
            salt = Array(bytes)
        } else {
            // Remove a link or another user's file rather than reading or writing it.
            descriptor.remove(Self.saltName)
            salt = Self.newSalt()
            if let code = descriptor.write(Data(salt), as: Self.saltName, unfinished: Self.unfinishedName()) {
                throw DirectoryError(url, .fileSystem(code: code))
            }
        }
    }

    static func newSalt() -> [UInt8] { (0..<32).map { _ in .random(in: .min ... .max) } }

    /// Removes the files left by interrupted writes, and returns the remaining contents.
    func clean() -> Contents {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        var contents = Contents()
        var entries: [(id: CacheEntryID, file: DirectoryDescriptor.File)] = []
        for name in names {
            if name.hasSuffix(".\(Self.unfinishedExtension)") {
                let bytes = descriptor.file(name)?.bytes ?? 0
                if descriptor.remove(name) { contents.bytesReclaimed += bytes }
            } else if let id = Self.id(of: name), let file = descriptor.file(name) {
                entries.append((id, file))
            }
        }
        contents.entries = entries.sorted { $0.file.modified < $1.file.modified }.map { ($0.id, $0.file.bytes) }
        return contents
    }

    /// Reads an entry; returns nil if it is missing, damaged, or larger than the limit in bytes.
    func read(_ id: CacheEntryID, upTo limit: Int) -> StoredResponse? {
        descriptor.read(Self.name(of: id), upTo: limit).flatMap { CacheFile.response(in: $0, id: id) }
    }

    /// Writes an entry and returns its size in bytes; nil if writing fails.
    func write(_ response: StoredResponse, as id: CacheEntryID) -> Int? {
        let data = CacheFile.data(of: response, id: id)
        let code = descriptor.write(data, as: Self.name(of: id), unfinished: Self.unfinishedName())
        return code == nil ? data.count : nil
    }

    /// Records the use of an entry, which determines the eviction order after a restart.
    func touch(_ id: CacheEntryID) { descriptor.touch(Self.name(of: id)) }

    func remove(_ id: CacheEntryID) { descriptor.remove(Self.name(of: id)) }

    /// Returns a random file name, since other processes may write to the same directory.
    ///
    /// A `UUID` is unsuitable: without `/dev/urandom`, `UUID()` returns the same value every time.
    private static func unfinishedName() -> String {
        let number = UInt64.random(in: .min ... .max)
        return "\(String(number, radix: 16)).\(unfinishedExtension)"
    }

    private static func name(of id: CacheEntryID) -> String {
        "\(id.key.url)-\(id.key.owner)-\(id.variant).\(entryExtension)"
    }

    private static func id(of name: String) -> CacheEntryID? {
        guard name.hasSuffix(".\(entryExtension)") else { return nil }
        let parts = name.dropLast(entryExtension.count + 1).split(separator: "-").map(String.init)
        guard parts.count == 3 else { return nil }
        let id = CacheEntryID(key: CacheKey(url: parts[0], owner: parts[1]), variant: parts[2])
        return Self.name(of: id).hasSameBytes(as: name) ? id : nil
    }
}
