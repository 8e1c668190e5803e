import WaybillSystem

extension WaybillJSONDecoder {
    /// Decodes a value from a document.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    /// - Returns: the value.
    /// - Throws: `DecodingError`, usually with a ``WaybillJSONDecoder/Diagnosis`` as its underlying error, or any error
    ///   thrown by the type's `init(from:)`.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decode(type, from: data, at: [])
    }

    /// Decodes a value from within a document.
    ///
    /// The rest of the document is validated and skipped.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the root of the document to the value.
    /// - Returns: the value.
    /// - Throws: `DecodingError`, such as `.keyNotFound` or `.valueNotFound` if there is no value at the path.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at path: EnvelopeKey...) throws -> Value {
        try decode(type, from: data, at: path)
    }

    /// Decodes a value from within a document, at a path determined at run time.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the root of the document to the value; empty for the whole document.
    /// - Returns: the value.
    /// - Throws: `DecodingError`, such as `.keyNotFound` or `.valueNotFound` if there is no value at the path.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at path: [EnvelopeKey]) throws -> Value {
        try DocumentReader.read(data, strategies) { state in
            guard !path.isEmpty else { return try state.decode(type, at: 1, in: 0) }
            let place = try state.place(at: path)
            return try state.decode(type, at: place.index, in: place.container)
        }
    }

    /// Parses a document once and passes it to a closure that decodes parts of it.
    ///
    /// - Parameters:
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - body: a closure that decodes values from the document.
    /// - Returns: the closure's return value.
    /// - Throws: `DecodingError` if the document is not JSON, without calling the closure; otherwise any error thrown
    ///   by the closure.
    public func withDocument<Result>(_ data: Data, _ body: (Document) throws -> Result) throws -> Result {
        try DocumentReader.read(data, strategies) { state in try body(Document(session: state.session)) }
    }

    /// Decodes two values from different parts of a document in one pass.
    ///
    /// ```swift
    /// let (products, meta) = try decoder.decode([Product].self, from: data, at: "data", with: Meta.self, at: "meta")
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the first value.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the root of the document to the first value.
    ///   - metadata: the type of the second value.
    ///   - metadataPath: the path from the root of the document to the second value.
    /// - Returns: the two values.
    /// - Throws: `DecodingError`, such as `.keyNotFound` or `.valueNotFound` if there is no value at one of the paths.
    public func decode<Value: Decodable, Metadata: Decodable>(
        _ type: Value.Type,
        from data: Data,
        at path: EnvelopeKey...,
        with metadata: Metadata.Type,
        at metadataPath: EnvelopeKey...
    ) throws -> (value: Value, metadata: Metadata) {
        try withDocument(data) { (try $0.decode(type, at: path), try $0.decode(metadata, at: metadataPath)) }
    }

    /// Decodes a value and an optional second one from different parts of a document in one pass.
    ///
    /// - Parameters:
    ///   - type: the type of the first value.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the root of the document to the first value.
    ///   - metadata: the type of the second value.
    ///   - metadataPath: the path from the root of the document to the second value.
    /// - Returns: the two values; the second is nil if it is missing or `null`.
    /// - Throws: `DecodingError`, such as `.keyNotFound` or `.valueNotFound` if there is no value at the first path.
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

    /// Decodes an array, omitting elements that cannot be decoded.
    ///
    /// - Parameters:
    ///   - type: the type of the array.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the root of the document to the array.
    /// - Returns: the decoded elements, and the dropped ones with their errors.
    /// - Throws: `DecodingError` if the document is not JSON, or if there is no array at the path.
    public func decodeLossy<Element: Decodable>(
        _ type: [Element].Type,
        from data: Data,
        at path: EnvelopeKey...
    ) throws -> LossyArray<Element> {
        try withDocument(data) { try $0.decodeLossy(type, at: path) }
    }

    /// Decodes an array at a path determined at run time, omitting elements that cannot be decoded.
    ///
    /// - Parameters:
    ///   - type: the type of the array.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the root of the document to the array; empty for the whole document.
    /// - Returns: the decoded elements, and the dropped ones with their errors.
    /// - Throws: `DecodingError` if the document is not JSON, or if there is no array at the path.
    public func decodeLossy<Element: Decodable>(
        _ type: [Element].Type,
        from data: Data,
        at path: [EnvelopeKey]
    ) throws -> LossyArray<Element> {
        try withDocument(data) { try $0.decodeLossy(type, at: path) }
    }

    /// A parsed document, from which any number of values can be decoded.
    ///
    /// ```swift
    /// let (products, total) = try decoder.withDocument(data) { document in
    ///     let total = try document.decodeIfPresent(Int.self, at: "meta", "total")
    ///     return (try document.decode([Product].self, at: "data", "items"), total)
    /// }
    /// ```
    ///
    /// The whole document is validated before the closure runs. Use a `Document` only within the closure: one that
    /// outlives it still works, but retains a copy of the document's bytes. It is not `Sendable`.
    public struct Document {
        private let session: DecodingSession

        /// The rule for matching document keys to path keys.
        package var keyMatching = KeyMatching.exact

        init(session: DecodingSession) { self.session = session }

        /// Decodes the value at the given path, or the whole document if the path is empty.
        ///
        /// The search takes time linear in the number of members and elements that precede the value. To read many
        /// elements of one array, decode the array.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the root of the document to the value.
        /// - Returns: the value.
        /// - Throws: `DecodingError`, such as `.keyNotFound` or `.valueNotFound` if there is no value at the path.
        public func decode<Value: Decodable>(_ type: Value.Type, at path: EnvelopeKey...) throws -> Value {
            try decode(type, at: path)
        }

        /// Decodes the value at a path determined at run time.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the root of the document to the value; empty for the whole document.
        /// - Returns: the value.
        /// - Throws: `DecodingError`, such as `.keyNotFound` or `.valueNotFound` if there is no value at the path.
        public func decode<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value {
            let place = try session.state.place(at: path, matching: keyMatching)
            return try session.state.decode(type, at: place.index, in: place.container)
        }

        /// Decodes the value at the given path; nil if the value is missing or `null`.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the root of the document to the value.
        /// - Returns: the value; nil if it is `null` or any step of the path is missing.
        /// - Throws: `DecodingError` if the value cannot be decoded as the type.
        public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, at path: EnvelopeKey...) throws -> Value? {
            try decodeIfPresent(type, at: path)
        }

        /// Decodes the value at a path determined at run time; nil if the value is missing or `null`.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the root of the document to the value; empty for the whole document.
        /// - Returns: the value; nil if it is `null` or any step of the path is missing.
        /// - Throws: `DecodingError` if the value cannot be decoded as the type.
        public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value? {
            guard let place = session.state.presentPlace(at: path, matching: keyMatching) else { return nil }
            return try session.state.decode(type, at: place.index, in: place.container)
        }

        /// Decodes the array at the given path, omitting elements that cannot be decoded.
        ///
        /// - Parameters:
        ///   - type: the type of the array.
        ///   - path: the path from the root of the document to the array.
        /// - Returns: the decoded elements, and the dropped ones with their errors.
        /// - Throws: `DecodingError` if there is no array at the path.
        public func decodeLossy<Element: Decodable>(
            _ type: [Element].Type,
            at path: EnvelopeKey...
        ) throws -> LossyArray<Element> {
            try decodeLossy(type, at: path)
        }

        /// Decodes the array at a path determined at run time, omitting elements that cannot be decoded.
        ///
        /// - Parameters:
        ///   - type: the type of the array.
        ///   - path: the path from the root of the document to the array; empty for the whole document.
        /// - Returns: the decoded elements, and the dropped ones with their errors.
        /// - Throws: `DecodingError` if there is no array at the path.
        public func decodeLossy<Element: Decodable>(
            _ type: [Element].Type,
            at path: [EnvelopeKey]
        ) throws -> LossyArray<Element> {
            let place = try session.state.place(at: path, matching: keyMatching)
            return try session.state.lossyArray(Element.self, at: place.index, in: place.container)
        }

        /// Returns whether there is a value other than `null` at the given path.
        ///
        /// - Parameter path: the path from the root of the document to the value.
        /// - Returns: whether the value exists and is not `null`.
        public func contains(_ path: EnvelopeKey...) -> Bool { contains(path) }

        /// Returns whether there is a value other than `null` at a path determined at run time.
        ///
        /// - Parameter path: the path from the root of the document to the value; empty for the whole document.
        /// - Returns: whether the value exists and is not `null`.
        public func contains(_ path: [EnvelopeKey]) -> Bool {
            session.state.presentPlace(at: path, matching: keyMatching) != nil
        }

        /// Returns the number of elements in the array at the given path.
        ///
        /// - Parameter path: the path from the root of the document to the array.
        /// - Returns: the number of elements; nil if there is no array at the path.
        public func elementCount(at path: EnvelopeKey...) -> Int? { elementCount(at: path) }

        /// Returns the number of elements in the array at a path determined at run time.
        ///
        /// - Parameter path: the path from the root of the document to the array; empty for the whole document.
        /// - Returns: the number of elements; nil if there is no array at the path.
        public func elementCount(at path: [EnvelopeKey]) -> Int? {
            guard let place = session.state.presentPlace(at: path, matching: keyMatching) else { return nil }
            return session.state.isArray(place.index) ? session.state.elementCount(of: place.index) : nil
        }
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// Decodes the elements of an array one by one, recording errors.
    fileprivate func lossyArray<Element: Decodable>(
        _ type: Element.Type,
        at index: Int,
        in container: Int
    ) throws -> LossyArray<Element> {
        guard isArray(index) else { throw mismatch([Element].self, at: index, in: container) }
        let count = elementCount(of: index)
        var elements: [Element] = []
        elements.reserveCapacity(count)
        var dropped: [WaybillJSONDecoder.DroppedItem] = []
        var position = index &+ 2
        for place in 0..<count {
            do {
                elements.append(try decode(Element.self, at: position, in: index))
            } catch {
                dropped.append(WaybillJSONDecoder.DroppedItem(index: place, error: error))
            }
            position = pointee.tape.end(of: position)
        }
        return LossyArray(elements: elements, dropped: dropped)
    }

    fileprivate func isArray(_ index: Int) -> Bool { TapeWord.kind(pointee.tape[index]) == TapeKind.array }
}
