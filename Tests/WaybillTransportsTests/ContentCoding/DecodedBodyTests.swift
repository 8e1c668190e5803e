import TestSupport

#if os(Linux)
    import Foundation
    import Testing

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("Bodies decoded while they are read")
    struct DecodedBodyTests {
        /// A source of chunks with an optional error at the end.
        ///
        /// It records each requested chunk.
        private final class Source: AsyncSequence, Sendable {
            struct AsyncIterator: AsyncIteratorProtocol {
                let source: Source
                var index = 0

                mutating func next() async throws -> Data? {
                    source.asked.add("\(index)")
                    defer { index += 1 }
                    if index < source.chunks.count { return source.chunks[index] }
                    if let error = source.error { throw error }
                    return nil
                }
            }

            let chunks: [Data]
            let error: TransportError?
            let asked = Lines()

            init(_ chunks: [Data], error: TransportError? = nil) {
                self.chunks = chunks
                self.error = error
            }

            func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: self) }
        }

        @Test("A decoded body does not depend on the size of its chunks", arguments: EncodedSample.all, [1, 10, 1000])
        func chunks(sample: EncodedSample, size: Int) async throws {
            let body = DecodedBody(Source(sample.bytes.chunks(of: size)), codings: sample.codings)
            #expect(try await HTTPBody(body).collect() == EncodedSample.body)
        }

        @Test("A replayable body is decoded again for each read")
        func again() async throws {
            let sample = EncodedSample.all[0]
            let body = HTTPBody(DecodedBody(HTTPBody(sample.bytes), codings: sample.codings), isReplayable: true)
            for _ in 0..<2 { #expect(try await body.collect() == EncodedSample.body) }
        }

        @Test("A truncated body yields its decoded bytes, throws, and ends", arguments: EncodedSample.all)
        func truncated(sample: EncodedSample) async throws {
            let body = DecodedBody(Source(sample.bytes.dropLast().chunks(of: 1)), codings: sample.codings)
            var iterator = body.makeAsyncIterator()
            var decoded = Data()
            let error = await #expect(throws: TransportError.self) {
                while let piece = try await iterator.next() { decoded += piece }
            }
            #expect(error?.kind == .connectionLost)
            #expect(EncodedSample.body.starts(with: decoded))
            #expect(try await iterator.next() == nil)
        }

        @Test("A decoded body throws its source's error")
        func base() async throws {
            let sample = EncodedSample.all[0]
            let source = Source([sample.bytes], error: TransportError(.timedOut, "no more"))
            var iterator = DecodedBody(source, codings: sample.codings).makeAsyncIterator()
            #expect(try await iterator.next() == EncodedSample.body)
            let error = await #expect(throws: TransportError.self) { try await iterator.next() }
            #expect(error?.kind == .timedOut)
            #expect(try await iterator.next() == nil)
        }

        @Test(
            "A decoded body reads a chunk only after the previous one is consumed, and none after an error",
            arguments: Bomb.all
        )
        func lazy(bomb: Bomb) async throws {
            let limit = 50_000_000
            let source = Source([bomb.bytes, Data([1])])
            var iterator = DecodedBody(source, codings: bomb.codings, limit: limit).makeAsyncIterator()
            #expect(source.asked.all.isEmpty)
            var count = 0
            let error = await #expect(throws: TransportError.self) {
                while let piece = try await iterator.next() { count += piece.count }
            }
            #expect(error?.kind == .bodyTooLarge)
            #expect((limit - 65536...limit).contains(count))
            #expect(try await iterator.next() == nil)
            #expect(source.asked.all == ["0"])
        }

        @Test("A decoded body reads its source to the end, so that the connection can be reused")
        func end() async throws {
            let sample = EncodedSample.all[0]
            let source = Source([sample.bytes, Data(), Data()])
            #expect(try await HTTPBody(DecodedBody(source, codings: sample.codings)).collect() == EncodedSample.body)
            #expect(source.asked.all == ["0", "1", "2", "3"])
        }

        @Test("A decoded body without chunks is empty")
        func empty() async throws {
            #expect(try await HTTPBody(DecodedBody(Source([]), codings: [.gzip])).collect().isEmpty)
        }
    }
#endif
