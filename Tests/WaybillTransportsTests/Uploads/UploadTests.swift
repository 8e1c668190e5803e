import CallSupport
import Foundation
import TestSupport
import Testing
import WaybillTesting

@testable import Waybill
@testable import WaybillTransports

@Suite("Upload", .inTurn, .safetyNet)
struct UploadTests {
    /// Reads an upload to its end or an error, several bytes at a time.
    private func drain(_ upload: Upload) async throws -> Data {
        var bytes = Data()
        var memory = [UInt8](repeating: 0, count: 7)
        while true {
            switch memory.withUnsafeMutableBytes({ upload.read(into: $0) }) {
            case .bytes(let count): bytes.append(contentsOf: memory[..<count])
            case .later: await Task.yield()
            case .end: return bytes
            case .failed(let error): throw error
            }
        }
    }

    /// Reads up to a number of bytes.
    private func take(_ count: Int, from upload: Upload) async -> Data {
        var memory = [UInt8](repeating: 0, count: count)
        while true {
            if case .bytes(let count) = memory.withUnsafeMutableBytes({ upload.read(into: $0) }) {
                return Data(memory[..<count])
            }
            await Task.yield()
        }
    }

    @Test(
        "An upload yields the same bytes after rewinding at any point",
        arguments: [
            HTTPBody(Data("one two three".utf8)), HTTPBody(Chunks("one ", "two ", "three"), isReplayable: true),
        ]
    )
    func rewinds(_ body: HTTPBody) async throws {
        let upload = body.bytes.map { Upload(bytes: $0) } ?? Upload(stream: body)
        upload.start {}
        for count in [1, 4, 5] {
            _ = await take(count, from: upload)
            #expect(upload.rewind())
        }
        #expect(try await drain(upload) == Data("one two three".utf8))
        #expect(upload.rewind())
        #expect(try await drain(upload) == Data("one two three".utf8))
    }

    @Test("An upload of a non-replayable body cannot be rewound after its first byte")
    func rewindsOnce() async throws {
        let upload = Upload(stream: HTTPBody(Chunks("one ", "two ", "three")))
        upload.start {}
        #expect(upload.rewind())
        #expect(await take(1, from: upload) == Data("o".utf8))
        #expect(!upload.rewind())
    }

    @Test(
        "An upload ignores the bytes and errors of producers from before it was rewound",
        arguments: [false, true]
    )
    func ignoresOldProducers(fails: Bool) async throws {
        let (late, ended, attempts) = (Gate(), Gate(), Lines())
        let body = HTTPBody(
            Attempts(attempts: attempts, late: late, ended: ended, fails: fails),
            length: 8,
            isReplayable: true
        )
        let upload = Upload(stream: body)
        upload.start {}
        #expect(await take(4, from: upload) == Data("old ".utf8))
        #expect(upload.rewind())
        #expect(await take(4, from: upload) == Data("new ".utf8))
        late.open()
        await ended.waitUntilOpen()
        #expect(try await drain(upload) == Data("ones".utf8))
        #expect(attempts.all.count == 2)
    }

    /// A body whose second chunk arrives when a gate opens, even if its reader is cancelled.
    private struct Attempts: AsyncSequence, Sendable {
        let attempts: Lines
        let late: Gate
        let ended: Gate
        let fails: Bool

        final class AsyncIterator: AsyncIteratorProtocol {
            private let sequence: Attempts
            private let isFirst: Bool
            private var number = 0

            init(_ sequence: Attempts) {
                self.sequence = sequence
                isFirst = sequence.attempts.all.isEmpty
                sequence.attempts.add("attempt")
            }

            deinit { if isFirst { sequence.ended.open() } }

            func next() async throws -> Data? {
                number += 1
                switch number {
                case 1: return Data((isFirst ? "old " : "new ").utf8)
                case 2:
                    let gate = sequence.late
                    await Task.detached { await gate.waitUntilOpen() }.value
                    if isFirst, sequence.fails { throw Chunks.Broken() }
                    return Data((isFirst ? "olds" : "ones").utf8)
                default: return nil
                }
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }

    @Test(
        "An upload with more or fewer bytes than declared fails before it is exhausted",
        arguments: [3, 12, 14]
    )
    func wrongLength(length: Int) async throws {
        let upload = Upload(stream: HTTPBody(Chunks("one ", "two ", "three"), length: length))
        upload.start {}
        let error = await #expect(throws: TransportError.self) { try await drain(upload) }
        #expect(error?.kind == .unsupportedRequest)
        #expect(!upload.isExhausted)
    }

    @Test("An upload is exhausted after its last byte only if its length is known", arguments: [nil, 13])
    func isExhausted(length: Int?) async throws {
        let upload = Upload(stream: HTTPBody(Chunks("one ", "two ", "three"), length: length))
        upload.start {}
        var taken = 0
        while taken < 13 {
            #expect(!upload.isExhausted)
            taken += await take(13, from: upload).count
        }
        #expect(upload.isExhausted == (length != nil))
    }
}
