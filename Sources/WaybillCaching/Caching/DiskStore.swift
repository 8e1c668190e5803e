import Dispatch
import Waybill
import WaybillSystem

/// A store with one file per entry, in a single directory.
///
/// A file is written under a temporary name and renamed when it is complete. A crash can leave temporary files, which
/// are removed when the directory is next opened. Files are verified when they are read; see ``CacheFile``.
final class DiskStore: CacheStore {
    /// The total size of the files from interrupted writes that were removed when the directory was opened, in bytes.
    let bytesReclaimed: Int

    private let directory: CacheDirectory
    private let index: Locked<CacheIndex>
    private let limit: Int
    // File operations block. The queue keeps them in order and off the concurrency runtime's threads.
    private let queue = DispatchQueue(label: "waybill.cache")

    init(_ directory: CacheDirectory, limit: Int) {
        self.directory = directory
        self.limit = limit
        let contents = directory.clean()
        bytesReclaimed = contents.bytesReclaimed
        var index = CacheIndex(limit: limit)
        for file in contents.entries {
            for evicted in index.insert(file.id, bytes: file.bytes) { directory.remove(evicted) }
        }
        self.index = Locked(index)
    }

    func responses(for key: CacheKey) async -> [StoredResponse] {
        await perform { [self] in
            index.withLock { $0.entries(of: key) }.compactMap { id in
                if let response = directory.read(id, upTo: limit) { return response }
                // The file is truncated or corrupt, or has a different format version.
                delete(id)
                return nil
            }
        }
    }

    func store(_ response: StoredResponse, as id: CacheEntryID, at now: Date) async {
        await perform { [self] in
            if let other = directory.read(id, upTo: limit), response.isSuperseded(by: other, at: now) { return }
            guard let bytes = directory.write(response, as: id) else { return delete(id) }
            for evicted in index.withLock({ $0.insert(id, bytes: bytes) }) { directory.remove(evicted) }
        }
    }

    func touch(_ id: CacheEntryID) async {
        await perform { [self] in
            index.withLock { $0.touch(id) }
            directory.touch(id)
        }
    }

    func remove(_ id: CacheEntryID) async {
        await perform { [self] in delete(id) }
    }

    func removeAll(ofURL url: String) async {
        await perform { [self] in
            for id in index.withLock({ $0.entries(ofURL: url) }) { delete(id) }
        }
    }

    func removeAll() async {
        await perform { [self] in
            for id in index.withLock({ $0.all }) { delete(id) }
            // Also remove entries written by other processes.
            for file in directory.clean().entries { directory.remove(file.id) }
        }
    }

    func byteCount() async -> Int { index.withLock { $0.byteCount } }

    private func delete(_ id: CacheEntryID) {
        index.withLock { $0.remove(id) }
        directory.remove(id)
    }

    private func perform<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
