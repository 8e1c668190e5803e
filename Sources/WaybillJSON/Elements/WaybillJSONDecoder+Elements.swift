import Foundation

extension WaybillJSONDecoder {
    /// Decodes the elements of an array one by one, from bytes that are appended as they come.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - path: The way from the top of the document to the array; the document itself is the array without it. Places
    ///     from the end are refused.
    ///   - metadata: The ways to values beside the array that are to be kept, for
    ///     `JSONElementReader.metadata(_:at:)`. All else is dropped, whatever its size.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        at path: EnvelopeKey...,
        keeping metadata: [[EnvelopeKey]] = []
    ) -> JSONElementReader<Element> {
        JSONElementReader(self, at: path, keeping: metadata)
    }

    /// Decodes the elements of an array one by one, by a path that is known only when the program runs.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        at path: [EnvelopeKey],
        keeping metadata: [[EnvelopeKey]] = []
    ) -> JSONElementReader<Element> {
        JSONElementReader(self, at: path, keeping: metadata)
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
    ///   - type: The type of the elements.
    ///   - data: The document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: The way from the top of the document to the array; places from the end are refused.
    ///   - metadata: The ways to values beside the array that are to be kept.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        from data: Data,
        at path: EnvelopeKey...,
        keeping metadata: [[EnvelopeKey]] = []
    ) -> JSONElementReader<Element> {
        JSONElementReader(self, from: data, at: path, keeping: metadata)
    }

    /// Decodes the elements of an array in a whole document, by a path that is known only when the program runs.
    public func elements<Element: Decodable>(
        _ type: Element.Type,
        from data: Data,
        at path: [EnvelopeKey],
        keeping metadata: [[EnvelopeKey]] = []
    ) -> JSONElementReader<Element> {
        JSONElementReader(self, from: data, at: path, keeping: metadata)
    }

    /// Decodes the elements of an array one by one, from chunks that arrive over time.
    ///
    /// ```swift
    /// for try await product in decoder.elements(Product.self, from: chunks, at: "data", "items") { show(product) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - chunks: The document in UTF-8, as `Data`, `[UInt8]` or any other sequence of bytes.
    ///   - path: The way from the top of the document to the array; places from the end are refused.
    ///   - metadata: The ways to values beside the array that are to be kept.
    public func elements<Element: Decodable, Chunks: AsyncSequence>(
        _ type: Element.Type,
        from chunks: Chunks,
        at path: EnvelopeKey...,
        keeping metadata: [[EnvelopeKey]] = []
    ) -> JSONElementSequence<Chunks, Element> {
        JSONElementSequence(chunks, JSONElementReader(self, at: path, keeping: metadata))
    }

    /// Decodes the elements of an array in arriving chunks, by a path that is known only when the program runs.
    public func elements<Element: Decodable, Chunks: AsyncSequence>(
        _ type: Element.Type,
        from chunks: Chunks,
        at path: [EnvelopeKey],
        keeping metadata: [[EnvelopeKey]] = []
    ) -> JSONElementSequence<Chunks, Element> {
        JSONElementSequence(chunks, JSONElementReader(self, at: path, keeping: metadata))
    }
}
