import Foundation
import Waybill

/// A page of a mock server's list, with the metadata that the declared scheme needs to find the next page.
struct MockPage {
    let values: [JSONValue]
    private(set) var members: [(path: [EnvelopeKey], value: JSONValue)] = []
    private(set) var headerFields: [(name: String, value: String)] = []

    /// Creates the requested page.
    ///
    /// - Parameters:
    ///   - all: the entities.
    ///   - request: the request.
    ///   - document: the body of the request; nil if it has none.
    ///   - scheme: the declared scheme.
    ///   - startsOver: whether a page past the end is the first one.
    ///   - linkOrigin: the origin of the links to other pages; empty for relative links.
    init(
        _ all: [JSONValue],
        _ request: ReceivedRequest,
        _ document: JSONValue?,
        _ scheme: Paginated.Scheme.Kind,
        startsOver: Bool,
        linkOrigin: String
    ) {
        let size = Self.size(request, document, scheme)
        var start = min(max(Self.start(all, request, document, scheme, size: size), 0), all.count)
        if startsOver, start == all.count { start = 0 }
        let end = min(start + size, all.count)
        values = Array(all[start..<end])
        let hasNext = end < all.count
        let link = linkOrigin + Self.link(request, end)
        switch scheme {
        case .pageNumber(_, _, _, let total, let pageCount):
            set(total, .integer(all.count))
            set(pageCount, .integer((all.count + size - 1) / size))
        case .offset(_, _, _, let total):
            set(total, .integer(all.count))
        case .cursor(let token, _, _, _, let hasMore, let total):
            set(token, hasNext ? .string("after-\(end)") : .null)
            set(hasMore, .bool(hasNext))
            set(total, .integer(all.count))
        case .after(_, _, _, let hasMore, let total):
            set(hasMore, .bool(hasNext))
            set(total, .integer(all.count))
        case .links(let rel, _, let total):
            set(total, .integer(all.count))
            if hasNext { headerFields.append(("Link", "<\(link)>; rel=\"\(rel)\"")) }
        case .next(let place, _, _, _, let total):
            set(total, .integer(all.count))
            set(place, hasNext ? .string(link) : .null)
        case .custom: break
        }
    }

    /// The name of the query item that contains the offset in generated links.
    static let offsetName = "mock-offset"
    private static let usualSize = 20

    private static func size(_ request: ReceivedRequest, _ document: JSONValue?, _ scheme: Paginated.Scheme.Kind) -> Int
    {
        let size: Paginated.Scheme.Size? =
            switch scheme {
            case .pageNumber(_, _, let size, _, _), .offset(_, _, let size, _), .cursor(_, _, _, let size, _, _),
                .after(_, _, let size, _, _), .links(_, let size, _), .next(_, _, _, let size, _):
                size
            case .custom: nil
            }
        let asked =
            size.map { number(request, document, $0.target) } ?? usualSize(in: request, document)
        // Limits the requested size, so adding an offset cannot overflow.
        let largest = Int.max / 2
        if case .custom = scheme { return largest }
        return min(max(asked ?? size?.count ?? usualSize, 1), largest)
    }

    /// Returns the page size that a request sends under a common name, for schemes that declare none.
    private static func usualSize(in request: ReceivedRequest, _ document: JSONValue?) -> Int? {
        func isSize(_ name: String) -> Bool { sizeNames.contains(name.lowercased().filter { $0.isLetter }) }
        let item = request.queryItems.first { isSize($0.name) }?.value
        let member = document?.objectValue?.sorted { $0.key < $1.key }.first { isSize($0.key) }?.value
        return item.flatMap { Int($0) } ?? member.flatMap { $0.intValue ?? $0.stringValue.flatMap { Int($0) } }
    }

    private static let sizeNames: Set = [
        "limit", "size", "count", "first", "top", "rows", "take", "pagesize", "perpage", "pagelimit", "maxresults",
        "maxitems", "maxkeys", "resultsperpage", "itemsperpage",
    ]

    private static func start(
        _ all: [JSONValue],
        _ request: ReceivedRequest,
        _ document: JSONValue?,
        _ scheme: Paginated.Scheme.Kind,
        size: Int
    ) -> Int {
        switch scheme {
        case .pageNumber(let target, let start, _, _, _):
            steps(to: number(request, document, target) ?? start, from: start, of: size)
        case .offset(let target, let start, _, _):
            steps(to: number(request, document, target) ?? start, from: start, of: 1)
        case .cursor(_, let target, _, _, _, _):
            token(request, document, target)?.stringValue.flatMap { Int($0.dropFirst("after-".count)) } ?? 0
        case .after(let path, let target, _, _, _):
            token(request, document, target).flatMap { token in
                all.firstIndex { $0.value(at: path)?.plainText == token.plainText }.map { $0 + 1 }
            } ?? 0
        case .links, .next: request.query(offsetName).flatMap { Int($0) } ?? 0
        case .custom: 0
        }
    }

    /// Returns the number of items before a page, or `Int.max` on overflow.
    private static func steps(to number: Int, from start: Int, of size: Int) -> Int {
        guard number > start else { return 0 }
        let (count, isTooFar) = number.subtractingReportingOverflow(start)
        let (items, isTooMany) = count.multipliedReportingOverflow(by: size)
        return isTooFar || isTooMany ? .max : items
    }

    private static func number(
        _ request: ReceivedRequest,
        _ document: JSONValue?,
        _ target: Paginated.Scheme.Target
    ) -> Int? {
        token(request, document, target).flatMap { $0.intValue ?? $0.stringValue.flatMap { Int($0) } }
    }

    private static func token(
        _ request: ReceivedRequest,
        _ document: JSONValue?,
        _ target: Paginated.Scheme.Target
    ) -> JSONValue? {
        switch target.place {
        case .query(let name): request.query(name).map(JSONValue.string)
        case .field(let name): HTTPField.Name(name).flatMap { request.headerFields[$0] }.map(JSONValue.string)
        case .body(let path): document?.value(at: path)
        }
    }

    private static func link(_ request: ReceivedRequest, _ offset: Int) -> String {
        let others = EncodedItem.all(in: request.query ?? "").filter { $0.name != offsetName }
        return request.path + "?" + (others + [EncodedItem("\(offsetName)=\(offset)")]).encodedText
    }

    private mutating func set(_ source: Paginated.Scheme.Source?, _ value: JSONValue) {
        switch source?.place {
        case .field(let name)?: if !value.isNull { headerFields.append((name, value.plainText)) }
        case .body(let path)?: members.append((path, value))
        case nil: break
        }
    }
}
