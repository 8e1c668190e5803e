import Foundation
import Waybill

/// The parts of a recorded URL, which need not be a valid one: a mark may stand in place of a secret.
struct RecordedURL: Hashable {
    struct Item: Hashable {
        var name: String
        var value: String
    }

    /// The scheme and the authority.
    var origin: String
    /// The segments of the path, percent-decoded.
    var path: [String]
    /// The items of the query in their order, percent-decoded.
    var query: [Item]

    init(_ text: String) {
        let text = text.prefix { $0 != "#" }
        let authority = text.firstRange(ofBytes: "//")?.upperBound ?? text.startIndex
        let pathStart = text[authority...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        let pathEnd = text[pathStart...].firstIndex(of: "?") ?? text.endIndex
        origin = text[..<pathStart].lowercased()
        // Without a path it is the root (RFC 9110, section 4.2.3).
        let path = pathStart == pathEnd ? "/" : text[pathStart..<pathEnd]
        self.path = path.split(separator: "/", omittingEmptySubsequences: false).map(Self.decoded)
        query = Self.items(text[pathEnd...].dropFirst())
    }

    /// Returns the items of a query or a form.
    static func items(_ text: some StringProtocol) -> [Item] {
        Substring(text).split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Item(
                name: decoded(parts.first ?? ""),
                value: parts.count > 1 ? decoded(parts[1]) : ""
            )
        }
    }

    private static func decoded(_ text: Substring) -> String { PercentEncoding.decode(text) ?? String(text) }
}
