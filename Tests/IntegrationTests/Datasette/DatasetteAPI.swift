import Foundation
import Waybill

/// The Datasette API: a SQLite table, read as JSON and modified through Datasette's own endpoints.
struct DatasetteAPI: API {
    let client: Client

    /// - Parameter token: the token for writing.
    init(_ url: URL, token: String? = nil, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            if let token { Authorization(.bearer(token)) }
            Problem(DatasetteProblem.self)
        }
    }

    /// The rows of the table `item`.
    ///
    /// Each operation has its own path.
    var items: Resource<Item, Rows> {
        resource("shop/item.json") {
            // A single row arrives as a list of one.
            Envelope(itemPath: ["rows", 0], listPath: ["rows"])
            Body.Format(under: "row")
            Paginated(.cursor(at: "next", as: "_next", size: .query("_size", 100), total: .value("count")))
            On(.list) { Query("_extra", "count") }
            On(.read) { GET("shop/item/\(.id).json") }
            On(.create) { POST("shop/item/-/insert") }
            On(.delete) { POST("shop/item/\(.id)/-/delete") }
        }
    }

    /// Returns the rows with a name: at most one.
    func items(named name: String) -> Endpoint<[Item]> {
        items.endpoint {
            GET("\(.resource)")
            Query("name", name)
        }
    }

    /// Returns the rows with certain tags, ordered by a column.
    func search(tags: [String], orderedBy column: String, pageSize: Int) -> Endpoint<[Item]> {
        items.endpoint {
            GET("\(.resource)")
            Query("tag__in", tags, as: .commaSeparated)
            Query("id__lte", 250)
            Query("_sort", column)
            Paginated(.cursor(at: "next", as: "_next", size: .query("_size", pageSize)))
        }
    }

    /// Returns the rows as a plain array; a `Link` field contains the next page's URL.
    func plainItems(pageSize: Int) -> Endpoint<[Item]> {
        endpoint {
            GET("shop/item.json")
            Query("_shape", "array")
            Query("id__lte", 250)
            Paginated(.link(size: .query("_size", pageSize)))
        }
    }

    /// Returns the rows; the body contains the next page's URL.
    func linkedItems(pageSize: Int) -> Endpoint<[Item]> {
        endpoint {
            GET("shop/item.json")
            Query("id__lte", 250)
            Envelope("rows")
            Paginated(.next(at: "next_url", size: .query("_size", pageSize)))
        }
    }

    /// Returns the rows as JSON Lines: one JSON object per line.
    func lines(count: Int) -> Endpoint<Data> {
        endpoint {
            GET("shop/item.json")
            Query("_shape", "array")
            Query("_nl", "on")
            Query("_size", count)
        }
    }

    /// Inserts several rows and returns them.
    ///
    /// If the database rejects one, none is inserted.
    func insert(_ rows: [Item.Draft]) -> Endpoint<[Item]> {
        items.endpoint {
            POST("shop/item/-/insert")
            Body(unwrapped: Insert(rows: rows))
        }
    }

    /// Changes a row and returns the complete row.
    func update(_ id: Item.ID, _ changes: Item.Patch) -> Endpoint<Item> {
        items.endpoint {
            POST("shop/item/\(id)/-/update")
            Body(unwrapped: Update(update: changes))
        }
    }

    // Without `return`, the server responds only with `{"ok": true}`.

    private struct Insert: Encodable, Sendable {
        let rows: [Item.Draft]
        let `return` = true
    }

    private struct Update: Encodable, Sendable {
        let update: Item.Patch
        let `return` = true
    }
}

extension DatasetteAPI {
    /// The operations on the rows of a table.
    enum Rows: Listable, Readable, Creatable, Deletable {}

    struct Item: Entity, Equatable {
        let id: Int
        var name: String
        var price: Double?
        var tag: String?

        struct Draft: Encodable, Sendable {
            var name: String
            var price: Double?
            var tag: String?
        }

        struct Patch: Encodable, Sendable {
            var name: String?
            var price: Nullable<Double> = .absent
        }
    }
}

/// The body of a failed Datasette response.
struct DatasetteProblem: Decodable, Sendable {
    let status: Int
    let error: String
    let errors: [String]
}
