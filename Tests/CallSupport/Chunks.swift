import Foundation

/// The chunks of a body, which can be iterated any number of times.
package struct Chunks: AsyncSequence, Sendable {
    package struct Broken: Error {
        package init() {}
    }

    package var chunks: [Data]
    /// The error thrown after the chunks; nil to end normally.
    package var error: Broken?

    package init(_ texts: String..., error: Broken? = nil) {
        chunks = texts.map { Data($0.utf8) }
        self.error = error
    }

    /// Splits bytes into chunks of a given size.
    package init(_ bytes: Data, size: Int) {
        chunks = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<Swift.min($0 + size, bytes.count)] }
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        let error: Broken?

        package mutating func next() async throws -> Data? {
            if let chunk = rest.popFirst() { return chunk }
            if let error { throw error }
            return nil
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: chunks[...], error: error) }
}
