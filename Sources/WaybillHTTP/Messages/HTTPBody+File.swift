import Dispatch
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
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
    /// the file has grown when it is sent, only that many bytes are sent; if it has become shorter, the request fails,
    /// and the server does not receive a complete one. On Linux `URLSessionTransport` reads the whole file before it
    /// sends any of it.
    ///
    /// - Parameter file: the URL of a regular file.
    /// - Throws: an error whose one-line text says that the file does not exist, cannot be read, or is a folder, a pipe
    ///   or a device.
    public init(file: URL) throws {
        let length: Int
        do throws(ReadableFile.Failure) {
            length = try ReadableFile(path: file.path).length
        } catch {
            throw FileError(error, of: file)
        }
        self.init(length: length) { FileChunks(file: file, offset: $0, length: length) }
    }
}

/// The bytes of a file from an offset up to a length, in pieces.
private struct FileChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let file: URL
    let offset: Int
    let length: Int

    func makeAsyncIterator() -> Iterator { Iterator(file: file, offset: offset, length: length) }

    struct Iterator: AsyncIteratorProtocol {
        private static let chunkLength = 256 * 1024

        let file: URL
        let length: Int
        private var offset: Int
        private var reader: FileReader?

        init(file: URL, offset: Int, length: Int) {
            self.file = file
            self.offset = offset
            self.length = length
        }

        mutating func next() async throws -> Data? {
            guard offset < length else { return nil }
            do {
                let reader = try self.reader ?? FileReader(file)
                self.reader = reader
                let chunk = try await reader.read(upTo: Swift.min(length - offset, Self.chunkLength), from: offset)
                offset += chunk.count
                return chunk.isEmpty ? nil : chunk
            } catch let error as ReadableFile.Failure {
                throw FileError(error, of: file)
            }
        }
    }
}

/// A reader of a file with a queue of its own, so that a slow disk blocks no task.
private final class FileReader: Sendable {
    private let file: ReadableFile
    private let queue = DispatchQueue(label: "Waybill.HTTPBody.file")

    init(_ file: URL) throws { self.file = try ReadableFile(path: file.path) }

    /// Reads the next bytes; none at the end of the file.
    func read(upTo count: Int, from offset: Int) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [file] in
                continuation.resume(with: Result { try file.read(upTo: count, from: offset) })
            }
        }
    }
}

extension ReadableFile {
    /// Reads bytes; none at the end of the file and behind it.
    fileprivate func read(upTo count: Int, from offset: Int) throws -> Data {
        var data = Data(count: count)
        let length = try data.withUnsafeMutableBytes { try read(into: $0, from: offset) }
        return data.prefix(length)
    }
}
