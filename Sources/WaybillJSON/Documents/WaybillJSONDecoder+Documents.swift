import WaybillSystem

extension WaybillJSONDecoder {
    /// Reads a document once and passes it to a closure, which decodes parts of it.
    ///
    /// - Parameters:
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - body: decodes from the document.
    /// - Returns: the value of the closure.
    /// - Throws: `DecodingError` if the document is not JSON, before the closure is called; and the error of the
    ///   closure.
    public func withDocument<Result>(_ data: Data, _ body: (Document) throws -> Result) throws -> Result {
        try DocumentReader.read(data, strategies) { state in try body(Document(session: state.session)) }
    }

    /// Decodes a value from within a document, and another one beside it, in one pass.
    ///
    /// ```swift
    /// let (products, meta) = try decoder.decode([Product].self, from: data, at: "data", with: Meta.self, at: "meta")
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the top of the document to the value.
    ///   - metadata: the type of the other value.
    ///   - metadataPath: the path from the top of the document to that.
    /// - Returns: the two values.
    /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` if there is no value at one of the paths.
    public func decode<Value: Decodable, Metadata: Decodable>(
        _ type: Value.Type,
        from data: Data,
        at path: EnvelopeKey...,
        with metadata: Metadata.Type,
        at metadataPath: EnvelopeKey...
    ) throws -> (value: Value, metadata: Metadata) {
        try withDocument(data) { (try $0.decode(type, at: path), try $0.decode(metadata, at: metadataPath)) }
    }

    /// Decodes a value from within a document, and another one that may be missing, in one pass.
    ///
    /// The other value is nil if there is no value at its path, or null.
    ///
    /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` if there is no value at the path of the first.
    public func decode<Value: Decodable, Metadata: Decodable>(
        _ type: Value.Type,
        from data: Data,
        at path: EnvelopeKey...,
        with metadata: Metadata?.Type,
        at metadataPath: EnvelopeKey...
    ) throws -> (value: Value, metadata: Metadata?) {
        try withDocument(data) { document in
            let value = try document.decode(type, at: path)
            return (value, try document.decodeIfPresent(Metadata.self, at: metadataPath))
        }
    }

    /// Decodes the elements of an array that can be decoded, and returns the errors of the others.
    ///
    /// - Parameters:
    ///   - type: the type of the array.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the top of the document to the array.
    /// - Returns: the decoded elements, and the dropped ones with their errors.
    /// - Throws: `DecodingError` if the document is not JSON, or has no array there.
    public func decodeLossy<Element: Decodable>(
        _ type: [Element].Type,
        from data: Data,
        at path: EnvelopeKey...
    ) throws -> LossyArray<Element> {
        try withDocument(data) { try $0.decodeLossy(type, at: path) }
    }

    /// Decodes the elements that can be decoded of an array at a path that is known only when the program runs.
    public func decodeLossy<Element: Decodable>(
        _ type: [Element].Type,
        from data: Data,
        at path: [EnvelopeKey]
    ) throws -> LossyArray<Element> {
        try withDocument(data) { try $0.decodeLossy(type, at: path) }
    }
}
