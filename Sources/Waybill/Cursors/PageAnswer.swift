import Foundation

/// What a pagination scheme sees of a page that came: the request that asked for it, its head, and its body by path.
public struct PageAnswer {
    /// What the request for this page had beyond the plain one.
    public let request: PageRequest

    /// The URL that answered; its texts leave secrets out, and ``HTTPURL/value`` is the URL itself.
    public let url: HTTPURL

    /// Which page this is, counted from 1.
    public let number: Int

    /// How many items came before this page; nil where that is not known, as after a step back.
    public let itemsBefore: Int?

    /// How many items are on this page, dropped ones included.
    public let itemCount: Int

    /// How many items the request asked for, where the scheme names the query item that says so.
    public let size: Int?

    /// The header fields of the response.
    public let headerFields: HTTPFields

    private let listPath: [EnvelopeKey]
    private let lookUp: ([EnvelopeKey]) throws -> JSONValue?

    package init(
        request: PageRequest,
        url: HTTPURL,
        number: Int,
        itemsBefore: Int?,
        itemCount: Int,
        size: Int?,
        headerFields: HTTPFields,
        listPath: [EnvelopeKey],
        lookUp: @escaping ([EnvelopeKey]) throws -> JSONValue?
    ) {
        self.request = request
        self.url = url
        self.number = number
        self.itemsBefore = itemsBefore
        self.itemCount = itemCount
        self.size = size
        self.headerFields = headerFields
        self.listPath = listPath
        self.lookUp = lookUp
    }

    /// The value at a path of the body, or nil where there is none or null.
    ///
    /// - Throws: what the decoder throws for a value that it cannot read.
    public func value(at path: EnvelopeKey...) throws -> JSONValue? { try value(at: path) }

    /// The value at a path of the body, or nil where there is none or null.
    ///
    /// - Throws: what the decoder throws for a value that it cannot read.
    public func value(at path: [EnvelopeKey]) throws -> JSONValue? {
        guard let value = try lookUp(path), value != .null else { return nil }
        return value
    }

    /// A value of the last item on the page, or nil where the page is empty or the item has none.
    ///
    /// - Throws: what the decoder throws for a value that it cannot read.
    public func lastItem(_ path: EnvelopeKey...) throws -> JSONValue? { try lastItem(path) }

    package func lastItem(_ path: [EnvelopeKey]) throws -> JSONValue? {
        itemCount == 0 ? nil : try value(at: listPath + [.index(-1)] + path)
    }
}
