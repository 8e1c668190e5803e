import WaybillJSON

/// Decodes the value at a path in a document.
///
/// It relies only on `Decodable`, so it works with every decoder.
package struct DocumentWalker {
    private let path: [EnvelopeKey]

    package init(path: [EnvelopeKey]) { self.path = path }

    /// Decodes the value at the path.
    ///
    /// - Throws: `DecodingError.keyNotFound` or `.valueNotFound` if there is no value at the path, with the coding path
    ///   up to the missing component.
    package func decode<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> Value {
        guard let last = path.last else {
            let container = try decoder.singleValueContainer()
            return try container.decode(Value.self)
        }
        // Containers apply a decoder's strategies to a `Date` or a `URL`, so the last component is decoded through one.
        let parent = try Self.descend(path.dropLast(), from: decoder)
        switch last {
        case .key(let key):
            let container = try parent.container(keyedBy: EnvelopeCodingKey.self)
            return try container.decode(Value.self, forKey: try Self.existing(key, in: container))
        case .index(let index):
            var container = try Self.container(at: index, in: parent)
            return try container.decode(Value.self)
        }
    }

    /// Decodes the value at the path; returns nil if it is missing or null.
    package func decodeIfPresent<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> Value? {
        guard let last = path.last else {
            let container = try decoder.singleValueContainer()
            return container.decodeNil() ? nil : try container.decode(Value.self)
        }
        guard let parent = Self.optionalDescend(path.dropLast(), from: decoder) else { return nil }
        switch last {
        case .key(let key):
            guard let container = try? parent.container(keyedBy: EnvelopeCodingKey.self),
                let existing = try? Self.existing(key, in: container)
            else { return nil }
            return try container.decodeIfPresent(Value.self, forKey: existing)
        case .index(let index):
            guard var container = try? Self.container(at: index, in: parent) else { return nil }
            return try container.decodeIfPresent(Value.self)
        }
    }

    private static func descend(_ path: ArraySlice<EnvelopeKey>, from top: any Decoder) throws -> any Decoder {
        var decoder = top
        for step in path {
            switch step {
            case .key(let key):
                let container = try decoder.container(keyedBy: EnvelopeCodingKey.self)
                let existing = try existing(key, in: container)
                guard try !container.decodeNil(forKey: existing) else {
                    throw DecodingError.valueNotFound(
                        [String: String].self,
                        .init(
                            codingPath: container.codingPath + [existing],
                            debugDescription: "the envelope ends in null"
                        )
                    )
                }
                decoder = try container.superDecoder(forKey: existing)
            case .index(let index):
                var container = try container(at: index, in: decoder)
                decoder = try container.superDecoder()
            }
        }
        return decoder
    }

    private static func optionalDescend(_ path: ArraySlice<EnvelopeKey>, from top: any Decoder) -> (any Decoder)? {
        try? descend(path, from: top)
    }

    private static func existing(
        _ key: String,
        in container: KeyedDecodingContainer<EnvelopeCodingKey>
    ) throws -> EnvelopeCodingKey {
        let exact = EnvelopeCodingKey(key)
        if container.contains(exact) { return exact }
        // With a key strategy, a decoder lists only converted keys.
        let folded = KeySpelling.folded(key)
        // Several similar keys are ambiguous.
        let alike = container.allKeys.filter { KeySpelling.folded($0.stringValue) == folded }
        if alike.count == 1 { return alike[0] }
        throw DecodingError.keyNotFound(
            exact,
            .init(codingPath: container.codingPath, debugDescription: "the envelope has no key \"\(key)\"")
        )
    }

    private static func container(at index: Int, in decoder: any Decoder) throws -> any UnkeyedDecodingContainer {
        var container = try decoder.unkeyedContainer()
        let place = index < 0 ? (container.count ?? 0) + index : index
        while container.currentIndex < place, !container.isAtEnd {
            _ = try container.decode(IgnoredValue.self)
        }
        guard place >= 0, !container.isAtEnd else {
            throw DecodingError.valueNotFound(
                IgnoredValue.self,
                .init(
                    codingPath: container.codingPath + [EnvelopeCodingKey(intValue: max(place, 0))],
                    debugDescription: "the array ends before element \(index)"
                )
            )
        }
        return container
    }
}

/// A coding key created at run time.
package struct EnvelopeCodingKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    package init(_ key: String) {
        stringValue = key
        intValue = nil
    }

    package init(step: EnvelopeKey) {
        switch step {
        case .key(let key): self.init(key)
        case .index(let index): self.init(intValue: index)
        }
    }

    package init(stringValue: String) { self.init(stringValue) }

    package init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
