import WaybillJSON

extension Extraction {
    /// Something beside the value: it is decoded where it is there.
    package struct Extra: Sendable {
        /// Takes it out of any decoder's document.
        package let decode: @Sendable (any Decoder) throws -> (any Sendable)?

        /// Takes it out of a document that was read already.
        package let decodeFromDocument: @Sendable (JSONDocument) throws -> (any Sendable)?

        /// A value that has to be at the path.
        package init<Value: Decodable & Sendable>(_ type: Value.Type, at path: [EnvelopeKey]) {
            decode = { decoder in
                try ExtraFailure.naming(Value.self) { try DocumentWalker(path: path).decode(Value.self, from: decoder) }
            }
            decodeFromDocument = { document in
                try ExtraFailure.naming(Value.self) { try document.decode(Value.self, at: path) }
            }
        }

        /// A value that may be at the path.
        ///
        /// - Parameter condition: Whether a value counts; one that does not is none.
        package init<Value: Decodable & Sendable>(
            ifPresent type: Value.Type,
            at path: [EnvelopeKey],
            where condition: @escaping @Sendable (Value) -> Bool = { _ in true }
        ) {
            decode = { decoder in
                try ExtraFailure.naming(Value.self) {
                    try DocumentWalker(path: path).decodeIfPresent(Value.self, from: decoder)
                        .flatMap { condition($0) ? $0 : nil }
                }
            }
            decodeFromDocument = { document in
                try ExtraFailure.naming(Value.self) {
                    try document.decodeIfPresent(Value.self, at: path).flatMap { condition($0) ? $0 : nil }
                }
            }
        }
    }
}
