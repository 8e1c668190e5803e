extension Paginated.Scheme {
    /// The place of a value about the list as a whole: a header field, or the body beside the items.
    ///
    /// ```swift
    /// Paginated(.pageNumber(total: .field("X-Total")))
    /// Paginated(.pageNumber(total: .value("meta", "total")))
    /// ```
    public struct Source: Sendable, Hashable {
        package enum Place: Sendable, Hashable {
            case field(String)
            case body([EnvelopeKey])
        }

        package let place: Place

        /// Returns a header field as the place.
        public static func field(_ name: String) -> Self { Self(place: .field(name)) }

        /// Returns a place in the body, at a path given as an array.
        static func body(_ path: [EnvelopeKey]) -> Self { Self(place: .body(path)) }

        /// Returns a place in the body, at a path.
        public static func value(_ path: EnvelopeKey...) -> Self { Self(place: .body(path)) }

        /// The path of the body that has to be read for it.
        var reads: [[EnvelopeKey]] {
            if case .body(let path) = place { [path] } else { [] }
        }

        /// Reads the value; nil if the response has none.
        func read(from page: Paginated.Scheme.Response) throws -> JSONValue? {
            switch place {
            case .field(let text):
                guard let name = HTTPField.Name(text), let value = page.headerFields[name] else { return nil }
                return .string(value)
            case .body(let path):
                return try page.value(at: path)
            }
        }

        /// The place as a scheme's own argument: `at: "meta", "next"`.
        var argument: String {
            switch place {
            case .field(let name): "field: \"\(name)\""
            case .body(let path): "at: \(path.arguments)"
            }
        }

        /// Returns the place as an argument of a name: `total: .value("meta", "total")`.
        func argument(_ name: String) -> String {
            switch place {
            case .field(let field): "\(name): .field(\"\(field)\")"
            case .body(let path): "\(name): .value(\(path.arguments))"
            }
        }

        /// The place for messages.
        var name: String {
            switch place {
            case .field(let name): "the field \(name)"
            case .body(let path): path.pathDescription
            }
        }
    }
}

extension [EnvelopeKey] {
    /// The path as a declaration writes it: `"items", 0`.
    var arguments: String {
        map { step in
            switch step {
            case .key(let key): "\"\(key)\""
            case .index(let index): "\(index)"
            }
        }
        .joined(separator: ", ")
    }
}
