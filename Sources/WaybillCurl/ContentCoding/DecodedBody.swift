#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// A body whose content codings are decoded as it is read.
    ///
    /// It buffers one encoded chunk and one piece for each coding, and reads the next chunk when all bytes of the last
    /// one are decoded. A truncated body throws an error after its last piece; see `ContentDecoder` for the errors of
    /// damaged and oversized bodies.
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

            /// Returns the next bytes, at most 64 KiB and never empty; nil at the end and after an error.
            mutating func next() async throws(TransportError) -> Data? {
                do {
                    return try await decoded()
                } catch {
                    // Releasing the base iterator stops the transfer.
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

        /// Creates a body that decodes another body.
        ///
        /// - Parameters:
        ///   - base: the chunks as they arrive.
        ///   - codings: the codings in the order in which they were applied, as in `Content-Encoding`.
        ///   - limit: the maximum number of decoded bytes.
        init(_ base: Base, codings: [ContentCoding], limit: Int = .max) {
            self.base = base
            self.codings = codings
            self.limit = limit
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
#endif
