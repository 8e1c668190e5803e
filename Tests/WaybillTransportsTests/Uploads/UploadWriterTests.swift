import CallSupport
import Foundation
import TestSupport
import Testing
import WaybillTesting

@testable import Waybill
@testable import WaybillURLSession
@testable import WaybillTransports

@Suite("UploadWriter", .inTurn, .safetyNet)
struct UploadWriterTests {
    /// A sink with limited space.
    private final class NarrowSink: ByteSink {
        /// The number of bytes that it accepts before it must be emptied.
        let room: Int
        /// The maximum number of bytes written by one call.
        let most: Int
        var isClosed = false
        private(set) var bytes = Data()
        private var free: Int

        init(room: Int, most: Int = .max) {
            (self.room, self.most) = (room, most)
            free = room
        }

        var hasSpaceAvailable: Bool { free > 0 }

        func write(_ bytes: UnsafePointer<UInt8>, maxLength: Int) -> Int {
            guard !isClosed else { return -1 }
            let count = min(maxLength, free, most)
            self.bytes.append(bytes, count: count)
            free -= count
            return count
        }

        func empty() { free = room }
    }

    /// Writes an upload to its end, and empties the sink whenever the writer waits.
    private func write(_ body: HTTPBody, to sink: NarrowSink, bufferSize: Int) async throws {
        let upload = body.bytes.map { Upload(bytes: $0) } ?? Upload(stream: body)
        upload.start {}
        var writer = UploadWriter(upload, bufferSize: bufferSize)
        while true {
            switch writer.write(to: sink) {
            case .ended: return
            case .closed: throw TransportError(.other, "closed")
            case .failed(let error): throw error
            case .waiting:
                sink.empty()
                await Task.yield()
            }
        }
    }

    @Test(
        "An upload writer delivers every byte in order for all sink and buffer sizes",
        arguments: [1, 3, 64],
        [1, 2, 7, 64]
    )
    func order(room: Int, bufferSize: Int) async throws {
        let text = "one two three"
        for body in [HTTPBody(Data(text.utf8)), HTTPBody(Chunks("one ", "", "two ", "three"))] {
            for most in [1, 2, .max] {
                let sink = NarrowSink(room: room, most: most)
                try await write(body, to: sink, bufferSize: bufferSize)
                #expect(String(decoding: sink.bytes, as: UTF8.self) == text)
            }
        }
    }

    @Test("An upload writer writes to a Foundation output stream")
    func outputStream() throws {
        let stream = OutputStream.toMemory()
        stream.open()
        let bytes = Data.sample(count: 300_000)
        var writer = UploadWriter(Upload(bytes: bytes))
        guard case .ended = writer.write(to: stream) else {
            Issue.record("expected the end of the upload")
            return
        }
        #expect(stream.property(forKey: .dataWrittenToMemoryStreamKey) as? Data == bytes)
    }

    @Test("An upload writer waits while the upload has no bytes, and continues when it is woken")
    func waits() async throws {
        let (chunks, source) = AsyncStream.makeStream(of: Data.self)
        let upload = Upload(stream: HTTPBody(chunks))
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self)
        upload.start { waker.yield() }
        let sink = NarrowSink(room: 100)
        var writer = UploadWriter(upload)
        guard case .waiting = writer.write(to: sink) else {
            Issue.record("expected to wait")
            return
        }
        #expect(upload.isAwaited)
        source.yield(Data("one".utf8))
        var iterator = wakes.makeAsyncIterator()
        await iterator.next()
        _ = writer.write(to: sink)
        #expect(sink.bytes == Data("one".utf8))
        source.finish()
    }

    @Test("An upload writer reports a closed sink")
    func closed() async throws {
        let sink = NarrowSink(room: 100)
        sink.isClosed = true
        var writer = UploadWriter(Upload(bytes: Data("one".utf8)))
        guard case .closed = writer.write(to: sink) else {
            Issue.record("expected a closed sink")
            return
        }
    }

    @Test(
        "An upload writer fails if a body fails or differs from its declared length",
        arguments: [nil, 12, 14]
    )
    func failed(length: Int?) async throws {
        let body = HTTPBody(
            Chunks("one ", "two ", "three", error: length == nil ? Chunks.Broken() : nil),
            length: length
        )
        let error = await #expect(throws: TransportError.self) {
            try await write(body, to: NarrowSink(room: 100), bufferSize: 5)
        }
        #expect(error?.kind == (length == nil ? .other : .unsupportedRequest))
    }
}
