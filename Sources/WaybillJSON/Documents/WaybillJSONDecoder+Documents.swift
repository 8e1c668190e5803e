import Foundation

extension WaybillJSONDecoder {
    /// Reads a document once and hands it to a closure, which decodes from it whatever it wants.
    ///
    /// - Parameters:
    ///   - data: The document, in UTF-8, UTF-16 or UTF-32.
    ///   - body: What decodes from it.
    /// - Throws: `DecodingError` where the document is not JSON, before the closure is called; and what the closure
    ///   throws.
    public func withDocument<Result>(_ data: Data, _ body: (JSONDocument) throws -> Result) throws -> Result {
        try DocumentReader.read(data, strategies) { state in try body(JSONDocument(session: state.session)) }
    }

    /// Decodes a value from within a document, and what lies beside it, in one pass.
    ///
    /// ```swift
    /// let (products, meta) = try decoder.decode([Product].self, from: data, at: "data", with: Meta.self, at: "meta")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: The way from the top of the document to the value.
    ///   - metadata: The type of what lies beside it.
    ///   - metadataPath: The way from the top of the document to that.
    /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` where one of the paths leads nowhere.
    public func decode<Value: Decodable, Metadata: Decodable>(
        _ type: Value.Type,
        from data: Data,
        at path: EnvelopeKey...,
        with metadata: Metadata.Type,
        at metadataPath: EnvelopeKey...
    ) throws -> (value: Value, metadata: Metadata) {
        try withDocument(data) { (try $0.decode(type, at: path), try $0.decode(metadata, at: metadataPath)) }
    }

    /// Decodes a value from within a document, and what may lie beside it, in one pass.
    ///
    /// What lies beside it is nil where its path leads nowhere, or to null.
    ///
    /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` where the path of the value leads nowhere.
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

    /// Decodes the elements of an array that can be decoded, and says of the others why they could not.
    ///
    /// - Parameters:
    ///   - type: The type of the array.
    ///   - data: The document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: The way from the top of the document to the array.
    /// - Throws: `DecodingError` where the document is not JSON, or has no array there.
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
