import Foundation
import Waybill

/// An API built with Django REST framework: one list of items, paginated in each of the framework's three styles.
struct DjangoAPI: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) { Style.djangoREST }
    }

    /// Items in numbered pages, each with the URL of the next page: the framework's `PageNumberPagination`.
    var items: Resource<Item, ReadWrite> { resource("page/") }

    /// The same items, by page numbers that the client counts.
    func numberedItems(pageSize: Int) -> Resource<Item, ReadOnly> {
        resource("page/") {
            Paginated(.pageNumber("page", size: .query("page_size", pageSize), total: .value("count")))
        }
    }

    /// The same items, by offset and limit: `LimitOffsetPagination`.
    func offsetItems(pageSize: Int) -> Resource<Item, ReadOnly> {
        resource("offset/") {
            Paginated(.offset("offset", size: .query("limit", pageSize), total: .value("count")))
        }
    }

    /// The same items, newest first, with opaque cursors: `CursorPagination`.
    var newestItems: Resource<Item, ReadOnly> { resource("cursor/") }

    /// Returns the item; nil if the server still has the version with the tag.
    func item(_ id: Item.ID, unlessTagged tag: String?) -> Endpoint<Item?> {
        items.endpoint {
            GET("page/\(id)/")
            Header(.ifNoneMatch, tag)
            Success(.success, 304)
        }
    }

    /// Returns the items of the first page; nil if the server still has the version with the tag.
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

    /// Returns the items that only users can see.
    ///
    /// The list is not paginated, so it is the body itself.
    func privateItems(token: String?) -> Resource<Item, ReadOnly> {
        resource("private/") {
            Envelope.none
            if let token { Authorization(.scheme("Token", token)) }
        }
    }

    /// A list that allows three requests a minute.
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
        /// A decimal, which Django encodes as text: `"12.50"`.
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
