/// A place between two pages: what is needed to ask for the page behind it, now or in another process.
///
/// A cursor comes out of a page and goes into the next call. It is a value and `Codable`: store it, and go on from it
/// after a restart.
///
/// ```swift
/// let page = try await shop.products.page(after: saved)
/// saved = page.next            // nil behind the last page
/// ```
///
/// It never holds a credential, nor any other secret of the calls: what a server writes of them into a link is left
/// out, and the client puts it in again when it goes on from there. It does hold what the server gave for this listing
/// (tokens, a URL), so treat a stored one with the care that the listing itself needs.
public struct Cursor: Sendable, Hashable, Codable {
    /// The name of the scheme that made it; another scheme refuses it.
    public let scheme: String

    /// The path that it pages through, with marks in place of secret values; another path refuses it.
    public let path: String

    /// Which page it leads to, counted from 1 along the way that was walked.
    public let pageNumber: Int

    /// How many items lie before that page; nil where that is not known, as after a step back.
    public let itemsBefore: Int?

    /// What the request for that page has that the plain request has not, without secrets of the client.
    public let request: PageRequest

    /// Whether the page that gave this cursor is the one it leads to: going on would never end.
    package let repeatsItself: Bool

    package init(
        scheme: String,
        path: String,
        pageNumber: Int,
        itemsBefore: Int?,
        request: PageRequest,
        repeatsItself: Bool = false
    ) {
        self.scheme = scheme
        self.path = path
        self.pageNumber = pageNumber
        self.itemsBefore = itemsBefore
        self.request = request
        self.repeatsItself = repeatsItself
    }
}

extension Cursor {
    /// Decodes a cursor; numbers that no walk comes to are a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scheme = try container.decode(String.self, forKey: .scheme)
        path = try container.decode(String.self, forKey: .path)
        pageNumber = try container.decode(Int.self, forKey: .pageNumber)
        itemsBefore = try container.decodeIfPresent(Int.self, forKey: .itemsBefore)
        request = try container.decode(PageRequest.self, forKey: .request)
        repeatsItself = try container.decode(Bool.self, forKey: .repeatsItself)
        let limit = Int(clamping: Int64(1) << 53)
        guard (1...limit).contains(pageNumber), (0...limit).contains(itemsBefore ?? 0) else {
            throw DecodingError.dataCorruptedError(
                forKey: .pageNumber,
                in: container,
                debugDescription: "a cursor counts pages from 1 and items from 0, and neither beyond \(limit)"
            )
        }
    }
}

extension Cursor: CustomStringConvertible, CustomReflectable {
    /// The page that it leads to and the scheme; not the token, which may be secret.
    public var description: String { "page \(pageNumber) by \(scheme)" }

    /// The page that it leads to, its path and the scheme; not the token, which may be secret.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "scheme": scheme, "path": path, "pageNumber": pageNumber, "itemsBefore": itemsBefore as Any,
            ],
            displayStyle: .struct
        )
    }
}
