import Foundation

/// The chunks of a body, which can be read any number of times.
package struct Chunks: AsyncSequence, Sendable {
    package struct Broken: Error {
        package init() {}
    }

    package var chunks: [Data]
    /// The error after the chunks; nil for a regular end.
    package var error: Broken?

    package init(_ texts: String..., error: Broken? = nil) {
        chunks = texts.map { Data($0.utf8) }
        self.error = error
    }

    /// Creates the chunks of a size from bytes.
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
