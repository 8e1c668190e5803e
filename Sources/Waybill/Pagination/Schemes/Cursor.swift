/// A reference to a page of a list, used to fetch that page now or in another process.
///
/// A page provides the cursors of the next and previous pages. Cursors are `Codable`, so an app can store one and
/// continue from it after a restart.
///
/// ```swift
/// let page = try await shop.products.page(at: cursor)
/// save(page.next)            // nil after the last page
/// ```
///
/// An app can also create a cursor: ``start`` for any list, ``page(_:size:)`` for a list with numbered pages, and
/// ``offset(_:size:)`` for a list with offsets.
///
/// A cursor never contains credentials or other secrets: the client removes any that a server includes in a link, and
/// adds them again when it follows the cursor. A cursor does contain the server's tokens and URLs for the list, so
/// protect stored cursors like the list itself.
public struct Cursor: Sendable, Hashable, Codable {
    /// The name of the scheme that created the cursor; other schemes reject it.
    ///
    /// For a cursor created by the app, the required kind of scheme: `pageNumber`, `offset`, or `start` for any.
    public let scheme: String

    /// The path of the list, with placeholders for secret values; a list at a different path rejects the cursor.
    ///
    /// Empty for a cursor created by the app, which is valid for any list with a matching scheme.
    public let path: String

    /// The number of the page, counted from 1.
    public let pageNumber: Int

    /// A checksum of the request body, without secrets; a request with a different body rejects the cursor.
    ///
    /// Nil if the list's requests have no body.
    package let body: String?

    /// The checksums of the request's declared query items by name, excluding items that select a page or its size; a
    /// request with different items rejects the cursor.
    ///
    /// Nil for a cursor created by an earlier version of Waybill, which is valid for any query.
    package let filters: [String: String]?

    /// A checksum of the ids on the first page, used to detect a list that starts over; nil if unknown.
    package let beginning: String?

    /// The number of items before the page; nil if unknown, for example after a step back.
    public let itemsBefore: Int?

    /// The additions to the list's request that select the page, without the client's secrets.
    public let request: Paginated.Scheme.Request

    /// Whether the cursor refers to the page that contained it, so that following it would loop.
    package let repeatsItself: Bool

    /// The position, if the app created the cursor; nil for a cursor from a page.
    package private(set) var position: Position?

    /// The page size that the app requested for this walk; nil for the declared one.
    package private(set) var size: Int?

    init(
        scheme: String,
        path: String,
        pageNumber: Int,
        body: String?,
        filters: [String: String]?,
        beginning: String? = nil,
        itemsBefore: Int?,
        request: Paginated.Scheme.Request,
        repeatsItself: Bool,
        size: Int? = nil
    ) {
        self.scheme = scheme
        self.path = path
        self.pageNumber = min(max(pageNumber, 1), Self.largestCount)
        self.body = body
        self.filters = filters
        self.beginning = beginning
        self.itemsBefore = itemsBefore
        self.request = request
        self.repeatsItself = repeatsItself
        self.size = size
    }

    /// The largest page number and item count in a cursor; JSON numbers above it lose precision.
    private static let largestCount = Int(clamping: Int64(1) << 53)
}

extension Cursor {
    /// A position in a list, chosen by the app.
    package struct Position: Sendable, Hashable, Codable {
        /// The meaning of the number.
        package enum Unit: String, Sendable, Hashable, Codable {
            /// The start of the list; the number is 1 and has no meaning.
            case start
            case pageNumber
            case offset
        }

        package let unit: Unit
        package let number: Int
    }

    /// The start of a list: its first page, or the page at which the scheme starts.
    public static let start = Cursor(Position(unit: .start, number: 1), size: nil)

    /// The cursor; nil for ``start``, which a request omits.
    var afterStart: Cursor? { position?.unit == .start ? nil : self }

    /// Returns a cursor for the page with the given number, as counted by the server.
    ///
    /// ```swift
    /// let third = try await shop.products.page(at: .page(3))
    /// for try await page in shop.products.pages(from: .page(3, size: 20)) { show(page.items) }
    /// ```
    ///
    /// A list whose scheme is not
    /// ``Paginated/Scheme/pageNumber(_:startingAt:size:total:pageCount:endsAtShortPage:startsOver:)`` rejects the
    /// cursor with a declaration error, as does a list whose first page has a larger number; nothing is sent. If the
    /// number is past the last page and the server accepts it, the page has no items.
    ///
    /// - Parameters:
    ///   - number: the number of the page.
    ///   - size: the number of items on this page and the following ones, at least 1; nil for the declared size. If the
    ///     scheme declares no size, any other value is a declaration error.
    /// - Returns: the cursor.
    public static func page(_ number: Int, size: Int? = nil) -> Cursor {
        Cursor(Position(unit: .pageNumber, number: number), size: size)
    }

    /// Returns a cursor for the page that begins at the given offset.
    ///
    /// ```swift
    /// let rest = try await shop.products.all(from: .offset(40)).collect()
    /// ```
    ///
    /// A list whose scheme is not ``Paginated/Scheme/offset(_:startingAt:size:total:endsAtShortPage:startsOver:)``
    /// rejects the cursor with a declaration error, as does a list whose first offset is larger; nothing is sent.
    ///
    /// - Parameters:
    ///   - offset: the offset of the first item.
    ///   - size: the number of items on this page and the following ones, at least 1; nil for the declared size. If the
    ///     scheme declares no size, any other value is a declaration error.
    /// - Returns: the cursor.
    public static func offset(_ offset: Int, size: Int? = nil) -> Cursor {
        Cursor(Position(unit: .offset, number: offset), size: size)
    }

    private init(_ position: Position, size: Int?) {
        self.init(
            scheme: position.unit.rawValue,
            path: "",
            pageNumber: position.unit == .pageNumber ? position.number : 1,
            body: nil,
            filters: nil,
            itemsBefore: nil,
            request: Paginated.Scheme.Request(),
            repeatsItself: false,
            size: size
        )
        self.position = position
    }
}

extension Cursor {
    /// Decodes a cursor.
    ///
    /// - Parameter decoder: a decoder of any format.
    /// - Throws: `DecodingError` if the data is invalid, or if the page number or the item count is out of range.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scheme = try container.decode(String.self, forKey: .scheme)
        path = try container.decode(String.self, forKey: .path)
        body = try container.decodeIfPresent(String.self, forKey: .body)
        filters = try container.decodeIfPresent([String: String].self, forKey: .filters)
        beginning = try container.decodeIfPresent(String.self, forKey: .beginning)
        pageNumber = try container.decode(Int.self, forKey: .pageNumber)
        itemsBefore = try container.decodeIfPresent(Int.self, forKey: .itemsBefore)
        request = try container.decode(Paginated.Scheme.Request.self, forKey: .request)
        repeatsItself = try container.decode(Bool.self, forKey: .repeatsItself)
        position = try container.decodeIfPresent(Position.self, forKey: .position)
        size = try container.decodeIfPresent(Int.self, forKey: .size)
        let limit = Self.largestCount
        guard (1...limit).contains(pageNumber), (0...limit).contains(itemsBefore ?? 0) else {
            throw DecodingError.dataCorruptedError(
                forKey: .pageNumber,
                in: container,
                debugDescription: "a cursor counts pages from 1 and items from 0, and neither beyond \(limit)"
            )
        }
    }
}

extension Cursor: CustomStringConvertible, PartlyShown {
    /// The page and the scheme; the token is omitted because it may be secret.
    public var description: String {
        switch position?.unit {
        case .start: "the first page"
        case .offset: "the page at offset \(position?.number ?? 0)"
        case .pageNumber: "page \(pageNumber)"
        case nil: "page \(pageNumber) by \(scheme)"
        }
    }

    /// The page, the path and the scheme; the token is omitted because it may be secret.
    package var shownParts: KeyValuePairs<String, Any> {
        ["scheme": scheme, "path": path, "pageNumber": pageNumber, "itemsBefore": itemsBefore as Any]
    }
}
