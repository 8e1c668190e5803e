/// A place between two pages, for fetching the page after it, now or in another process.
///
/// A cursor comes out of a page and goes into the next call. It is a value and `Codable`: store it, and continue from
/// it after a restart.
///
/// ```swift
/// let page = try await shop.products.page(after: cursor)
/// save(page.next)            // nil after the last page
/// ```
///
/// It never holds a credential, nor any other secret of the calls: the client removes those that a server writes into a
/// link, and adds them again when it continues from there. It does hold the tokens and the URL that the server gave for
/// this list, so treat a stored one with the care that the list itself needs.
public struct Cursor: Sendable, Hashable, Codable {
    /// The name of the scheme that made the cursor; another scheme rejects it.
    public let scheme: String

    /// The path of the list, with marks in place of secret values; a list at another path rejects the cursor.
    public let path: String

    /// The number of the page to which it leads, counted from 1 along the walk.
    public let pageNumber: Int

    /// A checksum of the body that asks for the list, secrets left out; another body rejects the cursor.
    ///
    /// Nil for a list whose requests have no body.
    package let body: String?

    /// The number of items before that page; nil if it is not known, as after a step back.
    public let itemsBefore: Int?

    /// The parts of the request for that page that the plain request lacks, without secrets of the client.
    public let request: Paginated.Scheme.Request

    /// Whether the cursor leads to the page that it came from: a walk from there would never end.
    package let repeatsItself: Bool
}

extension Cursor {
    /// Decodes a cursor.
    ///
    /// - Parameter decoder: the decoder of any format.
    /// - Throws: `DecodingError`, also for page and item numbers that no walk reaches.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scheme = try container.decode(String.self, forKey: .scheme)
        path = try container.decode(String.self, forKey: .path)
        body = try container.decodeIfPresent(String.self, forKey: .body)
        pageNumber = try container.decode(Int.self, forKey: .pageNumber)
        itemsBefore = try container.decodeIfPresent(Int.self, forKey: .itemsBefore)
        request = try container.decode(Paginated.Scheme.Request.self, forKey: .request)
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
