import WaybillSystem

/// A credential that goes into a request below redirects, because it belongs to the URL that is asked.
///
/// It is kept apart from the request's URL and header fields, so that no text and no redirect has it.
package enum RequestCredential: Sendable, Hashable {
    /// An item of the query.
    case query(name: String, value: String)
    /// A user and a password, with another response to each challenge.
    case digest(user: String, password: String)

    /// The part of it that texts leave out.
    package var secrets: [String] {
        switch self {
        case .query(_, let value): [value, PercentEncoding.encode(value)]
        case .digest(_, let password): [password]
        }
    }
}

extension RequestCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Redaction.mark }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension URL {
    /// Returns the URL with a query item in place of all of that name; nil if the result is not a URL.
    package func settingQuery(_ name: String, _ value: String) -> URL? {
        let text = textWithoutFragment
        let start = text.firstIndex(of: "?") ?? text.endIndex
        let kept = text[start...].dropFirst().split(separator: "&", omittingEmptySubsequences: false).filter { item in
            let itemName = item.prefix { $0 != "=" }
            return !item.isEmpty && !(PercentEncoding.decode(itemName) ?? String(itemName)).hasSameBytes(as: name)
        }
        let item = "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
        return URL(string: text[..<start] + "?" + (kept + [Substring(item)]).joined(separator: "&"))
    }
}
