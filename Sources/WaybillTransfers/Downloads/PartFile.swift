import Dispatch
import Waybill
import WaybillFiles
import WaybillSystem

/// The unfinished file of a download: `NAME.part` in the target's folder, with its record in `NAME.part.json`.
///
/// A record always describes the bytes of the part: it is removed before bytes of a different representation are
/// written. It contains the length and hash of the written bytes, so that bytes from other sources are detected even
/// after the process has been killed. A complete file replaces the target atomically. All file operations run on a
/// dispatch queue, so a slow disk does not block tasks.
final class PartFile: Sendable {
    /// A failure to write or complete the file that is not a file-system error.
    struct Failure: Error {
        let reason: APIError.DownloadFailure.Reason
    }

    private struct State: Sendable {
        var file: WritableFile?
        var length = 0
        var record: PartRecord?
        /// The hash of the written bytes.
        var hash = XXHash()
        /// The file's identity after the last write.
        var written: ReadableFile.Identity?
        /// Whether another program may have changed the file, so that its bytes must be verified before completion.
        var isSuspect = false
        /// The open record file.
        var recordFile: WritableFile?
        /// The offset of the progress in the record file.
        var progressOffset = 0

        var progress: PartProgress.Point { .init(length: length, hash: hash.value) }
    }

    /// The URL of the complete file.
    let target: URL

    private let queue = DispatchQueue(label: "Waybill.PartFile")
    private let state = Locked(State())

    init(target: URL) { self.target = target }

    private var path: String { target.path + ".part" }

    private var recordPath: String { path + ".json" }

    private var folder: String { target.deletingLastPathComponent().path }

    /// Opens the file for a download from an endpoint, unless it is already open, and returns its state.
    ///
    /// - Throws: `FileSystemError.system(code:)` with `EWOULDBLOCK` if another download has opened it.
    func open(for endpoint: String) async throws -> ResumeState {
        try await perform { state in
            if state.file == nil {
                if WritableFile.isFolder(self.target.path) { throw FileSystemError.notRegular }
                state.file = try self.naming(self.path) { try WritableFile(path: self.path) }
                do {
                    try self.readPart(&state, for: endpoint)
                } catch {
                    state.file = nil
                    throw error
                }
            }
            return ResumeState(length: state.length, record: state.record)
        }
    }

    /// Restores the state from the part's record, keeping only the bytes that the record describes.
    private func readPart(_ state: inout State, for endpoint: String) throws {
        guard let file = state.file else { return }
        state.length = try file.length
        if let record = storedRecord(for: endpoint) {
            // Records written by earlier versions contain no lengths.
            let points = record.progress?.points.map(\.length) ?? [state.length]
            let hashes = try Self.hashes(of: file, at: points)
            let kept = hashes.last { length, hash in
                record.progress?.points.contains(.init(length: length, hash: hash.value)) ?? true
            }
            // Bytes beyond the recorded length come from another program or an incomplete write.
            if let kept {
                (state.length, state.hash, state.record) = (kept.length, kept.hash, record)
                try file.truncate(to: kept.length)
                try store(record, &state)
            }
        }
        state.written = try file.identity
    }

    /// Discards all bytes, to start over with a new representation.
    ///
    /// - Parameter record: the metadata of the new representation; nil if its download cannot be resumed.
    /// - Throws: a file-system error.
    func restart(_ record: PartRecord?) async throws {
        try await perform { state in
            try self.naming(self.recordPath) { try WritableFile.remove(self.recordPath) }
            (state.record, state.recordFile, state.length, state.hash) = (nil, nil, 0, XXHash())
            state.isSuspect = false
            guard let file = state.file else { return }
            try file.truncate(to: 0)
            // The old bytes must be gone from disk before the new record exists.
            if record != nil { try file.synchronize() }
            state.written = try file.identity
            guard let record else { return }
            try self.store(record, &state)
            state.record = record
        }
    }

    /// Discards the bytes beyond a length.
    func truncate(to length: Int) async throws {
        try await perform { state in
            guard length < state.length, let file = state.file else { return }
            let hashes = try Self.hashes(of: file, at: [length, state.length])
            guard hashes.count == 2, hashes[1].hash.value == state.hash.value else {
                throw Failure(reason: .partChanged(.overwritten))
            }
            let before = state.progress
            (state.length, state.hash) = (length, hashes[0].hash)
            try self.note(PartProgress(before, state.progress), state)
            try file.truncate(to: length)
            state.written = try file.identity
        }
    }

    /// Appends the next bytes.
    func append(_ bytes: Data) async throws {
        try await perform { state in
            guard let file = state.file else { return }
            let now = try file.identity
            guard now.links > 0 else {
                let change: APIError.DownloadFailure.PartChange =
                    WritableFile.identity(at: self.path) == nil ? .removed : .replaced
                throw Failure(reason: .partChanged(change))
            }
            if let written = state.written, !now.isUnchanged(from: written) { state.isSuspect = true }
            let (offset, before) = (state.length, state.progress)
            bytes.withUnsafeBytes { state.hash.add($0) }
            state.length += bytes.count
            // The progress is written before the bytes: if the process is killed, the file's length is between the two
            // recorded lengths, inclusive.
            try self.note(PartProgress(before, state.progress), state)
            try bytes.withUnsafeBytes { try file.write($0, at: offset) }
            state.written = try file.identity
        }
    }

    /// Returns the hashes of a file's prefixes of several lengths, in ascending order; lengths beyond the end of the
    /// file are omitted.
    private static func hashes(
        of file: WritableFile,
        at lengths: [Int]
    ) throws(FileSystemError) -> [(length: Int, hash: XXHash)] {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { memory.deallocate() }
        var hashes: [(length: Int, hash: XXHash)] = []
        var (offset, hash) = (0, XXHash())
        for length in lengths.sorted() {
            while offset < length {
                let piece = UnsafeMutableRawBufferPointer(rebasing: memory[..<min(memory.count, length - offset)])
                let count = try file.read(into: piece, from: offset)
                guard count > 0 else { return hashes }
                hash.add(UnsafeRawBufferPointer(rebasing: piece[..<count]))
                offset += count
            }
            hashes.append((length, hash))
        }
        return hashes
    }

    /// Returns the SHA-256 digest of the file in Base64; nil if the task is cancelled.
    func digest() async throws -> String? {
        var hash = SHA256.Hasher()
        var offset = 0
        while !Task.isCancelled {
            let (added, count) = try await perform { [hash, offset] state in
                try Self.add(state.file, from: offset, to: hash)
            }
            guard count > 0 else { return Data(hash.finished()).base64EncodedString() }
            hash = added
            offset += count
        }
        return nil
    }

    private static func add(
        _ file: WritableFile?,
        from offset: Int,
        to hash: SHA256.Hasher
    ) throws(FileSystemError) -> (SHA256.Hasher, Int) {
        var hash = hash
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { memory.deallocate() }
        let count = try file?.read(into: memory, from: offset) ?? 0
        hash.add(UnsafeBufferPointer(rebasing: memory.bindMemory(to: UInt8.self)[..<count]))
        return (hash, count)
    }

    /// Renames the complete file to the target, and returns its length in bytes.
    ///
    /// - Throws: ``Failure`` if another program has changed the file or its path. Two kinds of changes go undetected:
    ///   those between the last check and the rename, and those so close to one of the download's writes that the file
    ///   system's timestamps, which have a resolution of a few milliseconds, do not differ.
    func finish() async throws -> Int {
        try await perform { state in
            if let file = state.file {
                try file.synchronize()
                if let change = try self.change(of: file, state) { throw Failure(reason: .partChanged(change)) }
            }
            try WritableFile.rename(self.path, to: self.target.path, in: self.folder)
            (state.file, state.recordFile) = (nil, nil)
            // A record without its part is useless.
            try? WritableFile.remove(self.recordPath)
            return state.length
        }
    }

    /// Returns the change made to the part by another program; nil if the part still contains the written bytes.
    private func change(
        of file: WritableFile,
        _ state: State
    ) throws(FileSystemError) -> APIError.DownloadFailure.PartChange? {
        let now = try file.identity
        guard let found = WritableFile.identity(at: path) else { return .removed }
        guard found.isSameFile(as: now) else { return .replaced }
        guard now.length == state.length else { return .resized }
        guard state.isSuspect || state.written.map(now.isUnchanged) == false else { return nil }
        let hash = try Self.hashes(of: file, at: [state.length]).last?.hash
        return hash?.value == state.hash.value ? nil : .overwritten
    }

    /// Closes the file after a failure, and removes it if no later download can resume it.
    func close(removing isUseless: Bool = false) async {
        try? await perform { state in
            guard let file = state.file else { return }
            defer { (state.file, state.recordFile) = (nil, nil) }
            guard isUseless || state.record == nil || state.length == 0 else { return }
            try? WritableFile.remove(self.recordPath)
            // Do not remove another program's file.
            guard let now = try? file.identity, WritableFile.identity(at: self.path)?.isSameFile(as: now) == true
            else { return }
            try? WritableFile.remove(self.path)
        }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (inout State) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [state] in
                continuation.resume(with: Result { try state.withLock { try work(&$0) } })
            }
        }
    }
}

extension PartFile {
    /// The maximum size of a record file in bytes.
    private static let recordLimit = 64 * 1024

    private func storedRecord(for endpoint: String) -> PartRecord? {
        guard let file = try? ReadableFile(path: recordPath), let length = try? file.length, length < Self.recordLimit
        else { return nil }
        var bytes = Data(count: length)
        let count = bytes.withUnsafeMutableBytes { try? file.read(into: $0, from: 0) }
        guard count == length, let record = try? JSONDecoder().decode(PartRecord.self, from: bytes),
            record.endpoint == endpoint
        else { return nil }
        return record
    }

    /// Writes a record atomically, with the progress of the part.
    private func store(_ record: PartRecord, _ state: inout State) throws {
        var record = record
        record.progress = PartProgress(state.progress, state.progress)
        guard let bytes = try? JSONEncoder().encode(record), let offset = PartRecord.progressOffset(in: bytes) else {
            return
        }
        let unfinished = recordPath + ".new"
        let file = try naming(unfinished) { try WritableFile(path: unfinished) }
        do {
            try file.truncate(to: 0)
            try bytes.withUnsafeBytes { try file.write($0, at: 0) }
            try file.synchronize()
        } catch {
            try? WritableFile.remove(unfinished)
            throw error
        }
        try naming(recordPath) { try WritableFile.rename(unfinished, to: recordPath, in: folder) }
        (state.recordFile, state.progressOffset) = (file, offset)
    }

    /// Overwrites the progress in the record file.
    private func note(_ progress: PartProgress, _ state: State) throws {
        guard let file = state.recordFile else { return }
        try Data(progress.text.utf8).withUnsafeBytes { try file.write($0, at: state.progressOffset) }
    }

    /// Performs file operations at the given path; if the path is not a regular file, the error contains the path.
    private func naming<Value>(_ path: String, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch FileSystemError.notRegular, FileSystemError.system(EISDIR), FileSystemError.system(ELOOP) {
            throw Failure(reason: .blocked(path: path))
        } catch {
            throw WritableFile.isFolder(path) ? Failure(reason: .blocked(path: path)) : error
        }
    }
}
