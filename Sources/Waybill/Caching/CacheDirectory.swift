import WaybillSystem

/// The directory of a cache on disk.
///
/// It belongs to the user of the process, and no other user can write in it. Files are reached through its descriptor,
/// so that another directory in its place changes nothing; only regular files of the user are opened, and of those only
/// the ones that are named as its own.
final class CacheDirectory: Sendable {
    static let entryExtension = "waybill-entry"
    static let unfinishedExtension = "waybill-unfinished"
    static let saltName = "waybill-salt"

    /// The entries and leftovers of a directory when it is opened.
    struct Contents {
        /// The entries, the one used last at the end.
        var entries: [(id: CacheEntryID, bytes: Int)] = []
        /// The bytes of removed files, which interrupted writes had left.
        var reclaimedBytes = 0
    }

    let url: URL

    /// The salt of digests: another one in each directory.
    let salt: [UInt8]

    private let descriptor: DirectoryDescriptor

    /// Opens a directory, and creates it with mode 0700 if it is missing.
    init(_ url: URL) throws(DirectoryError) {
        self.url = url
        descriptor = try DirectoryDescriptor(url)
        if let bytes = descriptor.read(Self.saltName, upTo: 32), bytes.count == 32 {
            salt = Array(bytes)
        } else {
            // A link, or another user's file, is not read and not written through.
            descriptor.remove(Self.saltName)
            salt = Self.newSalt()
            if let code = descriptor.write(Data(salt), as: Self.saltName, unfinished: Self.unfinishedName()) {
                throw DirectoryError(url, .fileSystem(code: code))
            }
        }
    }

    static func newSalt() -> [UInt8] { (0..<32).map { _ in .random(in: .min ... .max) } }

    /// Removes what interrupted writes have left, and lists the entries.
    func clean() -> Contents {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        var contents = Contents()
        var entries: [(id: CacheEntryID, file: DirectoryDescriptor.File)] = []
        for name in names {
            if name.hasSuffix(".\(Self.unfinishedExtension)") {
                let bytes = descriptor.file(name)?.bytes ?? 0
                if descriptor.remove(name) { contents.reclaimedBytes += bytes }
            } else if let id = Self.id(of: name), let file = descriptor.file(name) {
                entries.append((id, file))
            }
        }
        contents.entries = entries.sorted { $0.file.modified < $1.file.modified }.map { ($0.id, $0.file.bytes) }
        return contents
    }

    /// Reads an entry; nil for none that is whole, and for one with more bytes than a limit.
    func read(_ id: CacheEntryID, upTo limit: Int) -> StoredResponse? {
        descriptor.read(Self.name(of: id), upTo: limit).flatMap { CacheFile.response(in: $0, id: id) }
    }

    /// Writes an entry and returns the number of its bytes; nil if that is not possible.
    func write(_ response: StoredResponse, as id: CacheEntryID) -> Int? {
        let data = CacheFile.data(of: response, id: id)
        let code = descriptor.write(data, as: Self.name(of: id), unfinished: Self.unfinishedName())
        return code == nil ? data.count : nil
    }

    /// Notes that an entry has been used, for the next start.
    func touch(_ id: CacheEntryID) { descriptor.touch(Self.name(of: id)) }

    func remove(_ id: CacheEntryID) { descriptor.remove(Self.name(of: id)) }

    /// Returns a random name, since other processes may write into the directory.
    ///
    /// Foundation's `UUID()` is the same every time if `/dev/urandom` is missing; random numbers are not.
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
