import Dispatch
import WaybillSystem

extension HTTPBody {
    /// Creates a body from a file, which is read in pieces while it is sent.
    ///
    /// ```swift
    /// Body(try HTTPBody(file: video), contentType: "video/mp4")
    /// Body(file: video, contentType: "video/mp4")      // the same in a declaration, where nothing can throw
    /// ```
    ///
    /// The body has the length that the file has now, and can be read any number of times, from any of its bytes on. If
    /// the file has grown when it is sent, only that many bytes are sent. If it has become shorter, is another file, or
    /// has been written and has the same length, the request fails, and the server does not receive a complete one; so
    /// it does if the body is read from a later byte on and the file has changed at all. A change that the file's time
    /// of modification does not show is not noticed. On Linux `URLSessionTransport` reads the whole file before it
    /// sends any of it.
    ///
    /// - Parameter file: the URL of a regular file.
    /// - Throws: an error whose one-line text says that the file does not exist, cannot be read, or is a folder, a pipe
    ///   or a device.
    public init(file: URL) throws {
        let snapshot = try FileSnapshot(file)
        let chunks = Storage.seekable { Iterator(FileChunks(snapshot: snapshot, start: $0, offset: $0)) }
        self.init(chunks, length: snapshot.identity.length, files: [snapshot])
    }

    /// The path of a file of the body that has changed since the body was made; nil if all are as they were.
    package var changedFile: String? { files.first { !$0.isUnchanged }?.file.path }

    /// The paths of the files of the body; nil if it has no files.
    package var filePaths: String? { files.isEmpty ? nil : files.map(\.file.path).joined(separator: ", ") }

    /// The lengths, times and numbers of the files of the body, for another process; nil if it has no files.
    ///
    /// Without their devices, whose numbers can change at a restart of the system.
    package var fileVersions: String? {
        guard !files.isEmpty else { return nil }
        return files.map { "\($0.identity.length) \($0.identity.modified) \($0.identity.inode)" }.joined(separator: ",")
    }
}

/// A file as it was when a body was made of it.
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

    /// Whether the path leads to the same file, which has not been written.
    var isUnchanged: Bool { (try? FileSnapshot(file).identity.isUnchanged(from: identity)) ?? false }

    /// Whether bytes of a file can belong to the body.
    ///
    /// A file may grow while its first bytes are sent, as a log does. What is read from a later byte on follows bytes
    /// that were sent before, perhaps of another version.
    func isOrigin(of now: ReadableFile.Identity, from offset: Int) -> Bool {
        if offset > 0 || now.length == identity.length { return now.isUnchanged(from: identity) }
        return now.isSameFile(as: identity)
    }
}

/// The bytes of a file from an offset up to a length, in pieces.
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
            // Checked after the reading: bytes that were written meanwhile are not sent.
            guard snapshot.isOrigin(of: now, from: start) else {
                let error = FileError(name: snapshot.file.path, reason: .changed)
                throw TransportError(.unsupportedRequest, "\(error)", underlying: error)
            }
            offset += chunk.count
            return chunk.isEmpty ? nil : chunk
        } catch let error as FileSystemError {
            throw FileError(error, of: snapshot.file)
        }
    }
}

/// A reader of a file with a queue of its own, so that a slow disk blocks no task.
private final class FileReader: Sendable {
    private let file: ReadableFile
    private let queue = DispatchQueue(label: "Waybill.HTTPBody.file")

    init(_ file: URL) throws { self.file = try ReadableFile(path: file.path) }

    /// Reads the next bytes, none at the end of the file, and the state of the file after that.
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
