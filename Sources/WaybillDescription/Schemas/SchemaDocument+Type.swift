import Waybill

extension SchemaDocument {
    /// Learns the schema of a type, by running its initializer against a decoder that records what it asks for.
    ///
    /// ```swift
    /// let schema = SchemaDocument(of: Order.self)
    /// print(schema.json)
    /// ```
    ///
    /// The initializer is run several times, with values that are made up. What could not be learned says so.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - decoder: the decoder whose rules for dates, data and keys hold; by default Waybill's with dates of ISO 8601.
    ///   - samples: bodies of real responses, whose values are tried if the initializer rejects those that are made up.
    public init<Value: Decodable>(
        of type: Value.Type,
        decodedWith decoder: some ResponseDecoder = Self.usualDecoder,
        samples: [JSONValue] = []
    ) {
        let probe = TypeProbe(conventions: DecodingConventions(of: decoder), samples: SampleValues(samples))
        let schema = probe.schema(of: type)
        self.init(root: schema, definitions: probe.definitions)
    }

    /// The decoder that a client has if none is declared.
    public static var usualDecoder: WaybillJSONDecoder { JSONDefaults.decoder }
}
