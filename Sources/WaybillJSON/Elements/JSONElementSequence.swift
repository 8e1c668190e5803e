import Foundation

/// The elements of an array in a document whose chunks arrive over time.
///
/// ```swift
/// for try await product in decoder.elements(Product.self, from: chunks, at: "data", "items") { show(product) }
/// ```
///
/// A chunk is asked for when the elements of the ones before it have been taken, and not before: who reads slowly slows
/// down who sends. Iterating ends without an error only when the document was checked to its end.
///
/// An iterator can be asked for more than elements: for those that cannot be decoded, by ``Iterator/nextResult()``, and for
/// metadata, by `metadata(_:at:)`.
public struct JSONElementSequence<Chunks: AsyncSequence, Element: Decodable>: AsyncSequence
where Chunks.Element: Sequence<UInt8> {
    private let chunks: Chunks
    private let reader: JSONElementReader<Element>

    init(_ chunks: Chunks, _ reader: JSONElementReader<Element>) {
        self.chunks = chunks
        self.reader = reader
    }

    /// Starts reading the document.
    public func makeAsyncIterator() -> Iterator { Iterator(chunks.makeAsyncIterator(), reader) }

    /// Reads the elements of one document.
    public struct Iterator: AsyncIteratorProtocol {
        private var chunks: Chunks.AsyncIterator
        private var reader: JSONElementReader<Element>
        private var isAtEnd = false

        init(_ chunks: Chunks.AsyncIterator, _ reader: JSONElementReader<Element>) {
            self.chunks = chunks
            self.reader = reader
        }

        /// The next element; nil at the end of the document.
        ///
        /// - Throws: What the chunks throw, and what ``JSONElementReader/next()`` throws; `DecodingError` where the document
        ///   is cut. Behind an element that cannot be decoded the next call goes on.
        public mutating func next() async throws -> Element? {
            switch try await nextResult() {
            case .success(let element): element
            case .failure(let failure): throw failure.error
            case nil: nil
            }
        }

        /// The next element, or why it cannot be decoded; nil at the end of the document.
        ///
        /// - Throws: What the chunks throw; `DecodingError` where the document is not JSON, is cut or has no array at the
        ///   path.
        public mutating func nextResult() async throws -> Result<Element, DroppedItem>? {
            while true {
                if let result = try reader.nextResult() { return result }
                guard !isAtEnd else { return nil }
                if let chunk = try await chunks.next() {
                    reader.append(chunk)
                } else {
                    isAtEnd = true
                    try reader.finish()
                    return nil
                }
            }
        }

        /// Decodes a value beside the array, as far as it has been read.
        ///
        /// - Throws: `DecodingError`, like `JSONElementReader.metadata(_:at:)`.
        public func metadata<Value: Decodable>(_ type: Value.Type, at path: EnvelopeKey...) throws -> Value {
            try reader.metadata(type, at: path)
        }

        /// Decodes a value beside the array, by a path that is known only when the program runs.
        public func metadata<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value {
            try reader.metadata(type, at: path)
        }
    }
}

extension JSONElementSequence: Sendable where Chunks: Sendable {}
