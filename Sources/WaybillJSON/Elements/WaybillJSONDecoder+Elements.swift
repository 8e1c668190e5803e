import WaybillSystem

extension WaybillJSONDecoder {
    /// Decodes the elements of an array one by one, from bytes that are appended as they come.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - path: the path from the top of the document to the array; the document itself is the array without it.
    ///     Indices from the end are rejected.
    ///   - metadata: the paths of values outside the array that are to be kept, for `ElementReader.metadata(_:at:)`.
    ///     Everything else is dropped, in any size.
    /// - Returns: a reader without bytes.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        at path: EnvelopeKey...,
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementReader<Element> {
        ElementReader(self, at: path, keeping: metadata)
    }

    /// Decodes the elements of an array one by one, by a path that is known only when the program runs.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - path: the path from the top of the document to the array; indices from the end are rejected.
    ///   - metadata: the paths of values outside the array that are to be kept.
    /// - Returns: a reader without bytes.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        at path: [EnvelopeKey],
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementReader<Element> {
        ElementReader(self, at: path, keeping: metadata)
    }

    /// Decodes the elements of an array one by one, from a whole document.
    ///
    /// ```swift
    /// var products = decoder.elements(Product.self, from: data, at: "data", "items")
    /// while let product = try products.next() { show(product) }
    /// ```
    ///
    /// Apart from the document, it takes the memory of one element.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the top of the document to the array; indices from the end are rejected.
    ///   - metadata: the paths of values outside the array that are to be kept.
    /// - Returns: a reader with the document.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        from data: Data,
        at path: EnvelopeKey...,
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementReader<Element> {
        ElementReader(self, from: data, at: path, keeping: metadata)
    }

    /// Decodes the elements of an array in a whole document, by a path that is known only when the program runs.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the top of the document to the array; indices from the end are rejected.
    ///   - metadata: the paths of values outside the array that are to be kept.
    /// - Returns: a reader with the document.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        from data: Data,
        at path: [EnvelopeKey],
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementReader<Element> {
        ElementReader(self, from: data, at: path, keeping: metadata)
    }

    /// Decodes the elements of an array one by one, from chunks that arrive over time.
    ///
    /// ```swift
    /// for try await product in decoder.elements(Product.self, from: response.body, at: "data") { show(product) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - chunks: the document in UTF-8, as `Data`, `[UInt8]` or any other sequence of bytes.
    ///   - path: the path from the top of the document to the array; indices from the end are rejected.
    ///   - metadata: the paths of values outside the array that are to be kept.
    /// - Returns: a sequence of the elements.
    public func elements<Element: Decodable, Chunks: AsyncSequence>(
        _ type: Element.Type,
        from chunks: Chunks,
        at path: EnvelopeKey...,
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementSequence<Chunks, Element> {
        ElementSequence(chunks, ElementReader(self, at: path, keeping: metadata))
    }

    /// Decodes the elements of an array in arriving chunks, by a path that is known only when the program runs.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - chunks: the document in UTF-8, as `Data`, `[UInt8]` or any other sequence of bytes.
    ///   - path: the path from the top of the document to the array; indices from the end are rejected.
    ///   - metadata: the paths of values outside the array that are to be kept.
    /// - Returns: a sequence of the elements.
    public func elements<Element: Decodable, Chunks: AsyncSequence>(
        _ type: Element.Type,
        from chunks: Chunks,
        at path: [EnvelopeKey],
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementSequence<Chunks, Element> {
        ElementSequence(chunks, ElementReader(self, at: path, keeping: metadata))
    }

    /// The elements of an array in a document whose chunks arrive over time.
    ///
    /// ```swift
    /// for try await product in decoder.elements(Product.self, from: response.body, at: "data", "items") {
    ///     show(product)
    /// }
    /// ```
    ///
    /// A chunk is requested when the elements of the ones before it have been taken: a slow reader applies
    /// back-pressure. Iterating ends without an error only when the document was checked to its end.
    ///
    /// An iterator can be asked for more than elements: for those that cannot be decoded, by ``Iterator/nextResult()``,
    /// and for metadata, by `metadata(_:at:)`.
    public struct ElementSequence<Chunks: AsyncSequence, Element: Decodable>: AsyncSequence
    where Chunks.Element: Sequence<UInt8> {
        private let chunks: Chunks
        private let reader: ElementReader<Element>

        init(_ chunks: Chunks, _ reader: ElementReader<Element>) {
            self.chunks = chunks
            self.reader = reader
        }

        /// Starts reading the document.
        public func makeAsyncIterator() -> Iterator { Iterator(chunks.makeAsyncIterator(), reader) }

        /// An iterator over the elements of one document.
        public struct Iterator: AsyncIteratorProtocol {
            private var chunks: Chunks.AsyncIterator
            private var reader: ElementReader<Element>
            /// Elements that have been decoded, and the index of the next one to return.
            private var decoded: [Element] = []
            private var index = 0
            /// The failure of the element after them.
            private var failure: DroppedItem?
            private var isAtEnd = false

            init(_ chunks: Chunks.AsyncIterator, _ reader: ElementReader<Element>) {
                self.chunks = chunks
                self.reader = reader
            }

            /// Returns the next element; nil at the end of the document.
            ///
            /// - Throws: the errors of the chunks, and those of ``WaybillJSONDecoder/ElementReader/next()``;
            ///   `DecodingError` if the document is cut. After an element that cannot be decoded, the next call
            ///   continues.
            public mutating func next() async throws -> Element? {
                switch try await nextResult() {
                case .success(let element): element
                case .failure(let failure): throw failure.error
                case nil: nil
                }
            }

            /// Returns the next element, or the error of one that cannot be decoded; nil at the end of the document.
            ///
            /// - Throws: the errors of the chunks; `DecodingError` if the document is not JSON, is cut or has no array
            ///   at the path.
            public mutating func nextResult() async throws -> Result<Element, DroppedItem>? {
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

            /// Decodes a value outside the array, as far as it has been read.
            ///
            /// - Parameters:
            ///   - type: the type of the value.
            ///   - path: the path from the top of the document to the value, which `keeping` has named, or a
            ///     value around it.
            /// - Returns: the value.
            /// - Throws: `DecodingError`, like `ElementReader.metadata(_:at:)`.
            public func metadata<Value: Decodable>(_ type: Value.Type, at path: EnvelopeKey...) throws -> Value {
                try reader.metadata(type, at: path)
            }

            /// Decodes a value outside the array, by a path that is known only when the program runs.
            ///
            /// - Parameters:
            ///   - type: the type of the value.
            ///   - path: the path from the top of the document to the value, which `keeping` has named, or a
            ///     value around it.
            /// - Returns: the value.
            /// - Throws: `DecodingError`, like `ElementReader.metadata(_:at:)`.
            public func metadata<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value {
                try reader.metadata(type, at: path)
            }
        }
    }
}

extension WaybillJSONDecoder.ElementSequence: Sendable where Chunks: Sendable {}
