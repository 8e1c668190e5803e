import Foundation
import Waybill

/// An API made with Django REST framework: one list of items, paged in each of the framework's three ways.
struct DjangoAPI: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) { Style.djangoREST }
    }

    /// Items by numbered pages, each with the URL of the next: the framework's `PageNumberPagination`.
    var items: Resource<Item, ReadWrite> { resource("page/") }

    /// Returns the same items, by page numbers that the client counts itself.
    func numberedItems(pageSize: Int) -> Resource<Item, ReadOnly> {
        resource("page/") {
            Paginated(.pageNumber("page", size: .query("page_size", pageSize), total: .value("count")))
        }
    }

    /// Returns the same items, by offset and limit: `LimitOffsetPagination`.
    func offsetItems(pageSize: Int) -> Resource<Item, ReadOnly> {
        resource("offset/") {
            Paginated(.offset("offset", size: .query("limit", pageSize), total: .value("count")))
        }
    }

    /// The same items, the newest first, by cursors that only the server can read: `CursorPagination`.
    var newestItems: Resource<Item, ReadOnly> { resource("cursor/") }

    /// Returns the item, unless the server still has the version with that tag.
    func item(_ id: Item.ID, unlessTagged tag: String?) -> Endpoint<Item?> {
        items.endpoint {
            GET("page/\(id)/")
            Header(.ifNoneMatch, tag)
            Success(.success, 304)
        }
    }

    /// Returns the items of the first page, unless the server still has the version with that tag.
    func firstItems(unlessTagged tag: String?) -> Endpoint<[Item]?> {
        items.endpoint {
            GET("\(.resource)")
            Query("page_size", 5)
            Header(.ifNoneMatch, tag)
            Success(.success, 304)
        }
    }

    /// Returns a token for a user.
    func token(user: String, password: String) -> Endpoint<String> {
        endpoint {
            POST("token/")
            Body(["username": user, "password": password])
            Envelope("token")
        }
    }

    /// Returns the items that only users see.
    ///
    /// The list is not paged, so it is the body itself.
    func privateItems(token: String?) -> Resource<Item, ReadOnly> {
        resource("private/") {
            Envelope.none
            if let token { Authorization(.scheme("Token", token)) }
        }
    }

    /// A list that may be asked for three times a minute.
    var throttledItems: Endpoint<[Item]> {
        endpoint {
            GET("throttled/")
            Envelope.none
        }
    }
}

extension DjangoAPI {
    struct Item: Entity, Equatable {
        let id: Int
        var name: String
        /// A decimal, which Django writes as text: `"12.50"`.
        var price: String
        let created: Date
        var doc: URL?

        struct Draft: Encodable, Sendable {
            var name: String
            var price: String
        }

        struct Patch: Encodable, Sendable {
            var name: String?
            var price: String?
        }
    }
}
