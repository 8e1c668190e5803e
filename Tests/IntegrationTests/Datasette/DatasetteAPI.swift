import Foundation
import Waybill

/// The API of Datasette: a table of a SQLite database, read as JSON and written by Datasette's own verbs.
struct DatasetteAPI: API {
    let client: Client

    /// - Parameter token: the token for writing.
    init(_ url: URL, token: String? = nil, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            if let token { Authorization(.bearer(token)) }
            Problem(DatasetteProblem.self)
        }
    }

    /// The rows of the table `item`: every operation has a path of its own.
    var items: Resource<Item, Rows> {
        resource("shop/item.json") {
            // A single row comes as a list of one.
            Envelope(itemPath: ["rows", 0], listPath: ["rows"])
            Body.Format(under: "row")
            Paginated(.cursor(at: "next", as: "_next", size: .query("_size", 100), total: .value("count")))
            On(.list) { Query("_extra", "count") }
            On(.read) { GET("shop/item/\(.id).json") }
            On(.create) { POST("shop/item/-/insert") }
            On(.delete) { POST("shop/item/\(.id)/-/delete") }
        }
    }

    /// Returns the rows with a name: one or none.
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

    /// Returns the rows as a plain array, whose next page a `Link` field names.
    func plainItems(pageSize: Int) -> Endpoint<[Item]> {
        endpoint {
            GET("shop/item.json")
            Query("_shape", "array")
            Query("id__lte", 250)
            Paginated(.link(size: .query("_size", pageSize)))
        }
    }

    /// Returns the rows, whose next page a URL in the body names.
    func linkedItems(pageSize: Int) -> Endpoint<[Item]> {
        endpoint {
            GET("shop/item.json")
            Query("id__lte", 250)
            Envelope("rows")
            Paginated(.next(at: "next_url", size: .query("_size", pageSize)))
        }
    }

    /// Returns the rows as the server writes them: one JSON object a line.
    func lines(count: Int) -> Endpoint<Data> {
        endpoint {
            GET("shop/item.json")
            Query("_shape", "array")
            Query("_nl", "on")
            Query("_size", count)
        }
    }

    /// Inserts several rows and returns them; if the database rejects one, it inserts none.
    func insert(_ rows: [Item.Draft]) -> Endpoint<[Item]> {
        items.endpoint {
            POST("shop/item/-/insert")
            Body(unwrapped: Insert(rows: rows))
        }
    }

    /// Changes a row and returns the whole of it.
    func update(_ id: Item.ID, _ changes: Item.Patch) -> Endpoint<Item> {
        items.endpoint {
            POST("shop/item/\(id)/-/update")
            Body(unwrapped: Update(update: changes))
        }
    }

    // Unless a request asks for the rows, the server responds only with `{"ok": true}`.

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

/// The body of a failure of Datasette.
struct DatasetteProblem: Decodable, Sendable {
    let status: Int
    let error: String
    let errors: [String]
}
