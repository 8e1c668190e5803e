import Foundation
import WaybillHTTP
import WaybillTransports

/// The writable end of a stream, such as `OutputStream`.
protocol ByteSink {
    /// Whether a byte can be written without blocking.
    var hasSpaceAvailable: Bool { get }

    /// Writes bytes.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - maxLength: the number of bytes.
    /// - Returns: the number of bytes written; zero or less if the stream has failed or the reader has closed it.
    func write(_ bytes: UnsafePointer<UInt8>, maxLength: Int) -> Int
}

extension OutputStream: ByteSink {}

/// A writer that moves the bytes of an upload into a sink while the sink has space and the upload has bytes.
struct UploadWriter {
    /// The state after a move.
    enum Outcome {
        /// The sink has no space, or the upload has no bytes available.
        case waiting
        /// The last byte has been written to the sink.
        case ended
        /// The sink accepts no more bytes.
        case closed
        /// The upload has failed.
        case failed(TransportError)
    }

    private let upload: Upload
    private var buffer: [UInt8]
    /// The range of buffered bytes not yet written to the sink.
    private var rest = 0..<0

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - upload: the bytes.
    ///   - bufferSize: the number of bytes moved at a time.
    init(_ upload: Upload, bufferSize: Int = 64 * 1024) {
        self.upload = upload
        buffer = Array(repeating: 0, count: bufferSize)
    }

    /// Moves bytes until the sink or the upload would block.
    ///
    /// - Parameter sink: the sink.
    /// - Returns: the state after the move.
    mutating func write(to sink: some ByteSink) -> Outcome {
        while sink.hasSpaceAvailable {
            if rest.isEmpty {
                switch buffer.withUnsafeMutableBytes({ upload.read(into: $0) }) {
                case .bytes(let count): rest = 0..<count
                case .later: return .waiting
                case .end: return .ended
                case .failed(let error): return .failed(error)
                }
            }
            let rest = rest
            let written = buffer.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { sink.write($0 + rest.lowerBound, maxLength: rest.count) } ?? 0
            }
            guard written > 0 else { return .closed }
            self.rest = min(rest.lowerBound + written, rest.upperBound)..<rest.upperBound
        }
        return .waiting
    }
}
