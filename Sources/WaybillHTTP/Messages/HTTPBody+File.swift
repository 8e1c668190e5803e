import Dispatch
import WaybillSystem

extension HTTPBody {
    /// Creates a body from a file, which is read in chunks as it is sent.
    ///
    /// ```swift
    /// Body(try HTTPBody(file: video), contentType: "video/mp4")
    /// Body(file: video, contentType: "video/mp4")      // the same in a declaration, where nothing can throw
    /// ```
    ///
    /// The length of the body is the length of the file when the body is created. The body can be read any number of
    /// times and from any offset. If the file grows before it is sent, the added bytes are not sent. If it is
    /// truncated, replaced, or modified without changing its length, the request fails, and the server never receives a
    /// complete body. Reading from a later offset fails after any change. A change in place that preserves both the
    /// length and the modification time goes undetected. On Linux, `URLSessionTransport` reads the whole file before
    /// sending any of it.
    ///
    /// - Parameter file: the URL of a regular file.
    /// - Throws: an error with a one-line description if the file does not exist, cannot be read, or is not a regular
    ///   file.
    public init(file: URL) throws {
        let snapshot = try FileSnapshot(file)
        let chunks = Storage.seekable { Iterator(FileChunks(snapshot: snapshot, start: $0, offset: $0)) }
        self.init(chunks, length: snapshot.identity.length, files: [snapshot])
    }

    /// The path of a file that has changed since the body was created; nil if all files are unchanged.
    package var changedFile: String? { files.first { !$0.isUnchanged }?.file.path }

    /// The comma-separated paths of the body's files; nil if it has no files.
    package var filePaths: String? { files.isEmpty ? nil : files.map(\.file.path).joined(separator: ", ") }

    /// The lengths, modification times and inode numbers of the body's files; nil if it has no files.
    ///
    /// The text can be compared with one from an earlier process. It omits device numbers, which can change when the
    /// system restarts.
    package var fileVersions: String? {
        guard !files.isEmpty else { return nil }
        return files.map { "\($0.identity.length) \($0.identity.modified) \($0.identity.inode)" }.joined(separator: ",")
    }
}

/// The identity of a file when a body was created from it.
struct FileSnapshot: Sendable {
    let file: URL
    let identity: ReadableFile.Identity

    init(_ file: URL) throws(FileError) {
        self.file = file
        do throws(FileSystemError) {
            identity = try ReadableFile(path: file.path).identity
        } catch {
            throw FileError(error, of: file)
        }
    }

    /// Whether the path still refers to the same, unmodified file.
    var isUnchanged: Bool { (try? FileSnapshot(file).identity.isUnchanged(from: identity)) ?? false }

    /// Whether bytes read from a file with the given identity can belong to the body.
    ///
    /// A file may grow while it is sent from its start, as a log does. Bytes read from a later offset, however,
    /// continue an earlier transfer, perhaps of a different version of the file.
    func isOrigin(of now: ReadableFile.Identity, from offset: Int) -> Bool {
        if offset > 0 || now.length == identity.length { return now.isUnchanged(from: identity) }
        return now.isSameFile(as: identity)
    }
}

/// The chunks of a file from an offset to the body's end.
private struct FileChunks: AsyncIteratorProtocol {
    private static let chunkLength = 256 * 1024

    let snapshot: FileSnapshot
    let start: Int
    var offset: Int
    var reader: FileReader?

    mutating func next() async throws -> Data? {
        let length = snapshot.identity.length
        guard offset < length else { return nil }
        do {
            let reader = try self.reader ?? FileReader(snapshot.file)
            self.reader = reader
            let (chunk, now) = try await reader.read(upTo: min(length - offset, Self.chunkLength), from: offset)
            // Checked after reading, because bytes of a modified file must not be sent.
            guard snapshot.isOrigin(of: now, from: start) else {
                let error = FileError(path: snapshot.file.path, reason: .changed)
                throw TransportError(.unsupportedRequest, "\(error)", underlying: error)
            }
            offset += chunk.count
            return chunk.isEmpty ? nil : chunk
        } catch let error as FileSystemError {
            throw FileError(error, of: snapshot.file)
        }
    }
}

/// A file reader that uses a private queue, so that a slow disk does not block a thread of the task's executor.
private final class FileReader: Sendable {
    private let file: ReadableFile
    private let queue = DispatchQueue(label: "Waybill.HTTPBody.file")

    init(_ file: URL) throws { self.file = try ReadableFile(path: file.path) }

    /// Reads bytes at an offset, none at the end of the file, and returns them with the file's identity after the read.
    func read(upTo count: Int, from offset: Int) async throws -> (Data, ReadableFile.Identity) {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [file] in
                let result = Result {
                    var data = Data(count: count)
                    let length = try data.withUnsafeMutableBytes { try file.read(into: $0, from: offset) }
                    return (data.prefix(length), try file.identity)
                }
                continuation.resume(with: result)
            }
        }
    }
}
