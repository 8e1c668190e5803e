import WaybillSystem

extension HTTPBody {
    /// Returns some bytes of the body, which can be read from any of them on too; nil if this body cannot, or is
    /// shorter.
    package func part(_ range: Range<Int>) -> HTTPBody? {
        guard let length, range.upperBound <= length, let rest = remainder(from: range.lowerBound) else { return nil }
        if range.upperBound == length { return rest }
        if let bytes = rest.bytes { return HTTPBody(Data(bytes.prefix(range.count))) }
        return HTTPBody(length: range.count) { [self] offset in
            FirstChunks(
                body: remainder(from: range.lowerBound + offset) ?? HTTPBody(),
                count: range.count - offset
            )
        }
    }
}

/// The chunks of a body up to a number of bytes.
private struct FirstChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let body: HTTPBody
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator(), remaining: count) }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: HTTPBody.Iterator
        var remaining: Int

        mutating func next() async throws -> Data? {
            guard remaining > 0, let chunk = try await chunks.next() else { return nil }
            let taken = chunk.prefix(remaining)
            remaining -= taken.count
            return Data(taken)
        }
    }
}
