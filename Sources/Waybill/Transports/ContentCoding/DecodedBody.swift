#if os(Linux)
    import Foundation

    /// A body without the content codings in which it arrives, undone as it is read.
    ///
    /// It holds a chunk of the base, and a piece for each coding; the next chunk is asked for when the last is used up.
    /// A body that ends too early throws behind its last piece. What is damaged, too short or too long, `ContentDecoder`
    /// says.
    struct DecodedBody<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == Data {
        struct AsyncIterator: AsyncIteratorProtocol {
            private var base: Base.AsyncIterator?
            private let codings: [ContentCoding]
            private let limit: Int
            private var decoder: ContentDecoder?

            fileprivate init(_ body: DecodedBody) {
                base = body.base.makeAsyncIterator()
                codings = body.codings
                limit = body.limit
            }

            /// The next bytes, 64 KiB at most and never none; nil at the end, and behind an error.
            mutating func next() async throws(TransportError) -> Data? {
                do {
                    return try await decoded()
                } catch {
                    // Without its iterator, the base stops what still arrives.
                    base = nil
                    decoder = nil
                    throw TransportError(wrapping: error)
                }
            }

            private mutating func decoded() async throws -> Data? {
                guard base != nil else { return nil }
                let decoder = try decoder ?? ContentDecoder(codings, limit: limit)
                self.decoder = decoder
                while true {
                    if let piece = try decoder.next() { return piece }
                    guard let chunk = try await base?.next() else { break }
                    decoder.feed(chunk)
                }
                try decoder.finish()
                base = nil
                self.decoder = nil
                return nil
            }
        }

        private let base: Base
        private let codings: [ContentCoding]
        private let limit: Int

        /// Creates a body from the one that arrives.
        ///
        /// - Parameters:
        ///   - base: the chunks as they arrive.
        ///   - codings: in the order in which they were applied, as `Content-Encoding` has them.
        ///   - limit: the most bytes that may come out.
        init(_ base: Base, codings: [ContentCoding], limit: Int = .max) {
            self.base = base
            self.codings = codings
            self.limit = limit
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
#endif
