import Foundation
import TestSupport
import Testing
import Waybill
import WaybillDescription
import WaybillOperations
import WaybillTesting

@Suite("Comparing a declaration with an OpenAPI document")
struct ComparisonTests {
    private static let document = Result { try Shop().openAPI(title: "Shop", version: "1").json }

    @Test("An API has no findings against its own document") func roundTrip() throws {
        let document = try Shop().openAPI(title: "Shop", version: "1")
        #expect(try Shop().compare(with: OpenAPIDocument(Data(document.text.utf8))).map(\.description) == [])
    }

    @Test("Each difference is found with its location and reason", arguments: Thoroughness.some(Row.all, oneIn: 4))
    func denied(_ row: Row) throws {
        let own = try Self.document.get()
        let changed = row.change(own)
        try #require(changed != own, "the row changes nothing")
        let findings = try Shop().compare(with: OpenAPIDocument(changed))
        let found = findings.filter { $0.severity == row.severity && $0.place == row.place }
        #expect(found.contains { $0.reason.contains(row.reason) }, "\(findings)")
        #expect(findings.allSatisfy { $0.severity == .information || !$0.advice.isEmpty })
    }

    @Test(
        "The response that starts an operation is checked for the declared status location",
        arguments: [("status_url", 0), ("status_link", 1)]
    )
    func beginning(member: String, count: Int) throws {
        struct Reports: DescribedAPI {
            let client = Shop().client
            var calls: APIDescription {
                endpoint(Shop.Totals.self) {
                    POST("reports")
                    Envelope.none
                    LongRunning(
                        at: .member("status_url"),
                        state: .member("state", running: ["queued"], done: ["done"], failed: ["failed"])
                    )
                }
            }
        }
        let schema: JSONValue = [
            "type": "object", "required": [.string(member)],
            "properties": .object([member: ["type": "string", "format": "uri"]]),
        ]
        let begun: JSONValue = ["202": ["content": ["application/json": ["schema": schema]]]]
        let document: JSONValue = [
            "openapi": "3.1.0", "paths": ["/v1/reports": ["post": ["responses": begun]]],
        ]
        let errors = try Reports().compare(with: OpenAPIDocument(document)).filter { $0.severity == .error }
        #expect(errors.count == count, "\(errors)")
        #expect(errors.allSatisfy { $0.clause.contains("the status location at status_url") }, "\(errors)")
    }

    @Test("A finding is one line with its call, clause, reason, advice and location") func text() throws {
        let own = try Shop().openAPI(title: "Shop", version: "1").json
        let changed = own.removing(["paths", "/search"])
        #expect(
            try Shop().compare(with: OpenAPIDocument(changed)).map(\.description) == [
                "error: GET search, GET /search: the document has no such path; check the path (#/paths)"
            ]
        )
    }

    @Test("A Swagger 2.0 document is compared like an OpenAPI 3 document") func swagger() throws {
        struct Small: DescribedAPI {
            let client = Shop().client
            var calls: APIDescription {
                endpoint(Shop.Totals.self) {
                    POST("totals")
                    Envelope.none
                    Body(["since": 7])
                }
            }
        }
        let document: JSONValue = [
            "swagger": "2.0", "basePath": "/v1",
            "paths": [
                "/totals": [
                    "post": [
                        "parameters": [
                            [
                                "in": "body", "name": "body", "required": true,
                                "schema": ["type": "object", "properties": ["since": ["type": "string"]]],
                            ]
                        ],
                        "responses": ["200": ["schema": ["$ref": "#/definitions/Totals"]]],
                    ]
                ]
            ],
            "definitions": [
                "Totals": [
                    "type": "object", "required": ["count"],
                    "properties": ["count": ["type": "integer", "x-nullable": true]],
                ]
            ],
        ]
        let findings = try Small().compare(with: OpenAPIDocument(document))
        #expect(
            findings.map { "\($0.clause): \($0.reason)" } == [
                "Body at since: the client sends an integer, but the document specifies string",
                "the response at count: the document allows null, but the type does not decode it",
            ]
        )
        #expect(findings.last?.place == "#/definitions/Totals/properties/count")
    }

    @Test("For an encode-only body, a required member that the value contains is not a finding")
    func sampledBody() throws {
        struct Query: Encodable, Sendable {
            var path: String
        }
        struct Small: DescribedAPI {
            let client = Shop().client
            var calls: APIDescription {
                endpoint(Shop.Totals.self) {
                    POST("totals")
                    Body(["queries": [Query(path: "/")]])
                }
            }
        }
        let place = ["paths", "/totals", "post", "requestBody", "content", "application/json", "schema"]
        let items = place + ["properties", "queries", "items"]
        let own = try Small().openAPI(title: "Small", version: "1").json
        let required = own.setting(["path"], at: items + ["required"])
        try #require(required != own)
        #expect(try Small().compare(with: OpenAPIDocument(required)).map(\.description) == [])
        let other = own.setting(["name"], at: items + ["required"])
            .setting(["type": "string"], at: items + ["properties", "name"])
        #expect(try Small().compare(with: OpenAPIDocument(other)).map(\.clause) == ["Body at queries[].name"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let severity: OpenAPIDocument.Finding.Severity
        let place: String
        let reason: String
        let change: @Sendable (JSONValue) -> JSONValue

        private static let products = "#/paths/~1products/get"
        private static let schemas = "#/components/schemas/"

        static let all = [
            Row("a missing path", .error, "#/paths", "no such path") { $0.removing(["paths", "/products"]) },
            Row("a missing method", .error, "#/paths/~1products~1{id}", "no such method") {
                $0.removing(["paths", "/products/{id}", "delete"])
            },
            Row("a required parameter", .error, "#/paths/~1search/get/parameters/0", "requires the parameter") {
                $0.setting(
                    [["name": "page_token", "in": "query", "required": true, "schema": ["type": "string"]]],
                    at: ["paths", "/search", "get", "parameters"]
                )
            },
            Row("a parameter of another type", .error, "#/paths/~1search/get/parameters/0/schema", "an array") {
                $0.setting(
                    [["name": "kind", "in": "query", "schema": ["type": "integer"]]],
                    at: ["paths", "/search", "get", "parameters"]
                )
            },
            Row("a body that is not taken", .error, "#/paths/~1profile/put", "has none") {
                $0.removing(["paths", "/profile", "put", "requestBody"])
            },
            Row("a body of another media type", .error, "#/paths/~1profile/put/requestBody", "application/xml") {
                $0.setting(
                    ["content": ["application/xml": ["schema": [:]]]],
                    at: ["paths", "/profile", "put", "requestBody"]
                )
            },
            Row("a member of a body that is rejected", .error, schemas + "Shop.Product.Draft", "rejects the member") {
                $0.removing(["components", "schemas", "Shop.Product.Draft", "properties", "unit_price"])
                    .setting(false, at: ["components", "schemas", "Shop.Product.Draft", "additionalProperties"])
                    .setting(["name"], at: ["components", "schemas", "Shop.Product.Draft", "required"])
            },
            Row(
                "a member that a body has to have",
                .error,
                schemas + "Shop.Product.Draft/properties/stock",
                "does not send it"
            ) {
                $0.setting(
                    ["type": "integer"],
                    at: ["components", "schemas", "Shop.Product.Draft", "properties", "stock"]
                )
                .setting(["name", "stock"], at: ["components", "schemas", "Shop.Product.Draft", "required"])
            },
            Row("a member that is not listed", .error, schemas + "Shop.Product", "does not list it") {
                $0.removing(["components", "schemas", "Shop.Product", "properties", "name"])
                    .setting(["id"], at: ["components", "schemas", "Shop.Product", "required"])
            },
            Row("a member that may be absent", .warning, schemas + "Shop.Product/properties/name", "as required") {
                $0.setting(["id"], at: ["components", "schemas", "Shop.Product", "required"])
            },
            Row("another type", .error, schemas + "Shop.Product/properties/name", "reads a string") {
                $0.setting(["type": "integer"], at: ["components", "schemas", "Shop.Product", "properties", "name"])
            },
            Row("a null", .error, schemas + "Shop.Product/properties/name", "allows null") {
                $0.setting(
                    ["type": ["string", "null"]],
                    at: ["components", "schemas", "Shop.Product", "properties", "name"]
                )
            },
            Row("a null of version 3.0", .error, schemas + "Shop.Product/properties/name", "allows null") {
                $0.setting(
                    ["type": "string", "nullable": true],
                    at: ["components", "schemas", "Shop.Product", "properties", "name"]
                )
            },
            Row("a value that the enum lacks", .error, schemas + "Shop.Product.Kind", "\"sofa\", which the enum lacks")
            {
                $0.setting(["lamp", "rug", "sofa"], at: ["components", "schemas", "Shop.Product.Kind", "enum"])
            },
            Row("a member that is never read", .information, schemas + "Shop.Product/properties/color", "not read") {
                $0.setting(["type": "string"], at: ["components", "schemas", "Shop.Product", "properties", "color"])
            },
            Row("a problem that never comes", .warning, products + "/responses", "no response with this status") {
                $0.removingResponses(["404", "4XX"])
            },
            Row("a problem of other calls", .information, products + "/responses", "lists one for other calls") {
                $0.removing(["paths", "/products", "get", "responses", "404"])
                    .removing(["paths", "/products", "get", "responses", "4XX"])
            },
            Row("a response of another media type", .error, products + "/responses/200", "text/csv") {
                $0.setting(
                    ["description": "", "content": ["text/csv": [:]]],
                    at: ["paths", "/products", "get", "responses", "200"]
                )
            },
        ]

        private init(
            _ name: String,
            _ severity: OpenAPIDocument.Finding.Severity,
            _ place: String,
            _ reason: String,
            change: @escaping @Sendable (JSONValue) -> JSONValue
        ) {
            testDescription = name
            self.severity = severity
            self.place = place
            self.reason = reason
            self.change = change
        }
    }
}

extension JSONValue {
    func setting(_ value: JSONValue, at path: [String]) -> JSONValue {
        guard let first = path.first else { return value }
        var members = objectValue ?? [:]
        members[first] = (members[first] ?? [:]).setting(value, at: Array(path.dropFirst()))
        return .object(members)
    }

    /// Returns the document without the responses with the given statuses in any operation.
    func removingResponses(_ statuses: [String]) -> JSONValue {
        var document = self
        for (path, item) in self["paths"]?.objectValue ?? [:] {
            for method in (item.objectValue ?? [:]).keys {
                for status in statuses { document = document.removing(["paths", path, method, "responses", status]) }
            }
        }
        return document
    }

    func removing(_ path: [String]) -> JSONValue {
        guard let first = path.first, var members = objectValue else { return self }
        if path.count == 1 {
            members[first] = nil as JSONValue?
        } else {
            members[first] = members[first]?.removing(Array(path.dropFirst()))
        }
        return .object(members)
    }
}
