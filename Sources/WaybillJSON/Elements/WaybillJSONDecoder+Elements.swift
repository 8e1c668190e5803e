import WaybillSystem

extension WaybillJSONDecoder {
    /// Decodes the elements of an array one by one, from bytes that are appended as they come.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - path: the path from the top of the document to the array; the document itself is the array without it.
    ///     Indices from the end are rejected.
    ///   - metadata: the paths of values beside the array that are to be kept, for `ElementReader.metadata(_:at:)`.
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
    /// Beside the document, it takes the memory of one element.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the way from the top of the document to the array; places from the end are rejected.
    ///   - metadata: the ways to values beside the array that are to be kept.
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
    ///   - path: the way from the top of the document to the array; places from the end are rejected.
    ///   - metadata: the ways to values beside the array that are to be kept.
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
    public func elements<Element: Decodable, Chunks: AsyncSequence>(
        _ type: Element.Type,
        from chunks: Chunks,
        at path: [EnvelopeKey],
        keeping metadata: [[EnvelopeKey]] = []
    ) -> ElementSequence<Chunks, Element> {
        ElementSequence(chunks, ElementReader(self, at: path, keeping: metadata))
    }
}
