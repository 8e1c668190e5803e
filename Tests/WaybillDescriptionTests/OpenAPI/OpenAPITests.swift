import Foundation
import Testing
import Waybill
import WaybillDescription

@Suite("OpenAPI documents of declarations")
struct OpenAPITests {
    private let document: JSONValue

    private static let shared = Result { try Shop().openAPI(title: "Shop", version: "7").json }

    init() throws { document = try Self.shared.get() }

    @Test("The document contains every operation of every listed call") func operations() {
        let found = (document["paths"]?.objectValue ?? [:]).flatMap { path, methods in
            (methods.objectValue ?? [:]).map { "\($0) \(path) \($1["operationId"]?.stringValue ?? "")" }
        }
        #expect(
            found.sorted() == [
                "delete /products/{id} products.delete",
                "delete /products/{product}/reviews/{id} products.reviews.delete",
                "delete /profile profile.delete",
                "get /products products.list",
                "get /products/{id} products.read",
                "get /products/{product}/reviews products.reviews.list",
                "get /products/{product}/reviews/{id} products.reviews.read",
                "get /profile profile.read",
                "get /search search.get",
                "patch /products products.updateBatch",
                "patch /products/{id} products.patch",
                "patch /products/{product}/reviews/{id} products.reviews.patch",
                "patch /profile profile.patch",
                "post /photos photos.post",
                "post /products products.create",
                "post /products/{product}/reviews products.reviews.create",
                "post /profile profile.create",
                "put /products/{id} products.update",
                "put /products/{product}/reviews/{id} products.reviews.update",
                "put /profile profile.update",
            ]
        )
    }

    @Test("The document contains the version, title and server") func head() {
        #expect(document["openapi"] == "3.1.0")
        #expect(document["info"] == ["title": "Shop", "version": "7"])
        #expect(document["servers"] == [["url": "https://shop.example/v1"]])
    }

    @Test("A list has its envelope, metadata and paging parameters") func list() {
        let schema = operation("/products", "get")?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["properties"]?["data"] == ["type": "array", "items": reference("Shop.Product")])
        #expect(schema?["properties"]?["meta"] == reference("Shop.Totals"))
        #expect(schema?["required"] == ["data", "meta"])
        let names = operation("/products", "get")?["parameters"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
        #expect(names == ["page", "per_page"])
    }

    @Test("Keys are converted in both responses and requests") func keys() {
        let product = document["components"]?["schemas"]?["Shop.Product"]
        #expect(product?["required"] == ["id", "name", "unit_price", "kind"])
        let body = operation("/products/{id}", "patch")?["requestBody"]?["content"]?["application/merge-patch+json"]
        #expect(body?["schema"] == reference("Shop.Product.Patch"))
        #expect(body?["example"]?["unit_price"] == 1)
    }

    @Test("Parameters have their names, types, styles and examples") func parameters() {
        #expect(
            operation("/search", "get")?["parameters"] == [
                ["name": "q", "in": "query", "schema": ["type": "string"], "example": "lamp"],
                [
                    "name": "kind", "in": "query", "explode": false, "example": ["lamp", "rug"],
                    "schema": ["type": "array", "items": ["type": "string", "enum": ["lamp", "rug"]]],
                ],
                ["name": "X-Trace", "in": "header", "schema": ["type": "string"], "example": "7"],
            ]
        )
        #expect(
            operation("/products/{product}/reviews/{id}", "get")?["parameters"] == [
                ["name": "product", "in": "path", "required": true, "schema": ["type": "integer"], "example": 7],
                [
                    "name": "id", "in": "path", "required": true, "schema": ["type": "string", "format": "uuid"],
                    "example": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
                ],
            ]
        )
    }

    @Test("Problems are listed by status, and those without a status under 4XX and 5XX") func problems() {
        let responses = operation("/products/{id}", "get")?["responses"]
        #expect(responses?["404"]?["content"]?["application/json"]?["schema"] == reference("Shop.Fault"))
        for status in ["4XX", "5XX"] {
            let details = responses?[status]?["content"]?["application/json"]?["schema"]?["properties"]
            #expect(details?.objectValue?.keys.sorted() == ["detail", "instance", "status", "title", "type"])
        }
    }

    @Test("A multipart form lists its parts with their media types") func multipart() {
        let content = operation("/photos", "post")?["requestBody"]?["content"]?["multipart/form-data"]
        #expect(content?["schema"]?["properties"]?.objectValue?.keys.sorted() == ["photo", "title"])
        #expect(content?["encoding"] == ["photo": ["contentType": "image/jpeg"]])
    }

    @Test("A document has the scheme of a credential but no secret") func security() throws {
        #expect(document["components"]?["securitySchemes"] == ["bearer": ["type": "http", "scheme": "bearer"]])
        #expect(operation("/products", "get")?["security"] == [["bearer": []]])
        #expect(!document.description.contains("a-secret-token"))
    }

    @Test("The same declaration always produces the same bytes") func stable() throws {
        let texts = try (0..<5).map { _ in try Shop().openAPI(title: "Shop", version: "7").text }
        #expect(Set(texts).count == 1)
        #expect(texts[0].hasPrefix("{\n  \"openapi\": \"3.1.0\",\n  \"info\""))
        #expect(texts[0].hasSuffix("}\n"))
    }

    @Test("A document with a stream has version 3.2 and an item schema") func streams() throws {
        struct Chat: DescribedAPI {
            let client = Shop().client
            var calls: APIDescription { Shop().chat("Hello") }
        }
        let document = try Chat().openAPI(title: "Chat", version: "1").json
        #expect(document["openapi"] == "3.2.0")
        let content = document["paths"]?["/chat"]?["post"]?["responses"]?["200"]?["content"]?["text/event-stream"]
        #expect(content?["itemSchema"]?["properties"]?["data"] == reference("Shop.Chunk"))
    }

    @Test("An encode-only body is marked as not learned, unless a listed call has a value")
    func unknownBodies() throws {
        struct Note: Entity {
            let id: Int
            struct Draft: Encodable, Sendable { var text: String }
        }
        enum Creating: Creatable {}
        struct Notes: DescribedAPI {
            let client = Shop().client
            let hasValue: Bool
            var notes: Resource<Note, Creating> { resource("notes") }
            var calls: APIDescription {
                notes
                if hasValue { notes.endpoints.create(.init(text: "Buy milk")) }
            }
        }
        func content(hasValue: Bool) throws -> JSONValue? {
            let document = try Notes(hasValue: hasValue).openAPI(title: "Notes", version: "1")
            let post = document.json["paths"]?["/notes"]?["post"]
            #expect(post?["operationId"] == "notes.create")
            #expect(post?["responses"]?["201"] != nil)
            return post?["requestBody"]?["content"]?["application/json"]
        }
        let comment = try content(hasValue: false)?["schema"]?["$comment"]?.stringValue
        #expect(comment == "Not learned: no value of Draft could be generated; list the call itself with a value.")
        #expect(try content(hasValue: true)?["example"] == ["text": "Buy milk"])
        #expect(
            try content(hasValue: true)?["schema"]?["properties"] == [
                "text": ["type": "string", "$comment": "Learned from a value."]
            ]
        )
    }

    @Test("A call that cannot be planned throws an error with its clause") func unplannable() {
        struct Wrong: DescribedAPI {
            let client = Shop().client
            var calls: APIDescription {
                Shop().search("lamp")
                endpoint([Shop.Product].self) { GET("products/\("")") }
                endpoint([Shop.Product].self) {
                    GET("search")
                    Query("limit", Double.nan)
                }
            }
        }
        let error = #expect(throws: APIDescription.Failure.self) { try Wrong().openAPI(title: "", version: "") }
        #expect(error?.errors.count == 2)
        #expect(error?.description.hasPrefix("2 calls in the description cannot be planned:\n- ") ?? false)
        #expect(error?.description.contains("\"limit\"") ?? false)
    }

    @Test("A resource operation that cannot be planned is omitted, and the document mentions it")
    func unplannableOperations() throws {
        struct Notes: DescribedAPI {
            let client = Shop().client
            // A patch lacks the rest of the entity.
            var notes: Resource<Note, ReadWrite> { resource("notes") { WriteResult(.merged) } }
            var calls: APIDescription { notes }
        }
        let document = try Notes().openAPI(title: "Notes", version: "1")
        #expect(document.json["paths"]?["/notes/{id}"]?.objectValue?.keys.sorted() == ["delete", "get", "put"])
        let text = document.json["info"]?["description"]?.stringValue ?? ""
        #expect(text.hasPrefix("Operations that cannot be planned are not described:\n\n- "))
        #expect(text.contains("PATCH notes/{}") && text.contains("WriteResult"), "\(text)")
        let findings = try Notes().compare(with: document)
        #expect(findings.map(\.severity) == [.information])
        #expect(findings.first?.call == "PATCH notes/{}")
    }

    @Test("A description without a plannable operation throws an error") func nothingPlannable() {
        struct Notes: DescribedAPI {
            let client = Shop().client
            var notes: Resource<Note, Patching> { resource("notes") { WriteResult(.merged) } }
            var calls: APIDescription { notes }
        }
        let error = #expect(throws: APIDescription.Failure.self) { try Notes().openAPI(title: "", version: "") }
        #expect(error?.errors.count == 1)
    }

    @Test("Paths that differ only in a value's name and segment count are one path") func equalPaths() throws {
        struct Files: DescribedAPI {
            let client = Shop().client
            var calls: APIDescription {
                endpoint(Shop.Totals.self) { GET("contents/\(segments: ["a", "b"])") }
                endpoint(Shop.Totals.self) { PUT("contents/\("a", name: "path")") }
            }
        }
        let paths = try Files().openAPI(title: "Files", version: "1").json["paths"]?.objectValue ?? [:]
        #expect(paths.keys.sorted() == ["/contents/{segments}"])
        #expect(paths.values.first?.objectValue?.keys.sorted() == ["get", "put"])
    }

    @Test("An idempotency key is a header parameter") func idempotencyKeys() throws {
        struct Notes: DescribedAPI {
            let client = Shop().client
            var calls: APIDescription {
                endpoint {
                    POST("notes")
                    IdempotencyKey()
                } as Endpoint<Void>
            }
        }
        let own = try Notes().openAPI(title: "Notes", version: "1").json
        let parameters = own["paths"]?["/notes"]?["post"]?["parameters"]
        #expect(parameters == [["name": "Idempotency-Key", "in": "header", "schema": ["type": "string"]]])
        let required: JSONValue = [
            ["name": "idempotency-key", "in": "header", "required": true, "schema": ["type": "string"]]
        ]
        let document = own.setting(required, at: ["paths", "/notes", "post", "parameters"])
        #expect(try Notes().compare(with: OpenAPIDocument(document)).map(\.description) == [])
    }

    private func operation(_ path: String, _ method: String) -> JSONValue? { document["paths"]?[path]?[method] }

    private func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }
}

private struct Note: Entity {
    let id: Int
    var text: String
}

private enum Patching: Patchable {}

@Suite("Reading OpenAPI documents")
struct OpenAPIReadingTests {
    @Test(
        "Text that is not a document of a supported version throws an error with its location",
        arguments: [
            ("", "", "it is not JSON"),
            ("{\"openapi\": \n,}", "", "line 2, column 1"),
            ("[]", "#", "the document is not an object"),
            ("{}", "#", "neither a member \"openapi\" nor \"swagger\""),
            (#"{"openapi": "4.0.0"}"#, "#/openapi", "the version is \"4.0.0\""),
            (#"{"openapi": 3.1}"#, "#/openapi", "the version is 3.1"),
            (#"{"swagger": "1.2"}"#, "#/swagger", "the supported versions are 2.0, 3.0, 3.1 and 3.2"),
            (#"{"openapi": "3.0.3"}"#, "#/paths", "it has no paths"),
        ]
    )
    func rejected(text: String, place: String, reason: String) {
        let error = #expect(throws: OpenAPIDocument.Failure.self) { try OpenAPIDocument(Data(text.utf8)) }
        #expect(error?.place == place)
        #expect(error?.reason.contains(reason) ?? false, "\(error?.reason ?? "")")
    }

    @Test("Documents of the supported versions are read", arguments: ["3.0.3", "3.1.1", "3.2.0"])
    func accepted(version: String) throws {
        let document = try OpenAPIDocument(["openapi": .string(version), "paths": [:]])
        #expect(document.json["openapi"] == .string(version))
    }
}
