import Foundation
import Testing
import Waybill
import WaybillDescription

@Suite("Paging parameters in OpenAPI documents")
struct PageParameterTests {
    @Test("Two lists on one path with different paging have both sets of parameters") func twoSchemes() throws {
        let get = try document()["paths"]?["/posts"]?["get"]
        #expect(try names(get) == ["query page", "query per_page", "query limit"])
        #expect(get?["description"] == "One of several calls: posts.list, posts.list2.")
    }

    @Test("The parameters of later pages are listed as optional") func laterPages() throws {
        let paths = try document()["paths"]
        let cursor = paths?["/cursors"]?["get"]
        #expect(try names(cursor) == ["query limit", "query after", "query before"])
        #expect(try names(paths?["/fields"]?["get"]) == ["header X-Continuation"])
        #expect(try names(paths?["/keys"]?["get"]) == ["query starting_after"])
        #expect(try names(paths?["/custom"]?["get"]) == ["query shelf", "header X-Shelf"])
        for parameter in cursor?["parameters"]?.arrayValue ?? [] { #expect(parameter["required"] == nil) }
        #expect(
            cursor?["parameters"]?[1]
                == [
                    "name": "after", "in": "query",
                    "schema": ["$comment": "Inferred: the value comes from the previous page."],
                ]
        )
    }

    @Test("The tokens of later pages are members of the body") func laterBodies() throws {
        let body = try document()["paths"]?["/scans"]?["post"]?["requestBody"]
        let schema = body?["content"]?["application/json"]?["schema"]
        #expect(schema?["properties"]?.objectValue?.keys.sorted() == ["limit", "paging", "table"])
        #expect(schema?["properties"]?["paging"]?["properties"]?["token"] != nil)
        #expect(schema?["required"] == ["table"])
        #expect(body?["content"]?["application/json"]?["example"] == ["limit": 50, "table": "a"])
    }

    @Test("A misspelled parameter of later pages is found") func misspelled() throws {
        let own = try document()
        let parameters: JSONValue = [
            ["name": "limit", "in": "query", "schema": ["type": "integer"]],
            ["name": "aftr", "in": "query", "schema": ["type": "string"]],
            ["name": "before", "in": "query", "schema": ["type": "string"]],
        ]
        let changed = own.setting(parameters, at: ["paths", "/cursors", "get", "parameters"])
        let findings = try PagedLists().compare(with: OpenAPIDocument(changed))
        #expect(findings.map(\.clause) == ["Query(\"after\")"])
        #expect(findings.first?.advice == "did you mean \"aftr\"?")
    }

    @Test("A secret in the request of a custom scheme is not in an example") func secrets() throws {
        let document = try document()
        #expect(!document.description.contains("s3cret"), "\(document["paths"]?["/hidden"] ?? "")")
        let operation = document["paths"]?["/hidden"]?["get"]
        #expect(try names(operation) == ["query api_key", "header X-Api-Key"])
        let example = operation?["requestBody"]?["content"]?["application/json"]?["example"]
        #expect(example == ["password": "‹redacted›", "shelf": "A", "inner": ["client_secret": "‹redacted›"]])
        let other = document["paths"]?["/hidden/search"]?["post"]?["requestBody"]?["content"]?["application/json"]
        #expect(other?["example"]?["password"] == "‹redacted›")
        #expect(other?["example"]?["query"] == "a")
    }

    @Test("A declaration with many paging schemes has no findings against its own document") func roundTrip() throws {
        #expect(try PagedLists().compare(with: OpenAPIDocument(document())).map(\.description) == [])
    }

    private func document() throws -> JSONValue { try PagedLists().openAPI(title: "PagedLists", version: "1").json }

    private func names(_ operation: JSONValue?) throws -> [String]? {
        operation?["parameters"]?.arrayValue?.map {
            "\($0["in"]?.stringValue ?? "") \($0["name"]?.stringValue ?? "")"
        }
    }
}

private struct Post: Entity {
    let id: Int
    var title: String
}

private struct Scan: Codable, Sendable { var table: String }

private struct PagedLists: DescribedAPI {
    let client = Client(URL(string: "https://lists.example") ?? URL(filePath: "/"))

    var numbered: Resource<Post, OnlyListed> {
        resource("posts") { Paginated(.pageNumber(size: .query("per_page", 10))) }
    }

    var linked: Resource<Post, OnlyListed> { resource("posts") { Paginated(.link(size: .query("limit", 4))) } }

    var hidden: Endpoint<[Post]> {
        endpoint {
            GET("hidden")
            Paginated(Self.shelves)
        }
    }

    var hiddenSearch: Endpoint<[Post]> {
        endpoint {
            POST("hidden/search")
            Body(["query": "a"])
            Paginated(Self.shelves)
        }
    }

    private static let shelves = Paginated.Scheme(
        "shelves",
        first: Paginated.Scheme.Request(
            query: ["api_key": "s3cret-query"],
            headerFields: ["X-Api-Key": "s3cret-field"],
            body: ["password": "s3cret-body", "shelf": "A", "inner": ["client_secret": "s3cret-inner"]]
        )
    ) { (_: Paginated.Scheme.Response) in Paginated.Scheme.Request?.none }

    var calls: APIDescription {
        numbered
        linked
        hidden
        hiddenSearch
        endpoint([Post].self) {
            GET("cursors")
            Paginated(
                .cursor(
                    at: "next",
                    as: "after",
                    previous: .value("previous"),
                    previousAs: "before",
                    size: .query("limit", 5)
                )
            )
        }
        endpoint([Post].self) {
            GET("fields")
            Paginated(.cursor(field: "X-Next", as: .field("X-Continuation")))
        }
        endpoint([Post].self) {
            GET("keys")
            Paginated(.after(lastItem: "id", as: "starting_after"))
        }
        endpoint([Post].self) {
            GET("custom")
            Paginated(
                Paginated.Scheme(
                    "custom",
                    first: Paginated.Scheme.Request(query: ["shelf": "A"], headerFields: ["X-Shelf": "A"])
                ) { (_: Paginated.Scheme.Response) in Paginated.Scheme.Request?.none }
            )
        }
        endpoint([Post].self) {
            POST("scans")
            Body(Scan(table: "a"))
            Paginated(.cursor(at: "next", as: .body("paging", "token"), size: .body("limit", count: 50)))
        }
    }
}

private enum OnlyListed: Listable {}
