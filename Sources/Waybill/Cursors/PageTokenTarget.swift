/// Where a token goes in the request for the next page.
///
/// Written as text it is a query item; the others are named:
///
/// ```swift
/// as: "after"
/// as: .field("X-Continuation")
/// as: .body("paging", "token")
/// ```
public struct PageTokenTarget: Sendable, Hashable, ExpressibleByStringLiteral {
    private enum Place: Hashable {
        case query(String)
        case field(String)
        case body([String])
    }

    private let place: Place

    private init(_ place: Place) { self.place = place }

    /// A query item of that name.
    public init(stringLiteral name: String) { self.init(.query(name)) }

    /// A query item of that name.
    public static func query(_ name: String) -> Self { Self(.query(name)) }

    /// A header field of that name.
    public static func field(_ name: String) -> Self { Self(.field(name)) }

    /// A key of the JSON body, below the keys before it.
    public static func body(_ key: String, _ keys: String...) -> Self { Self(.body([key] + keys)) }

    /// The text of the target, for the name of a scheme.
    var name: String {
        switch place {
        case .query(let name): name
        case .field(let name): "field \(name)"
        case .body(let keys): "body \(keys.joined(separator: "."))"
        }
    }

    /// The request that carries a token there.
    func request(with token: JSONValue, beside other: PageRequest) -> PageRequest {
        var request = other
        let text = token.stringValue ?? token.description
        switch place {
        case .query(let name): request.query[name] = text
        case .field(let name): request.headerFields[name] = text
        case .body(let keys): request.body = keys.reversed().reduce(token) { value, key in .object([key: value]) }
        }
        return request
    }
}
