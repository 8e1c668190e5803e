import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Comparing calls with a document's operations")
struct DocumentComparisonTests {
    @Test("A problem on success is not compared with the success schema") func problemOnSuccess() throws {
        struct Rates: DescribedAPI {
            struct Rate: ResponseContent { let value: Double }
            struct Fault: ResponseContent { let error: String }

            let client = Shop().client
            var calls: APIDescription {
                endpoint(Rate.self) {
                    GET("rates")
                    Envelope.none
                    Problem(Fault.self, on: .success, when: { !$0.error.isEmpty })
                }
            }
        }
        let document: JSONValue = [
            "openapi": "3.1.0",
            "paths": [
                "/rates": [
                    "get": [
                        "responses": [
                            "200": [
                                "content": [
                                    "application/json": [
                                        "schema": [
                                            "type": "object", "required": ["value"],
                                            "properties": ["value": ["type": "number"]],
                                        ]
                                    ]
                                ]
                            ]
                        ]
                    ]
                ]
            ],
        ]
        #expect(try Rates().compare(with: OpenAPIDocument(document)).map(\.description) == [])
    }

    @Test("A document key matches a member if the decoder's key function converts it") func customKeys() throws {
        struct People: DescribedAPI {
            struct Person: ResponseContent {
                let id: Int
                let name: String
            }

            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }

                init(_ text: String) { stringValue = text }

                init?(stringValue: String) { self.init(stringValue) }

                init?(intValue: Int) { nil }
            }

            let client = Shop().client
            var calls: APIDescription {
                endpoint(Person.self) {
                    GET("people")
                    Envelope.none
                    Decode(keys: .custom { Key(($0.last?.stringValue ?? "").lowercased()) })
                }
            }
        }
        let own = try People().openAPI(title: "People", version: "1").json
        let names = (own["components"]?["schemas"]?.objectValue ?? [:]).keys.filter { $0.hasSuffix("Person") }
        let place = ["components", "schemas", try #require(names.first)]
        let changed = own.setting(["ID", "Name"], at: place + ["required"])
            .setting(["ID": ["type": "integer"], "Name": ["type": "integer"]], at: place + ["properties"])
        try #require(changed != own)
        #expect(
            try People().compare(with: OpenAPIDocument(changed)).map { "\($0.clause): \($0.reason)" } == [
                "the response at Name: the client reads a string, but the document specifies integer"
            ]
        )
    }

    @Test("Two paths that differ only in a parameter name count as one path with both methods")
    func parameterNames() throws {
        let ok: JSONValue = ["responses": ["200": [:]]]
        let findings = try Small {
            Small.endpoint(.get, "dashboard/\(7)")
            Small.endpoint(.put, "dashboard/\(7)")
            Small.endpoint(.delete, "dashboard/\(7)")
            Small.endpoint(.put, "dashboard/main")
        }.findings([
            "/dashboard/{id_or_slug}": ["get": ok], "/dashboard/{pk}": ["put": ok], "/dashboard/main": ["get": ok],
        ])
        #expect(
            findings == [
                "error: DELETE dashboard/{}, DELETE: the path has no such method; use GET or PUT "
                    + "(#/paths/~1dashboard~1{id_or_slug})"
            ]
        )
    }

    @Test("An operation for QUERY or a nonstandard method is found wherever any OpenAPI version puts it")
    func otherMethods() throws {
        let ok: JSONValue = ["responses": ["200": [:]]]
        let items: [JSONValue] = [
            ["query": ok], ["x-query": ok], ["additionalOperations": ["QUERY": ok]], ["get": ok, "x-query": ok],
        ]
        func query() -> Endpoint<Void> {
            Small.shared.endpoint {
                QUERY("a")
                Body.Member("name", "Bo")
            }
        }
        for item in items {
            #expect(try Small { query() }.findings(["/a": item]).allSatisfy { !$0.contains("no such method") })
        }
        let other = try HTTPRequest.Method("PURGE").map { method in
            try Small { Small.endpoint(method, "a") }.findings(["/a": ["additionalOperations": ["PURGE": ok]]])
        }
        #expect(other == [])
        #expect(
            try Small { query() }.findings(["/a": ["get": ok, "additionalOperations": ["PURGE": ok]]]) == [
                "error: QUERY a, QUERY: the path has no such method; use GET or PURGE (#/paths/~1a)"
            ]
        )
    }

    @Test("A path is matched by its literal segments below any server's base path", arguments: Self.pathRows)
    func paths(template: String, servers: JSONValue, isFound: Bool) throws {
        let findings = try Small { Small.endpoint(.get, "files/\(7).json") }
            .findings([template: ["get": ["responses": [:]]]], servers: servers)
        #expect(findings.isEmpty == isFound, "\(findings)")
    }

    private static let pathRows: [(String, JSONValue, Bool)] = [
        ("/files/{name}.json", [], true), ("/files/{name}", [], true), ("/files/{name}.xml", [], false),
        ("/files/{name}.json/", [], true), ("/{kind}/{name}.json", [], true), ("/v1/files/{name}.json", [], true),
        ("/v2/files/{name}.json", [], false), ("/files/{name}.json", [["url": "https://x.example/v1"]], true),
        ("/1/files/{name}.json", [["url": "https://{host}/{a}", "variables": ["a": ["default": "v"]]]], false),
        ("/files/{name}.json", [["url": "https://{host}/{a}", "variables": ["a": ["default": "v1"]]]], true),
    ]

    @Test("The closest path has the fewest differing segments, then the fewest differing characters")
    func nearestPath() throws {
        let ok: JSONValue = ["get": ["responses": [:]]]
        let findings = try Small {
            Small.endpoint(.get, "products/\(7)/revews")
            Small.endpoint(.get, "product")
            Small.endpoint(.get, "zebra/apple/pear")
            Small.endpoint(.put, "rooms/\(7)/state/name")
        }.findings([
            "/rooms/{id}/state": ok, "/rooms/{id}/state/{type}/{key}": ["put": ["responses": [:]]],
            "/products": ok, "/products/{id}": ok, "/products/{id}/reviews": ok, "/products/{id}/reviews/{n}/votes": ok,
        ])
        #expect(
            findings == [
                "error: GET products/{}/revews, GET /products/{id}/revews: the document has no such path; "
                    + "the closest match is /products/{id}/reviews (#/paths)",
                "error: GET product, GET /product: the document has no such path; the closest match is /products "
                    + "(#/paths)",
                "error: GET zebra/apple/pear, GET /zebra/apple/pear: the document has no such path; check the path "
                    + "(#/paths)",
                "error: PUT rooms/{}/state/name, PUT /rooms/{id}/state/name: the document has no such path; "
                    + "the closest match is /rooms/{id}/state/{type}/{key} (#/paths)",
            ]
        )
    }

    @Test("An unlisted query item is always reported, a header field only if a similar one is listed")
    func misspelledParameters() throws {
        let findings = try Small {
            Small.shared.endpoint {
                GET("search")
                Query("limt", 3)
                Query("zebra", 3)
                Query("tags[]", ["a"])
                Query("filter[name]", "a")
                Query("page", 1)
                Query("key", "secret")
                Header("X-Trase", "1")
                Header("X-Other", "1")
            }
        }.findings(
            [
                "/search": [
                    "parameters": [
                        ["name": "X-Trace", "in": "header"], ["name": "filter", "in": "query", "style": "deepObject"],
                    ],
                    "get": [
                        "parameters": [
                            ["name": "limit", "in": "query"], ["name": "tags[]", "in": "query"],
                            [
                                "name": "paging", "in": "query",
                                "schema": ["type": "object", "properties": ["page": ["type": "integer"]]],
                            ],
                        ],
                        "responses": [:],
                    ],
                ]
            ],
            components: ["securitySchemes": ["key": ["type": "apiKey", "in": "query", "name": "key"]]]
        )
        #expect(
            findings == [
                #"warning: GET search, Query("limt"): the document has no such query item; did you mean "limit"? "#
                    + "(#/paths/~1search/get)",
                #"warning: GET search, Query("zebra"): the document has no such query item; "#
                    + "check its name, or remove it (#/paths/~1search/get)",
                #"warning: GET search, Header("X-Trase"): the document has no such header field; "#
                    + #"did you mean "X-Trace"? (#/paths/~1search/get)"#,
            ]
        )
    }

    @Test("Calls that share an operation have separate findings, and identical findings are merged")
    func sharedOperation() throws {
        struct Login: Codable, Sendable { var token: Int }
        struct Edit: Codable, Sendable { var token: String }
        let findings = try Small {
            Small.shared.endpoint(Login.self) {
                POST("api.php")
                Call.Name("login")
                Query("akshun", "login")
            }
            Small.shared.endpoint(Edit.self) {
                POST("api.php")
                Call.Name("edit")
                Query("akshun", "edit")
            }
        }.findings([
            "/api.php": [
                "post": [
                    "parameters": [["name": "action", "in": "query"]],
                    "responses": [
                        "200": Small.json([
                            "type": "object", "required": ["token"], "properties": ["token": ["type": "string"]],
                        ])
                    ],
                ]
            ]
        ])
        #expect(
            findings.map { $0.split(separator: "(").first.map(String.init) } == [
                "error: POST login, the response at token: the client reads an integer, "
                    + "but the document specifies string; change the property's type ",
                "warning: POST login and 1 other call, Query",
            ]
        )
    }

    @Test("A body without a known schema is compared by its value, or reported as not compared")
    func valuesOfAnyJSON() throws {
        struct Blob: Codable, Sendable {
            init() {}
            init(from decoder: any Decoder) throws { throw CancellationError() }
            func encode(to encoder: any Encoder) throws { try ["name": 1].encode(to: encoder) }
        }
        struct Sent: Encodable, Sendable { var name = 1 }
        struct Thing: Entity {
            typealias Draft = Sent
            var id: Int
        }
        enum Access: Creatable {}
        let things: Resource<Thing, Access> = Small.shared.resource("c")
        let body = Small.json(["type": "object", "properties": ["name": ["type": "string"]]])
        let operation: JSONValue = ["post": ["requestBody": body, "responses": [:]]]
        let findings = try Small {
            Small.shared.endpoint {
                POST("a")
                Body(["name": 1] as JSONValue)
            }
            Small.shared.endpoint {
                POST("b")
                Body(Blob())
            }
            things
        }.findings(["/a": operation, "/b": operation, "/c": operation])
        #expect(
            findings.map { $0.split(separator: "(").first.map(String.init) } == [
                "error: POST a, Body at name: the client sends an integer, but the document specifies string; "
                    + "change the property's type ",
                "error: POST b, Body at name: the client sends an integer, but the document specifies string; "
                    + "change the property's type ",
                "information: POST c, Body: the body is not compared: no value of Sent could be generated; "
                    + "list the call itself with a value ",
            ]
        )
    }

    @Test("Form fields are compared by name with Swagger 2.0 form parameters")
    func forms() throws {
        let findings = try Small {
            Small.shared.endpoint {
                POST("pay")
                Body(form: ["amount": "7", "curency": "eur", "items[]": "a"])
            }
        }.findings(
            [
                "/pay": [
                    "post": [
                        "consumes": ["application/x-www-form-urlencoded"],
                        "parameters": [
                            ["name": "amount", "in": "formData", "type": "integer", "required": true],
                            ["name": "currency", "in": "formData", "type": "string", "required": true],
                            ["name": "items", "in": "formData", "type": "array", "items": ["type": "string"]],
                        ],
                        "responses": [:],
                    ]
                ]
            ],
            isSwagger: true
        )
        #expect(
            findings.map { $0.split(separator: "(").first.map(String.init) } == [
                "error: POST pay, Body at currency: the document requires the member, but the client does not send it; "
                    + "add it to the body's type ",
                "warning: POST pay, Body at curency: the document does not list the member; "
                    + #"did you mean "currency"? "#,
            ]
        )
    }

    @Test("A nullable object read only by paging is not a finding, but an unlisted one is")
    func pagingLinks() throws {
        struct Item: Codable, Sendable { var id: Int }
        let links: JSONValue = [
            "type": ["object", "null"], "properties": ["next": ["type": ["string", "null"]]],
        ]
        let items: JSONValue = [
            "type": "array",
            "items": ["type": "object", "required": ["id"], "properties": ["id": ["type": "integer"]]],
        ]
        let findings = try Small {
            Small.shared.endpoint([Item].self) {
                GET("items")
                Envelope("data")
                Paginated(.next(at: "links", "next", total: .value("meta", "total")))
            }
        }.findings([
            "/items": [
                "get": [
                    "responses": [
                        "200": Small.json([
                            "type": "object", "required": ["data"], "properties": ["data": items, "links": links],
                        ])
                    ]
                ]
            ]
        ])
        #expect(
            findings.map { $0.split(separator: "(").first.map(String.init) } == [
                "warning: GET items, the response at meta: the pagination scheme reads the member, "
                    + "but the document does not list it; check its name "
            ]
        )
    }

    @Test(
        "A write response is compared according to the declared write result",
        arguments: Self.writeRows
    )
    func writeResults(source: WriteResult.Source, expected: [String]) throws {
        struct Thing: Entity {
            var id: Int
            var name: String
            struct Draft: Codable, Sendable { var name: String }
        }
        enum Access: Creatable {}
        let things: Resource<Thing, Access> = Small.shared.resource("things") { WriteResult(source) }
        let findings = try Small { things }.findings([
            "/things": [
                "post": [
                    "requestBody": Small.json(["type": "object"]),
                    "responses": [
                        "201": Small.json(["type": "object", "properties": ["id": ["type": "string"]]])
                    ],
                ]
            ]
        ])
        #expect(
            findings.map { $0.split(separator: ":")[1].split(separator: ",")[1].dropFirst() }
                == expected.map { Substring($0) }
        )
    }

    private static let writeRows: [(WriteResult.Source, [String])] = [
        (.response, ["the response at id", "the response at name", "the response at id"]),
        (.sent, ["the response at id", "the response at name", "the response at id"]),
        (.merged, ["the response at id"]), (.reread, []),
    ]

    @Test(
        "A create response with content is checked for the id used to reread the entity",
        arguments: [
            (Small.json(["type": "object", "properties": ["uuid": ["type": "string"]], "required": ["uuid"]]), 0),
            (Small.json(["type": "object", "properties": ["id": ["type": "string"]], "required": ["id"]]), 1),
            (["description": "Created"], 0),
        ] as [(JSONValue, Int)]
    )
    func createdIDs(response: JSONValue, count: Int) throws {
        struct Thing: Entity {
            var id: Int
            struct Draft: Codable, Sendable { var name: String }
        }
        enum Access: Creatable {}
        let things: Resource<Thing, Access> = Small.shared.resource("things") { WriteResult(.reread, idAt: "uuid") }
        let findings = try Small { things }.findings([
            "/things": [
                "post": ["requestBody": Small.json(["type": "object"]), "responses": ["201": response]]
            ]
        ])
        #expect(findings.filter { $0.contains("the response at uuid") }.count == count, "\(findings)")
    }

    @Test("Errors come first, and a difference shared by several calls is one finding")
    func order() throws {
        struct Thing: Codable, Sendable { var id: Int }
        let schema: JSONValue = [
            "type": "object", "properties": ["id": ["type": "integer"], "name": ["type": "string"]],
        ]
        func operation(_ parameters: JSONValue) -> JSONValue {
            [
                "get": [
                    "parameters": parameters, "responses": ["200": Small.json(["$ref": "#/components/schemas/Thing"])],
                ]
            ]
        }
        let findings = try Small {
            Small.shared.endpoint(Thing.self) { GET("a") }
            Small.shared.endpoint([Thing].self) { GET("b") }
            Small.shared.endpoint(Thing.self) { GET("c") }
            Small.shared.endpoint(Thing.self) { POST("a") }
            Small.shared.endpoint(Thing.self) { GET("d") }
        }.findings(
            [
                "/a": operation([]), "/b": operation([]),
                "/c": operation([["name": "q", "in": "query", "required": true]]),
            ],
            components: ["schemas": ["Thing": schema]]
        )
        #expect(
            findings.map { String($0.split(separator: ";")[0]) } == [
                "error: GET d, GET /d: the document has no such path",
                "error: POST a, POST: the path has no such method",
                #"error: GET c, Query("q"): the document requires the parameter, but the call does not send it"#,
                "error: GET b, the response: the client reads an array, but the document specifies object",
                "warning: GET a and 1 other call, the response at id: "
                    + "the type requires the member, but the document does not list it as required",
                "information: GET a and 1 other call, the response at name: the client does not read the member "
                    + "(#/components/schemas/Thing/properties/name)",
            ]
        )
    }
}

/// An API with the calls of one test.
private struct Small: DescribedAPI {
    static let shared = Client(URL(string: "https://shop.example/v1") ?? URL(filePath: "/"))
    let client: Client = Self.shared
    let calls: APIDescription

    init(@APIDescription.Builder _ calls: () -> APIDescription) { self.calls = calls() }

    static func endpoint(_ method: HTTPRequest.Method, _ path: Route.Path) -> Endpoint<Void> {
        shared.endpoint { Route(method, .path(path)) }
    }

    static func json(_ schema: JSONValue) -> JSONValue { ["content": ["application/json": ["schema": schema]]] }

    func findings(
        _ paths: [String: JSONValue],
        components: JSONValue = [:],
        servers: JSONValue = [],
        isSwagger: Bool = false
    ) throws -> [String] {
        var members: [String: JSONValue] = ["paths": .object(paths), "components": components, "servers": servers]
        members[isSwagger ? "swagger" : "openapi"] = isSwagger ? "2.0" : "3.1.0"
        return try compare(with: OpenAPIDocument(.object(members))).map(\.description)
    }
}
