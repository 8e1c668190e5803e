extension Paginated.Scheme {
    /// Names and values that the request for a page has, in the order in which they were set.
    ///
    /// ```swift
    /// var fields: Paginated.Scheme.Fields = ["page": "1"]
    /// fields["size"] = "50"
    /// ```
    public struct Fields: Sendable, Hashable, Codable, ExpressibleByDictionaryLiteral {
        package struct Field: Sendable, Hashable, Codable {
            package let name: String
            package let value: String

            package static func == (left: Self, right: Self) -> Bool {
                left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
            }

            package func hash(into hasher: inout Hasher) {
                hasher.combine(BytewiseString(name))
                hasher.combine(BytewiseString(value))
            }
        }

        package private(set) var fields: [Field]

        /// Creates fields in this order; of several of a name the last counts.
        public init(dictionaryLiteral elements: (String, String)...) {
            fields = []
            for (name, value) in elements { self[name] = value }
        }

        /// Whether there are no fields.
        public var isEmpty: Bool { fields.isEmpty }

        /// Accesses the value of a name.
        ///
        /// A new value of a known name keeps its place, a new name comes last, and nil removes the field.
        public subscript(name: String) -> String? {
            get { fields.first { $0.name.hasSameBytes(as: name) }?.value }
            set {
                let place = fields.firstIndex { $0.name.hasSameBytes(as: name) }
                switch (place, newValue) {
                case (let place?, let value?): fields[place] = Field(name: name, value: value)
                case (let place?, nil): fields.remove(at: place)
                case (nil, let value?): fields.append(Field(name: name, value: value))
                case (nil, nil): break
                }
            }
        }
    }
}

extension Paginated.Scheme.Fields: CustomStringConvertible, CustomReflectable {
    /// The names and values; those of secret names are redacted.
    public var description: String { shown.joined(separator: ", ") }

    /// The names and values; those of secret names are redacted.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: shown, displayStyle: .collection) }

    private var shown: [String] {
        fields.map { "\($0.name): \(SecretNameSet.usual.contains($0.name) ? Redaction.mark : $0.value)" }
    }
}
