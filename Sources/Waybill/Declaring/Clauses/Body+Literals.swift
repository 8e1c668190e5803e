// Literals whose values have several types. The compiler takes these initializers only if no other fits, so that a
// dictionary with values of one type stays what it is.
extension Body {
    /// Creates an object from a literal whose values have several types.
    ///
    /// ```swift
    /// Body(["id": id, "count": 1])                            // {"count":1,"id":"a7"}
    /// Body(["id": id, "count": 1], under: "order")            // {"order":{"count":1,"id":"a7"}}
    /// Body(["order": ["id": .string(id), "count": 1]])        // objects in it are JSONValue
    /// ```
    ///
    /// - Parameters:
    ///   - members: the values by their names.
    ///   - keys: the keys around the object, the outermost first; without any, those of ``Bodies`` in scope.
    @_disfavoredOverload
    public init(_ members: [String: any Encodable & Sendable], under keys: String...) {
        self.init(.value(members.mapValues(AnyEncodable.init)), keys: keys.isEmpty ? nil : keys)
    }

    /// Creates JSON of any depth from a literal.
    @_disfavoredOverload
    public init(_ json: JSONValue, under keys: String...) { self.init(.value(json), keys: keys.isEmpty ? nil : keys) }

    /// Does not compile: a value in the literal cannot be encoded, or it has an object whose values have several types.
    @available(
        *,
        unavailable,
        message: "give values that can be encoded; in objects below, JSONValue: [\"name\": .string(name)]"
    )
    public init(_ members: [String: Any], under keys: String...) { self.init(.formItems([])) }
}
