import Dispatch
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import WaybillSystem

/// The unfinished file of a download: `NAME.part` beside the target, with its record in `NAME.part.json`.
///
/// A record stands beside bytes of its own representation only: it is removed before other bytes come. The target is
/// replaced at once, by a complete file. All work is done on a queue, so that a slow disk blocks no task.
final class PartFile: Sendable {
    private struct State: Sendable {
        var file: WritableFile?
        var length = 0
        var record: PartRecord?
    }

    /// The URL of the complete file.
    let target: URL

    private let queue = DispatchQueue(label: "Waybill.PartFile")
    private let state = Locked(State())

    init(target: URL) { self.target = target }

    private var path: String { target.path + ".part" }

    private var recordPath: String { path + ".json" }

    private var folder: String { target.deletingLastPathComponent().path }

    /// Opens the file for an endpoint unless it is open, and returns its state.
    ///
    /// - Throws: `ReadableFile.Failure.system(code:)` with `EWOULDBLOCK` if another download has it.
    func open(for endpoint: String) async throws(ReadableFile.Failure) -> ResumeState {
        try await perform { (state) throws(ReadableFile.Failure) in
            if state.file == nil {
                if WritableFile.isFolder(self.target.path) { throw .notRegular }
                let file = try WritableFile(path: self.path)
                state.length = try file.length
                state.record = self.storedRecord(for: endpoint)
                state.file = file
            }
            return ResumeState(length: state.length, record: state.record)
        }
    }

    /// Drops all bytes, and begins with those of another representation.
    ///
    /// - Parameter record: the facts about it; nil if it cannot be continued.
    /// - Throws: the error of the file system.
    func restart(_ record: PartRecord?) async throws(ReadableFile.Failure) {
        try await perform { (state) throws(ReadableFile.Failure) in
            try WritableFile.remove(self.recordPath)
            (state.record, state.length) = (nil, 0)
            try state.file?.truncate(to: 0)
            guard let record else { return }
            // The old bytes are gone from the disk before the record of the new ones is there.
            try state.file?.synchronize()
            try self.store(record)
            state.record = record
        }
    }

    /// Drops the bytes from an offset on.
    func truncate(to length: Int) async throws(ReadableFile.Failure) {
        try await perform { (state) throws(ReadableFile.Failure) in
            guard length < state.length else { return }
            try state.file?.truncate(to: length)
            state.length = length
        }
    }

    /// Writes the next bytes.
    func append(_ bytes: Data) async throws(ReadableFile.Failure) {
        try await perform { (state) throws(ReadableFile.Failure) in
            var failure: ReadableFile.Failure?
            bytes.withUnsafeBytes { memory in
                do throws(ReadableFile.Failure) {
                    try state.file?.write(memory, at: state.length)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            state.length += bytes.count
        }
    }

    /// Returns the SHA-256 digest of the bytes, in Base64; nil if the task is cancelled meanwhile.
    func digest() async throws(ReadableFile.Failure) -> String? {
        var hash = SHA256.Pieces()
        var offset = 0
        while !Task.isCancelled {
            let (added, count) = try await perform { [hash, offset] (state) throws(ReadableFile.Failure) in
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
        to hash: SHA256.Pieces
    ) throws(ReadableFile.Failure) -> (SHA256.Pieces, Int) {
        var hash = hash
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { memory.deallocate() }
        let count = try file?.read(into: memory, from: offset) ?? 0
        hash.add(UnsafeBufferPointer(rebasing: memory.bindMemory(to: UInt8.self)[..<count]))
        return (hash, count)
    }

    /// Gives the complete file its name, and returns the number of its bytes.
    func finish() async throws(ReadableFile.Failure) -> Int {
        try await perform { (state) throws(ReadableFile.Failure) in
            try state.file?.synchronize()
            try WritableFile.rename(self.path, to: self.target.path, in: self.folder)
            state.file = nil
            // A record without bytes says nothing.
            try? WritableFile.remove(self.recordPath)
            return state.length
        }
    }

    /// Closes the file after a failure, and removes it if the next download cannot continue it.
    func close(removing isUseless: Bool = false) async {
        try? await perform { (state) throws(ReadableFile.Failure) in
            guard state.file != nil else { return }
            defer { state.file = nil }
            guard isUseless || state.record == nil || state.length == 0 else { return }
            try WritableFile.remove(self.recordPath)
            try WritableFile.remove(self.path)
        }
    }

    /// The most bytes of a record that are read.
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

    /// Writes a record that is there whole or not at all.
    private func store(_ record: PartRecord) throws(ReadableFile.Failure) {
        guard let bytes = try? JSONEncoder().encode(record) else { return }
        let unfinished = recordPath + ".new"
        let file = try WritableFile(path: unfinished)
        try file.truncate(to: 0)
        var failure: ReadableFile.Failure?
        bytes.withUnsafeBytes { memory in
            do throws(ReadableFile.Failure) { try file.write(memory, at: 0) } catch { failure = error }
        }
        if let failure {
            try? WritableFile.remove(unfinished)
            throw failure
        }
        try file.synchronize()
        try WritableFile.rename(unfinished, to: recordPath, in: folder)
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (inout State) throws(ReadableFile.Failure) -> Value
    ) async throws(ReadableFile.Failure) -> Value {
        let result: Result<Value, ReadableFile.Failure> = await withCheckedContinuation { continuation in
            queue.async { [state] in
                let result: Result<Value, ReadableFile.Failure> = state.withLock { state in
                    do throws(ReadableFile.Failure) {
                        return .success(try work(&state))
                    } catch {
                        return .failure(error)
                    }
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
