/// Where a response says something about the list as a whole: in a header field, or in the body beside the items.
///
/// ```swift
/// .field("X-Total")
/// .value("meta", "total")
/// ```
public struct PageValue: Sendable, Hashable {
    private enum Place: Hashable {
        case field(String)
        case body([EnvelopeKey])
    }

    private let place: Place

    /// In a header field.
    public static func field(_ name: String) -> Self { Self(place: .field(name)) }

    /// In the body, at a path given as an array.
    static func body(_ path: [EnvelopeKey]) -> Self { Self(place: .body(path)) }

    /// In the body, at a path.
    public static func value(_ path: EnvelopeKey...) -> Self { Self(place: .body(path)) }

    /// The path of the body that has to be read for it.
    var reads: [[EnvelopeKey]] {
        if case .body(let path) = place { [path] } else { [] }
    }

    /// The value, or nil where the response has none.
    func read(from page: PageAnswer) throws -> JSONValue? {
        switch place {
        case .field(let text):
            guard let name = HTTPField.Name(text), let value = page.headerFields[name] else { return nil }
            return .string(value)
        case .body(let path):
            return try page.value(at: path)
        }
    }

    /// The value as a number of items or pages; nil if the response has none, or one below 0, which stands for none.
    ///
    /// - Throws: ``PaginationProblem`` for something that is there and is no whole number.
    func readCount(from page: PageAnswer) throws -> Int? {
        guard let value = try read(from: page), value != .string("") else { return nil }
        guard let count = value.intValue ?? value.stringValue.flatMap({ Int($0) }) else {
            throw PaginationProblem.missing(
                "the number of items or pages at \(name) is \(value.kindInWords) that is no whole number"
            )
        }
        return count >= 0 ? count : nil
    }

    /// The place for messages.
    var name: String {
        switch place {
        case .field(let name): "the field \(name)"
        case .body(let path): path.pathDescription
        }
    }
}
