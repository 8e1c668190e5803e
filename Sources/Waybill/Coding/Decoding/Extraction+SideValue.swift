import WaybillJSON

extension Extraction {
    /// A side value: it is decoded if it is there.
    package struct SideValue: Sendable {
        /// Takes it out of any decoder's document.
        package let decode: @Sendable (any Decoder) throws -> (any Sendable)?

        /// Takes it out of a document that was read already.
        package let decodeFromDocument: @Sendable (WaybillJSONDecoder.Document) throws -> (any Sendable)?

        package let type: any (Decodable & Sendable).Type
        package let path: [EnvelopeKey]

        /// Whether the value must be there.
        package let isRequired: Bool

        /// Creates a side value that has to be at the path.
        package init<Value: Decodable & Sendable>(_ type: Value.Type, at path: [EnvelopeKey]) {
            (self.type, self.path, isRequired) = (type, path, true)
            decode = { decoder in
                try ExtraFailure.naming(Value.self) { try DocumentWalker(path: path).decode(Value.self, from: decoder) }
            }
            decodeFromDocument = { document in
                try ExtraFailure.naming(Value.self) { try document.decode(Value.self, at: path) }
            }
        }

        /// Creates a side value that may be at the path.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path of the value.
        ///   - condition: whether a value counts; one that does not is treated as missing.
        package init<Value: Decodable & Sendable>(
            ifPresent type: Value.Type,
            at path: [EnvelopeKey],
            where condition: @escaping @Sendable (Value) -> Bool = { _ in true }
        ) {
            (self.type, self.path, isRequired) = (type, path, false)
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

        /// Creates a side value of type ``PlaceContent``, which is always there.
        ///
        /// - Parameters:
        ///   - path: the path of the value.
        ///   - findsNames: whether the names beside a missing value are wanted.
        package init(contentAt path: [EnvelopeKey], findsNames: Bool) {
            (type, self.path, isRequired) = (JSONValue.self, path, false)
            decode = { decoder in
                try ExtraFailure.naming(JSONValue.self) {
                    try PlaceContent(
                        at: path,
                        findsNames: findsNames,
                        value: { try DocumentWalker(path: $0).decodeIfPresent(JSONValue.self, from: decoder) },
                        parent: {
                            try? DocumentWalker(path: Array($0)).decodeIfPresent(PathParent.self, from: decoder)
                        }
                    )
                }
            }
            decodeFromDocument = { document in
                try ExtraFailure.naming(JSONValue.self) {
                    try PlaceContent(
                        at: path,
                        findsNames: findsNames,
                        value: { try document.decodeIfPresent(JSONValue.self, at: $0) },
                        parent: { try? document.decodeIfPresent(PathParent.self, at: Array($0)) }
                    )
                }
            }
        }
    }
}
