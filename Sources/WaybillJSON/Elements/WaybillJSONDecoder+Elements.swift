import WaybillSystem

extension WaybillJSONDecoder {
    /// Returns a reader that decodes the elements of an array one by one, from bytes appended as they arrive.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - path: the path from the root of the document to the array; empty if the document itself is the array.
    ///     Negative indices are rejected.
    ///   - metadata: the paths to values outside the array to retain for `ElementReader.metadata(_:at:)`. Everything
    ///     else is discarded, regardless of its size.
    /// - Returns: a reader to which no bytes have been appended.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        at path: EnvelopeKey...,
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementReader<Element> {
        ElementReader(self, at: path, keeping: metadata)
    }

    /// Returns a reader that decodes the elements of an array one by one, at a path determined at run time.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - path: the path from the root of the document to the array; negative indices are rejected.
    ///   - metadata: the paths to values outside the array to retain for `ElementReader.metadata(_:at:)`.
    /// - Returns: a reader to which no bytes have been appended.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        at path: [EnvelopeKey],
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementReader<Element> {
        ElementReader(self, at: path, keeping: metadata)
    }

    /// Returns a reader that decodes the elements of an array in a whole document one by one.
    ///
    /// ```swift
    /// var products = decoder.elements(Product.self, from: data, at: "data", "items")
    /// while let product = try products.next() { show(product) }
    /// ```
    ///
    /// Besides the document, it needs memory for only one element.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the root of the document to the array; negative indices are rejected.
    ///   - metadata: the paths to values outside the array to retain for `ElementReader.metadata(_:at:)`.
    /// - Returns: a reader for the document.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        from data: Data,
        at path: EnvelopeKey...,
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementReader<Element> {
        ElementReader(self, from: data, at: path, keeping: metadata)
    }

    /// Returns a reader for the elements of an array in a whole document, at a path determined at run time.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the root of the document to the array; negative indices are rejected.
    ///   - metadata: the paths to values outside the array to retain for `ElementReader.metadata(_:at:)`.
    /// - Returns: a reader for the document.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        from data: Data,
        at path: [EnvelopeKey],
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementReader<Element> {
        ElementReader(self, from: data, at: path, keeping: metadata)
    }

    /// Returns the elements of an array in a document that arrives in chunks.
    ///
    /// ```swift
    /// for try await product in decoder.elements(Product.self, from: response.body, at: "data") { show(product) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - chunks: the document in UTF-8, in chunks of `Data`, `[UInt8]` or any other sequence of bytes.
    ///   - path: the path from the root of the document to the array; negative indices are rejected.
    ///   - metadata: the paths to values outside the array to retain for the iterator's `metadata(_:at:)`.
    /// - Returns: an asynchronous sequence of the elements.
    public func elements<Element: Decodable, Chunks: AsyncSequence>(
        _ type: Element.Type,
        from chunks: Chunks,
        at path: EnvelopeKey...,
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementSequence<Chunks, Element> {
        ElementSequence(chunks, ElementReader(self, at: path, keeping: metadata))
    }

    /// Returns the elements of an array in a document that arrives in chunks, at a path determined at run time.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - chunks: the document in UTF-8, in chunks of `Data`, `[UInt8]` or any other sequence of bytes.
    ///   - path: the path from the root of the document to the array; negative indices are rejected.
    ///   - metadata: the paths to values outside the array to retain for the iterator's `metadata(_:at:)`.
    /// - Returns: an asynchronous sequence of the elements.
    public func elements<Element: Decodable, Chunks: AsyncSequence>(
        _ type: Element.Type,
        from chunks: Chunks,
        at path: [EnvelopeKey],
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementSequence<Chunks, Element> {
        ElementSequence(chunks, ElementReader(self, at: path, keeping: metadata))
    }

    /// An asynchronous sequence of the elements of an array in a document that arrives in chunks.
    ///
    /// ```swift
    /// for try await product in decoder.elements(Product.self, from: response.body, at: "data", "items") {
    ///     show(product)
    /// }
    /// ```
    ///
    /// A chunk is requested only after the elements of the previous ones have been consumed, so a slow consumer applies
    /// back-pressure. Iteration ends without an error only if the document was validated to its end.
    ///
    /// To receive the errors of elements that cannot be decoded, or to decode values outside the array, use an
    /// iterator's ``Iterator/nextResult()`` and `metadata(_:at:)`.
    public struct ElementSequence<Chunks: AsyncSequence, Element: Decodable>: AsyncSequence
    where Chunks.Element: Sequence<UInt8> {
        private let chunks: Chunks
        private let reader: ElementReader<Element>

        init(_ chunks: Chunks, _ reader: ElementReader<Element>) {
            self.chunks = chunks
            self.reader = reader
        }

        /// Creates an iterator that reads the document.
        ///
        /// - Returns: the iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(chunks.makeAsyncIterator(), reader) }

        /// An iterator over the elements of one document.
        public struct Iterator: AsyncIteratorProtocol {
            private var chunks: Chunks.AsyncIterator
            private var reader: ElementReader<Element>
            /// The elements decoded ahead, and the index of the next one to return.
            private var decoded: [Element] = []
            private var index = 0
            /// The failure of the element after those decoded ahead.
            private var failure: WaybillJSONDecoder.DroppedItem?
            private var isAtEnd = false

            init(_ chunks: Chunks.AsyncIterator, _ reader: ElementReader<Element>) {
                self.chunks = chunks
                self.reader = reader
            }

            /// Returns the next element; nil at the end of the document.
            ///
            /// - Returns: the next element; nil at the end of the document.
            /// - Throws: an error from the chunks or from ``WaybillJSONDecoder/ElementReader/next()``, or
            ///   `DecodingError` if the document is truncated. After an element that cannot be decoded, the next call
            ///   continues with the following one.
            public mutating func next() async throws -> Element? {
                switch try await nextResult() {
                case .success(let element): element
                case .failure(let failure): throw failure.error
                case nil: nil
                }
            }

            /// Returns the next element, or its error if it cannot be decoded; nil at the end of the document.
            ///
            /// - Returns: the next element or its error; nil at the end of the document.
            /// - Throws: an error from the chunks, or `DecodingError` if the document is truncated, is not JSON or has
            ///   no array at the path.
            public mutating func nextResult() async throws -> Result<Element, WaybillJSONDecoder.DroppedItem>? {
                while true {
                    if index < decoded.count {
                        defer { index += 1 }
                        return .success(decoded[index])
                    }
                    if let failure = failure.take() { return .failure(failure) }
                    decoded.removeAll(keepingCapacity: true)
                    index = 0
                    failure = try reader.nextElements(into: &decoded)
                    guard decoded.isEmpty, failure == nil else { continue }
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

            /// Decodes a value outside the array that has already been read.
            ///
            /// - Parameters:
            ///   - type: the type of the value.
            ///   - path: the path from the root of the document to the value. `keeping` must have included this path,
            ///     or the path to a value that contains it.
            /// - Returns: the value.
            /// - Throws: `DecodingError`, as `ElementReader.metadata(_:at:)` does.
            public func metadata<Value: Decodable>(_ type: Value.Type, at path: EnvelopeKey...) throws -> Value {
                try reader.metadata(type, at: path)
            }

            /// Decodes a value outside the array, at a path determined at run time.
            ///
            /// - Parameters:
            ///   - type: the type of the value.
            ///   - path: the path from the root of the document to the value. `keeping` must have included this path,
            ///     or the path to a value that contains it.
            /// - Returns: the value.
            /// - Throws: `DecodingError`, as `ElementReader.metadata(_:at:)` does.
            public func metadata<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value {
                try reader.metadata(type, at: path)
            }
        }
    }
}

extension WaybillJSONDecoder.ElementSequence: Sendable where Chunks: Sendable {}
