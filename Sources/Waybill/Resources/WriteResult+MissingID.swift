import WaybillJSON

extension WriteResult {
    /// An error thrown if an entity was created but the response does not contain the declared id.
    ///
    /// ```swift
    /// func wasCreated(_ error: APIError) -> Bool {
    ///     guard case .decoding(let failure) = error else { return false }
    ///     return failure.underlying is WriteResult.MissingID
    /// }
    /// ```
    public struct MissingID: Error, Sendable, CustomStringConvertible {
        /// The declared path of the id, such as `data.uuid`.
        public let path: String

        /// A description of the value at the path.
        let found: String

        /// The declared path, the value found there, and how to fix the declaration.
        public var description: String {
            "WriteResult(.reread, idAt:) fetches it by its id at \(path), where the response has \(found); correct the path,"
                + " and do not send the request again: the entity exists"
        }
    }
}

extension WriteResult.MissingID: UnusableResponse {
    package var consequence: String { "the entity was created, but not fetched" }
}

extension Reply {
    /// Returns the id of a created entity.
    ///
    /// - Throws: ``WriteResult/MissingID`` if there is no usable id at the path.
    func createdID(at path: [EnvelopeKey], plan: Call.Plan) throws(WriteResult.MissingID) -> OperationID {
        let found: String
        switch try? content(at: path, findsNames: true, with: plan.decoder) {
        case .value(.string(let text)):
            if !["", ".", ".."].contains(text) { return OperationID(text) }
            found = "the text \"\(text)\""
        case .value(.integer(let number)): return OperationID(number)
        case .value(let value): found = value.kindInWords
        case .null: found = "null"
        case .missing(_, let names):
            let list = names.sorted().prefix(8).map { "\"\(CodingPathText.quoted($0))\"" }.joined(separator: ", ")
            found = body.isEmpty ? "no body" : list.isEmpty ? "no value" : "no value, only \(list)"
        case .blocked(_, let kind): found = "\(kind) without members"
        case nil: found = "an unreadable body"
        }
        throw WriteResult.MissingID(path: path.pathDescription, found: found)
    }
}
