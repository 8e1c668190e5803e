import WaybillSystem

extension HTTPBody {
    /// An iterator over the chunks of a body.
    public struct Iterator: AsyncIteratorProtocol {
        private var produce: () async throws(TransportError) -> Data?

        init(_ data: Data) {
            var rest: Data? = data.isEmpty ? nil : data
            produce = { () async throws(TransportError) -> Data? in
                defer { rest = nil }
                return rest
            }
        }

        init<Base: AsyncIteratorProtocol>(_ base: Base) where Base.Element == Data {
            var base = base
            produce = { () async throws(TransportError) -> Data? in
                do {
                    while let chunk = try await base.next() {
                        if !chunk.isEmpty { return chunk }
                    }
                    return nil
                } catch {
                    throw TransportError(wrapping: error)
                }
            }
        }

        /// Returns the next chunk; nil at the end of the body.
        ///
        /// - Throws: ``TransportError`` when the body ends before it is complete.
        public mutating func next() async throws(TransportError) -> Data? { try await produce() }
    }
}
