import Foundation

extension HTTPBody {
    /// Creates a body of what is in a file, which is read while it is sent, a piece at a time.
    ///
    /// ```swift
    /// Body(try HTTPBody(file: video), contentType: "video/mp4")
    /// Body(file: video, contentType: "video/mp4")      // the same in a declaration, where nothing can throw
    /// ```
    ///
    /// It has the length that the file has now, and can be read any number of times. Of a file that has grown by the
    /// time it is sent, so many bytes go out; of one that has become shorter the request fails, and no server gets a
    /// whole one. ``URLSessionTransport`` reads all of it before it sends any.
    ///
    /// - Parameter file: the URL of a regular file.
    /// - Throws: the file system's error where the file is not there or cannot be read; an error that says so where it
    ///   is a folder, a pipe or a device.
    public init(file: URL) throws {
        // Looked at before it is opened: opening a pipe waits for somebody who writes into it.
        let attributes = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else { throw NoRegularFile(name: file.path) }
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        let length = Int(clamping: try handle.seekToEnd())
        self.init(FileChunks(file: file, length: length), length: length, isReplayable: true)
    }
}

/// Something that is there and has no bytes of its own.
struct NoRegularFile: Error, CustomStringConvertible {
    let name: String

    var description: String { "\(name) is no regular file" }
}

/// The beginning of a file, piece by piece.
private struct FileChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let file: URL
    let length: Int

    func makeAsyncIterator() -> Iterator { Iterator(file: file, rest: length) }

    struct Iterator: AsyncIteratorProtocol {
        let file: URL
        var rest: Int
        private var reader: FileReader?

        init(file: URL, rest: Int) {
            self.file = file
            self.rest = rest
        }

        mutating func next() async throws -> Data? {
            guard rest > 0 else { return nil }
            let reader = try self.reader ?? FileReader(file)
            self.reader = reader
            guard let chunk = try await reader.read(upTo: Swift.min(rest, 256 * 1024)) else { return nil }
            rest -= chunk.count
            return chunk
        }
    }
}

/// Reads a file on a queue of its own, so that a disk that is slow holds up no task.
///
/// `@unchecked Sendable`: the handle is only touched on the queue.
private final class FileReader: @unchecked Sendable {
    private let handle: FileHandle
    private let queue = DispatchQueue(label: "Waybill.HTTPBody.file")

    init(_ file: URL) throws { handle = try FileHandle(forReadingFrom: file) }

    deinit { try? handle.close() }

    /// The next bytes; nil at the file's end.
    func read(upTo count: Int) async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try handle.read(upToCount: count) })
            }
        }
    }
}
