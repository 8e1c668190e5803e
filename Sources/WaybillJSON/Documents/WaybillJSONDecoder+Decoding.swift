import WaybillSystem

extension WaybillJSONDecoder {
    /// Decodes a value from a document.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    /// - Returns: the value.
    /// - Throws: `DecodingError`, with a ``JSONDiagnosis`` as its underlying error; and the errors of types that decode
    ///   themselves.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decode(type, from: data, at: [])
    }

    /// Decodes a value from within a document.
    ///
    /// The rest of the document is checked and skipped.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the top of the document to the value.
    /// - Returns: the value.
    /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` if there is no value at the path.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at path: EnvelopeKey...) throws -> Value {
        try decode(type, from: data, at: path)
    }

    /// Decodes a value from within a document, by a path that is known only when the program runs.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at path: [EnvelopeKey]) throws -> Value {
        try DocumentReader.read(data, strategies) { state in
            guard !path.isEmpty else { return try state.decode(type, at: 1, in: 0) }
            let place = try state.place(at: path)
            return try state.decode(type, at: place.index, in: place.container)
        }
    }
}
