import CallSupport
import Foundation
import Waybill
import WaybillTesting

/// Texts for bodies that do not match the declared type.
extension FailureTextTests {
    struct Post: Decodable, Sendable { let createdAt: Date }

    struct SnakePost: Decodable, Sendable {
        let date: Int

        enum CodingKeys: String, CodingKey { case date = "created_at" }
    }

    static let decodingRows = [
        Row(
            "decoding: metadata",
            """
            GET products/{} returned 200 OK, but its body does not decode as Complaint
              https://shop.example/v1/products/7
              line 1, column 1: the key "meta" is missing; there are "id" and "name"
                  {"id":7,"name":"L"}
                  ^~~~~~~~~~~~~~~~~~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"id":7,"name":"L"}"#)) { Metadata(Complaint.self, at: "meta") }.products.read(7)
        },
        Row(
            "decoding: a wrong type",
            """
            GET products returned 200 OK, but its body does not decode as [Product]
              https://shop.example/v1/products
              data[1].price (line 3, column 33): expected a number (Decimal), found the string "12 €"
                      {"id":2,"name":"M","price": "12 €"}]}
                                                  ^~~~~~
            """
        ) { () async throws(APIError) in
            let body = "{\"data\":[\n {\"id\":1,\"name\":\"L\"},\n    {\"id\":2,\"name\":\"M\",\"price\": \"12 €\"}]}"
            _ = try await shop(.json(body)) { Envelope("data") }.products.list()
        },
        Row(
            "decoding: an object where an array was declared",
            """
            GET products returned 200 OK, but its body does not decode as [Product]
              https://shop.example/v1/products
              line 1, column 1: expected an array, found an object with 2 keys
                  {"total":1,"items":[]}
                  ^~~~~~~~~~~~~~~~~~~~~~
              "items" holds an array; declare Envelope("items")
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"total":1,"items":[]}"#)).products.list()
        },
        Row(
            "decoding: a list without the envelope that its pages have",
            """
            GET products returned 200 OK, but its body does not decode as [Product]
              https://shop.example/v1/products
              line 1, column 1: expected an object, found an array of 1 element
                  [{"id":1,"name":"L"}]
                  ^~~~~~~~~~~~~~~~~~~~~
              the list has no envelope; if the server wraps pages only, call page(), or list() with Envelope.none
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"[{"id":1,"name":"L"}]"#)) {
                Envelope("items")
                Paginated(.pageNumber())
            }.products.list()
        },
        Row(
            "decoding: a list without the envelope that is declared",
            """
            GET products returned 200 OK, but its body does not decode as [Product]
              https://shop.example/v1/products
              line 1, column 1: expected an object, found an array of 1 element
                  [{"id":1,"name":"L"}]
                  ^~~~~~~~~~~~~~~~~~~~~
              the list has no envelope; declare Envelope.none
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"[{"id":1,"name":"L"}]"#)) { Envelope("items") }.products.list()
        },
        Row(
            "decoding: an object with several arrays, behind an envelope",
            """
            GET products returned 200 OK, but its body does not decode as [Product]
              https://shop.example/v1/products
              data (line 1, column 9): expected an array, found an object with 2 keys
                  {"data":{"rows":[],"meta":{"tags":[]}}}
                          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
              "data.rows", "data.meta.tags" hold arrays; declare Envelope("data", "rows") or Envelope("data", "meta", "tags")
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"data":{"rows":[],"meta":{"tags":[]}}}"#)) { Envelope("data") }.products.list()
        },
        Row(
            "decoding: an object where an element's array was declared, which no envelope mends",
            """
            GET a returned 200 OK, but its body does not decode as [[Int]]
              https://shop.example/v1/a
              [0] (line 1, column 2): expected an array, found an object with 1 key
                  [{"items":[]}]
                   ^~~~~~~~~~~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"[{"items":[]}]"#)).client.get("a", as: [[Int]].self)
        },
        Row(
            "decoding: a date, which is shown once beside the excerpt",
            """
            GET a returned 200 OK, but its body does not decode as Date
              https://shop.example/v1/a
              line 1, column 1: the string "2026-13-01" is not an ISO 8601 date such as 2026-05-01T12:00:00Z
                  "2026-13-01"
                  ^~~~~~~~~~~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#""2026-13-01""#)).client.get("a", as: Date.self)
        },
        Row(
            "decoding: a body merged over what was sent",
            """
            POST products returned 200 OK, but the sent value merged with its body does not decode as Product
              https://shop.example/v1/products
              id (line 1, column 7): expected an integer (Int), found the string "x"
                  {"id":"x","name":"L","password":‹redacted›}
                        ^~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"id":"x","password":"hunter2"}"#)) { WriteResult(.merged) }
                .products.create(.init(name: "L"))
        },
        Row(
            "decoding: no body to be merged over what was sent",
            """
            POST products returned 204 No Content without a body, and the sent value does not decode as Product
              https://shop.example/v1/products
              line 1, column 1: the key "id" is missing; there is only "name"
                  {"name":"L"}
                  ^~~~~~~~~~~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(204)) { WriteResult(.merged) }.products.create(.init(name: "L"))
        },
        Row(
            "decoding: a batch merged over what was sent",
            """
            POST products returned 200 OK, but the sent value merged with its body does not decode as [Product]
              https://shop.example/v1/products
              [0].id (line 1, column 8): expected an integer (Int), found the string "x"
                  [{"id":"x","name":"L"}]
                         ^~~
            """
        ) { () async throws(APIError) in
            enum Bulk: BatchCreatable {}
            let products: Resource<Product, Bulk> = shop(.json(#"{"data":[{"id":"x"}]}"#)).resource("products") {
                WriteResult.ItemProblem(Complaint.self, at: "error")
                Envelope("data")
                WriteResult(.merged)
            }
            _ = try await products.create([.init(name: "L")])
        },
        Row(
            "decoding: a key that is nearly there",
            """
            GET products/{} returned 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              data (line 1, column 9): the key "name" is missing; did you mean "Name"?
                  {"data":{"id":7,"Name":"L"}}
                          ^~~~~~~~~~~~~~~~~~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"data":{"id":7,"Name":"L"}}"#)) { Envelope("data") }.products.read(7)
        },
        Row(
            "decoding: a missing envelope",
            """
            GET products/{} returned 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              line 1, column 1: the key "data" is missing; did you mean "date"?
                  {"date":{"id":7,"name":"L"}}
                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
              no key of the body is the "data" of Envelope; declare Envelope("date"), or Envelope.none for a body \
            without an envelope
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"date":{"id":7,"name":"L"}}"#)) { Envelope("data") }.products.read(7)
        },
        Row(
            "decoding: a body that is not JSON",
            """
            GET products/{} returned 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              the body is an HTML page and not JSON; the URL may be wrong; for the page, declare `String`
                Sign in to the shop
            """,
            read(.text("<html>\n<head><title>Sign in\n to the shop</title>", headers: html))
        ),
        Row(
            "decoding: an HTML page that is called JSON",
            """
            GET products/{} returned 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              the body is an HTML page and not JSON, although it is labeled application/json; the URL may be wrong, \
            or a proxy answered; for its bytes, declare `Data`
                Shop
            """,
            read(.json(" <!DOCTYPE html><html><head><title>Shop</title>"))
        ),
        Row(
            "decoding: keys in snake case",
            """
            GET a returned 200 OK, but its body does not decode as Post
              https://shop.example/v1/a
              line 1, column 1: the key "createdAt" is missing; did you mean "created_at"?
                  {"created_at":1}
                  ^~~~~~~~~~~~~~~~
              declare Decode(keys: .convertFromSnakeCase) for keys such as "created_at"
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"created_at":1}"#)).client.get("a", as: Post.self)
        },
        Row(
            "decoding: a coding key in snake case, where keys are converted",
            """
            GET a returned 200 OK, but its body does not decode as SnakePost
              https://shop.example/v1/a
              line 1, column 1: the key "created_at" is missing; did you mean "created_at"?
                  {"created_at":1}
                  ^~~~~~~~~~~~~~~~
              Decode(keys:) converts "created_at" before coding keys are compared; call the coding key "createdAt"
            """
        ) { () async throws(APIError) in
            let client = shop(.json(#"{"created_at":1}"#)) { Decode(keys: .convertFromSnakeCase) }.client
            _ = try await client.get("a", as: SnakePost.self)
        },
        Row(
            "decoding: a number as date",
            """
            GET a returned 200 OK, but its body does not decode as Post
              https://shop.example/v1/a
              createdAt (line 1, column 14): expected a date, found the number 1777636800; declare Decode(dates: .secondsSince1970)
                  {"createdAt":1777636800}
                               ^~~~~~~~~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"createdAt":1777636800}"#)).client.get("a", as: Post.self)
        },
        Row(
            "decoding: a day as date",
            """
            GET a returned 200 OK, but its body does not decode as Post
              https://shop.example/v1/a
              createdAt (line 1, column 14): the string "2026-05-01" is not an ISO 8601 date such as 2026-05-01T12:00:00Z; \
            declare its form: Decode(dates: .day)
                  {"createdAt":"2026-05-01"}
                               ^~~~~~~~~~~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"createdAt":"2026-05-01"}"#)).client.get("a", as: Post.self)
        },
        Row(
            "decoding: an envelope with a dot",
            """
            GET products returned 200 OK, but its body does not decode as [Product]
              https://shop.example/v1/products
              line 1, column 1: the key "data.items" is missing; there is only "data"
                  {"data":{"items":[]}}
                  ^~~~~~~~~~~~~~~~~~~~~
              a dot is part of a key; pass the keys of a path separately: "data", "items"
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"data":{"items":[]}}"#)) { Envelope("data.items") }.products.list()
        },
        Row(
            "decoding: a text that may be a token is not shown",
            """
            GET products/{} returned 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              the body is text/plain and not JSON; declare its decoder with Decode(with:), or `Data` for the bytes
            """,
            read(.text("eyJhbGciOiJIUzI1NiJ9.e30.t0k3n"))
        ),
        Row(
            "decoding: a body that ends early",
            """
            GET products/{} returned 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              line 1, column 9: expected a key in double quotes after ',', found the end of the text
                  {"id":7,
                          ^
            """,
            read(.json(#"{"id":7,"#))
        ),
        Row(
            "decoding: no body",
            """
            PUT products/{} returned 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              the body is empty; declare WriteResult(.sent) if the server stores what was sent, WriteResult(.reread) to \
            fetch the entity, or ignore the response: returning(Void.self)
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(200)).products.update(Product(id: 7, name: "L"))
        },
        Row(
            "decoding: a secret beside the error stays out of the excerpt",
            """
            GET a returned 200 OK, but its body does not decode as Product
              https://shop.example/v1/a
              id (line 1, column 31): expected an integer (Int), found the string "x"
                  {"password": ‹redacted›, "id": "x", "name": "L"}
                                                 ^~~
            """
        ) { () async throws(APIError) in
            let body = #"{"password": "hunter2", "id": "x", "name": "L"}"#
            _ = try await shop(.json(body)).client.get("a", as: Product.self)
        },
    ]
}
