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
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the top of the document to the value; an empty one is the whole document.
    /// - Returns: the value.
    /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` if there is no value at the path.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at path: [EnvelopeKey]) throws -> Value {
        try DocumentReader.read(data, strategies) { state in
            guard !path.isEmpty else { return try state.decode(type, at: 1, in: 0) }
            let place = try state.place(at: path)
            return try state.decode(type, at: place.index, in: place.container)
        }
    }

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

    /// Decodes a value from within a document, and a second one elsewhere in the document, in one pass.
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
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the document, in UTF-8, UTF-16 or UTF-32.
    ///   - path: the path from the top of the document to the value.
    ///   - metadata: the type of the other value.
    ///   - metadataPath: the path from the top of the document to that.
    /// - Returns: the two values; nil for the other one if it is missing or null.
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
        at path: [EnvelopeKey]
    ) throws -> LossyArray<Element> {
        try withDocument(data) { try $0.decodeLossy(type, at: path) }
    }

    /// A document that was read once, for any number of values to be decoded from it.
    ///
    /// ```swift
    /// let (products, total) = try decoder.withDocument(data) { document in
    ///     let total = try document.decodeIfPresent(Int.self, at: "meta", "total")
    ///     return (try document.decode([Product].self, at: "data", "items"), total)
    /// }
    /// ```
    ///
    /// The whole document has been checked before the closure runs. It is meant for the closure's time; one that is
    /// kept longer keeps working, and keeps a copy of the document's bytes. It cannot be sent to another thread.
    public struct Document {
        private let session: DecodingSession

        /// The rule for matching keys of the document with those of a path.
        package var keyMatching = KeyMatching.exact

        init(session: DecodingSession) { self.session = session }

        /// Decodes the value at a path; a path without steps is the whole document.
        ///
        /// The search takes time linear in the number of members and elements on the way. For many elements of one
        /// array, decode the array.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the top of the document to the value.
        /// - Returns: the value.
        /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` if there is no value at the path.
        public func decode<Value: Decodable>(_ type: Value.Type, at path: EnvelopeKey...) throws -> Value {
            try decode(type, at: path)
        }

        /// Decodes the value at a path that is known only when the program runs.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the top of the document to the value; an empty one is the whole document.
        /// - Returns: the value.
        /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` if there is no value at the path.
        public func decode<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value {
            let place = try session.state.place(at: path, matching: keyMatching)
            return try session.state.decode(type, at: place.index, in: place.container)
        }

        /// Decodes the value at a path; nil if there is no value at the path, or null.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the top of the document to the value.
        /// - Returns: the value; nil if it is missing or null, or if a step of the path leads nowhere.
        /// - Throws: `DecodingError` for a value that is not of the type.
        public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, at path: EnvelopeKey...) throws -> Value? {
            try decodeIfPresent(type, at: path)
        }

        /// Decodes the value at a path that is known only at run time; nil if there is no value at the path, or null.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the top of the document to the value.
        /// - Returns: the value; nil if it is missing or null, or if a step of the path leads nowhere.
        /// - Throws: `DecodingError` for a value that is not of the type.
        public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value? {
            guard let place = session.state.presentPlace(at: path, matching: keyMatching) else { return nil }
            return try session.state.decode(type, at: place.index, in: place.container)
        }

        /// Decodes the elements of an array that can be decoded, and returns the errors of the others.
        ///
        /// - Parameters:
        ///   - type: the type of the array.
        ///   - path: the path from the top of the document to the array.
        /// - Returns: the decoded elements, and the dropped ones with their errors.
        /// - Throws: `DecodingError` if there is no array.
        public func decodeLossy<Element: Decodable>(
            _ type: [Element].Type,
            at path: EnvelopeKey...
        ) throws -> LossyArray<Element> {
            try decodeLossy(type, at: path)
        }

        /// Decodes the elements that can be decoded of an array at a path that is known only when the program runs.
        ///
        /// - Parameters:
        ///   - type: the type of the array.
        ///   - path: the path from the top of the document to the array.
        /// - Returns: the decoded elements, and the dropped ones with their errors.
        /// - Throws: `DecodingError` if there is no array.
        public func decodeLossy<Element: Decodable>(
            _ type: [Element].Type,
            at path: [EnvelopeKey]
        ) throws -> LossyArray<Element> {
            let place = try session.state.place(at: path, matching: keyMatching)
            return try session.state.lossyArray(Element.self, at: place.index, in: place.container)
        }

        /// Whether there is a value at a path; null does not count.
        public func contains(_ path: EnvelopeKey...) -> Bool { contains(path) }

        /// Whether there is a value at a path that is known only at run time; null does not count.
        public func contains(_ path: [EnvelopeKey]) -> Bool {
            session.state.presentPlace(at: path, matching: keyMatching) != nil
        }

        /// Returns the number of elements of the array at a path.
        ///
        /// - Parameter path: the path from the top of the document to the array.
        /// - Returns: the number; nil if there is no array.
        public func elementCount(at path: EnvelopeKey...) -> Int? { elementCount(at: path) }

        /// Returns the number of elements of the array at a path that is known only at run time.
        ///
        /// - Parameter path: the path from the top of the document to the array.
        /// - Returns: the number; nil if there is no array.
        public func elementCount(at path: [EnvelopeKey]) -> Int? {
            guard let place = session.state.presentPlace(at: path, matching: keyMatching) else { return nil }
            return session.state.isArray(place.index) ? session.state.elementCount(of: place.index) : nil
        }
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// Decodes the elements of an array one by one.
    fileprivate func lossyArray<Element: Decodable>(
        _ type: Element.Type,
        at index: Int,
        in container: Int
    ) throws -> LossyArray<Element> {
        guard isArray(index) else { throw mismatch([Element].self, at: index, in: container) }
        let count = elementCount(of: index)
        var elements: [Element] = []
        elements.reserveCapacity(count)
        var dropped: [DroppedItem] = []
        var position = index &+ 2
        for place in 0..<count {
            do {
                elements.append(try decode(Element.self, at: position, in: index))
            } catch {
                dropped.append(DroppedItem(index: place, error: error))
            }
            position = pointee.tape.end(of: position)
        }
        return LossyArray(elements: elements, dropped: dropped)
    }

    fileprivate func isArray(_ index: Int) -> Bool { TapeWord.kind(pointee.tape[index]) == TapeKind.array }
}
