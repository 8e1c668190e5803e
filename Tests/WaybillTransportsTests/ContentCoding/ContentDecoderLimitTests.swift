#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("Limits on decompressed size", .inTurn, .safetyNet)
    struct ContentDecoderLimitTests {
        @Test("A decoded body can have as many bytes as the limit, but no more", arguments: EncodedSample.all)
        func limit(sample: EncodedSample) throws {
            let count = EncodedSample.body.count
            #expect(
                try ContentDecoder.decode(whole: sample.bytes, codings: sample.codings, limit: count)
                    == EncodedSample.body
            )
            for limit in [count - 1, 1, 0, -1] {
                let error = #expect(throws: TransportError.self) {
                    try ContentDecoder.decode(whole: sample.bytes, codings: sample.codings, limit: limit)
                }
                #expect(error?.kind == .bodyTooLarge)
                #expect(error?.message == "it has more than \(limit) bytes after decompression")
            }
        }

        @Test(
            "A compression bomb is stopped at the limit",
            arguments: Bomb.all,
            [0, 1000, 65535, 65536, 65537, 10_000_000]
        )
        func stopped(bomb: Bomb, limit: Int) throws {
            let decoder = try ContentDecoder(bomb.codings, limit: limit)
            decoder.feed(bomb.bytes)
            var count = 0
            let error = #expect(throws: TransportError.self) {
                while let piece = try decoder.next() { count += piece.count }
            }
            #expect(error?.kind == .bodyTooLarge)
            #expect((max(0, limit - 65536)...limit).contains(count))
        }

        @Test("Without a limit, a compression bomb decodes completely", arguments: Bomb.all)
        func complete(bomb: Bomb) throws {
            let decoder = try ContentDecoder(bomb.codings)
            decoder.feed(bomb.bytes)
            var count = 0
            while let piece = try decoder.next() { count += piece.count }
            try decoder.finish()
            #expect(count >= 100_000_000)
        }

        @Test(
            "The limit also applies between two codings, even if the last one produces no bytes",
            .enabled(if: Bomb.emptyMembers.codings.allSatisfy(\.isSupported))
        )
        func between() {
            let error = #expect(throws: TransportError.self) {
                try ContentDecoder.decode(
                    whole: Bomb.emptyMembers.bytes,
                    codings: Bomb.emptyMembers.codings,
                    limit: 1000
                )
            }
            #expect(error?.kind == .bodyTooLarge)
        }

        @Test(
            "A cancelled task stops decoding a body that produces no bytes",
            .enabled(if: Bomb.emptyMembers.codings.allSatisfy(\.isSupported))
        )
        func cancelled() async {
            let task = Task { () throws(TransportError) -> Data in
                withUnsafeCurrentTask { $0?.cancel() }
                return try ContentDecoder.decode(whole: Bomb.emptyMembers.bytes, codings: Bomb.emptyMembers.codings)
            }
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
        }
    }
#endif
