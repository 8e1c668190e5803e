import Foundation
import TestSupport
import Testing
import Waybill
import WaybillDescription
import WaybillTransfers

/// Comparisons with an API's own document after a single change.
@Suite("Documents with a single mutation")
struct DocumentMutationTests {
    private static let document = Result { try Changing().openAPI(title: "Changing", version: "1").json }

    @Test(
        "Each breaking change to a document is found, unless it is documented as not compared",
        arguments: Thoroughness.some(Mutation.all, oneIn: 4)
    )
    func mutations(_ mutation: Mutation) throws {
        let own = try Self.document.get()
        let changed = mutation.change(own)
        try #require(changed != own, "the mutation changes nothing")
        let findings = try Changing().compare(with: OpenAPIDocument(changed)).filter { $0.severity > .information }
        switch mutation.result {
        case .found(let reason):
            #expect(findings.contains { $0.reason.contains(reason) }, "\(findings)")
            #expect(findings.allSatisfy { !$0.advice.isEmpty })
        case .harmless, .notCompared: #expect(findings.map(\.description) == [])
        }
    }

    struct Mutation: Sendable, CustomTestStringConvertible {
        enum Result: Sendable {
            /// A finding contains this reason.
            case found(String)
            /// The client still works.
            case harmless
            /// The comparison does not check this change; the documentation lists it.
            case notCompared
        }

        let testDescription: String
        let result: Result
        let change: @Sendable (JSONValue) -> JSONValue

        private init(_ name: String, _ result: Result, change: @escaping @Sendable (JSONValue) -> JSONValue) {
            (testDescription, self.result, self.change) = (name, result, change)
        }

        private static let thing = ["components", "schemas", "Thing"]
        private static let draft = ["components", "schemas", "Thing.Draft"]
        private static let search = ["paths", "/search", "get"]

        private static func parameter(_ name: String, _ members: JSONValue) -> @Sendable (JSONValue) -> JSONValue {
            { document in
                let old = document["paths"]?["/search"]?["get"]?["parameters"]?.arrayValue ?? []
                let new = old.map { $0["name"] == .string(name) ? $0.applying(members) : $0 }
                return document.setting(.array(new), at: search + ["parameters"])
            }
        }

        private static func adding(parameter: JSONValue) -> @Sendable (JSONValue) -> JSONValue {
            { document in
                let old = document["paths"]?["/search"]?["get"]?["parameters"]?.arrayValue ?? []
                return document.setting(.array(old + [parameter]), at: search + ["parameters"])
            }
        }

        private static func body(_ path: String, _ method: String, _ types: [String: JSONValue])
            -> @Sendable (JSONValue) -> JSONValue
        { { $0.setting(.object(types), at: ["paths", path, method, "requestBody", "content"]) } }

        static let all: [Mutation] = parameters + bodies + responses + wholes

        private static let parameters = [
            Mutation("a required query item", .found("requires the parameter")) {
                adding(parameter: ["name": "org", "in": "query", "required": true, "schema": ["type": "string"]])($0)
            },
            Mutation("a required header field", .found("requires the parameter")) {
                adding(parameter: ["name": "X-Org", "in": "header", "required": true, "schema": ["type": "string"]])($0)
            },
            Mutation("a required cookie", .found("requires the cookie sid")) {
                adding(parameter: ["name": "sid", "in": "cookie", "required": true, "schema": ["type": "string"]])($0)
            },
            Mutation("a required cookie that is sent", .harmless) {
                adding(parameter: ["name": "theme", "in": "cookie", "required": true, "schema": ["type": "string"]])($0)
            },
            Mutation("another type of a query item", .found("sends an integer")) {
                parameter("n", ["schema": ["type": "boolean"]])($0)
            },
            Mutation("another name of a query item", .found("no such query item")) {
                parameter("q", ["name": "query"])($0)
            },
            Mutation("another style of an array", .found("sends an array as a=1,2")) {
                parameter("tags", ["explode": true])($0)
            },
            Mutation("a style that no clause writes", .found("style pipeDelimited")) {
                parameter("tags", ["style": "pipeDelimited"])($0)
            },
            Mutation("an enum of a query item that is a text", .notCompared) {
                parameter("q", ["schema": ["type": "string", "enum": ["other"]]])($0)
            },
            Mutation("another type of a path parameter", .notCompared) {
                $0.setting(
                    [["name": "id", "in": "path", "required": true, "schema": ["type": "string"]]],
                    at: ["paths", "/things/{id}", "get", "parameters"]
                )
            },
            Mutation("another name of a parameter of later pages", .found("no such query item")) {
                $0.setting(
                    [["name": "cursor", "in": "query", "schema": [:]]],
                    at: ["paths", "/things", "get", "parameters"]
                )
            },
            Mutation("another scheme of credentials", .found("requires a key in the header field X-Key")) {
                $0.setting(
                    ["bearer": ["type": "apiKey", "in": "header", "name": "X-Key"]],
                    at: ["components", "securitySchemes"]
                )
            },
            Mutation("an OAuth scheme, whose token is a bearer token", .harmless) {
                $0.setting(["bearer": ["type": "oauth2", "flows": [:]]], at: ["components", "securitySchemes"])
            },
        ]

        private static let bodies = [
            Mutation("a required body", .found("requires a body")) {
                $0.setting(["required": true, "content": [:]], at: ["paths", "/act", "post", "requestBody"])
            },
            Mutation("no body", .found("has none")) { $0.removing(["paths", "/form", "post", "requestBody"]) },
            Mutation("another media type of a body", .found("lists application/xml")) {
                body("/things", "post", ["application/xml": [:]])($0)
            },
            Mutation("plain JSON where a merge patch is sent", .found("lists only application/json")) {
                body("/things/{id}", "patch", ["application/json": ["schema": [:]]])($0)
            },
            Mutation("JSON where a form is sent", .found("lists application/json")) {
                body("/form", "post", ["application/json": ["schema": [:]]])($0)
            },
            Mutation("a new required member", .found("requires the member")) {
                $0.setting(["type": "string"], at: draft + ["properties", "owner"])
                    .setting(["name", "color", "owner"], at: draft + ["required"])
            },
            Mutation("a member that another one requires", .found("together with name")) {
                $0.setting(["name": ["zip"]], at: draft + ["dependentRequired"])
            },
            Mutation("a member that is excluded", .found("rejects the member")) {
                $0.setting(false, at: draft + ["properties", "note"])
            },
            Mutation("a closed object", .found("rejects the member")) {
                $0.removing(draft + ["properties", "note"]).setting(false, at: draft + ["additionalProperties"])
            },
            Mutation("another type of a member", .found("sends a string")) {
                $0.setting(["type": "integer"], at: draft + ["properties", "name"])
            },
            Mutation("a case that is rejected", .found("which the document does not allow")) {
                $0.setting(["red"], at: ["components", "schemas", "Color", "enum"])
            },
            Mutation("a constant", .notCompared) {
                $0.setting(["const": "fixed"], at: draft + ["properties", "name"])
            },
            Mutation("a negation", .notCompared) {
                $0.setting(["not": ["type": "string"]], at: draft + ["properties", "name"])
            },
            Mutation("a field of a form with brackets", .harmless) {
                body(
                    "/form",
                    "post",
                    [
                        "application/x-www-form-urlencoded": [
                            "schema": [
                                "type": "object", "additionalProperties": false,
                                "properties": ["match[]": ["type": "array"], "a": ["type": "string"]],
                            ]
                        ]
                    ]
                )($0)
            },
            Mutation("a missing field of a form", .found("does not list the member")) {
                body(
                    "/form",
                    "post",
                    [
                        "application/x-www-form-urlencoded": [
                            "schema": ["type": "object", "properties": ["a": ["type": "string"]]]
                        ]
                    ]
                )($0)
            },
        ]

        private static let responses = [
            Mutation("another media type of a response", .found("lists application/xml")) {
                $0.setting(["application/xml": [:]], at: search + ["responses", "200", "content"])
            },
            Mutation("JSON where text is read", .found("as text")) {
                $0.setting(
                    ["application/json": ["schema": ["type": "object"]]],
                    at: ["paths", "/text", "get", "responses", "200", "content"]
                )
            },
            Mutation("an image where bytes are read", .harmless) {
                $0.setting(["image/png": [:]], at: ["paths", "/bytes", "get", "responses", "200", "content"])
            },
            Mutation("plain JSON where a stream is read", .found("does not describe a stream")) {
                $0.setting(
                    ["application/json": ["schema": [:]]],
                    at: ["paths", "/events", "get", "responses", "200", "content"]
                )
            },
            Mutation("no body where one is read", .found("has no body here")) {
                $0.setting(["204": ["description": ""]], at: ["paths", "/things/{id}", "get", "responses"])
            },
            Mutation("a success under default alone", .harmless) { document in
                document.setting(
                    ["default": document["paths"]?["/search"]?["get"]?["responses"]?["200"] ?? [:]],
                    at: search + ["responses"]
                )
            },
            Mutation("another success under default alone", .found("specifies array")) {
                $0.setting(
                    ["default": ["content": ["application/json": ["schema": ["type": "array"]]]]],
                    at: search + ["responses"]
                )
            },
            Mutation("a new case", .found("which the enum lacks")) {
                $0.setting(["red", "blue", "green"], at: ["components", "schemas", "Color", "enum"])
            },
            Mutation("a missing member", .found("does not list it")) {
                $0.removing(thing + ["properties", "name"]).setting(["id", "color"], at: thing + ["required"])
            },
            Mutation("an optional member", .found("list it as required")) {
                $0.setting(["id", "color"], at: thing + ["required"])
            },
            Mutation("a member that is excluded from a response", .found("forbids it")) {
                $0.setting(false, at: thing + ["properties", "name"])
            },
            Mutation("null", .found("allows null")) {
                $0.setting(["type": ["string", "null"]], at: thing + ["properties", "name"])
            },
            Mutation("a number where an integer is read", .found("specifies number")) {
                $0.setting(["type": "number"], at: thing + ["properties", "id"])
            },
            Mutation("another format of a text", .notCompared) {
                $0.setting(["type": "string", "format": "date"], at: thing + ["properties", "name"])
            },
            Mutation("an alternative that does not match", .found("alternatives does not match")) { document in
                document.setting(
                    [
                        "oneOf": [
                            document["components"]?["schemas"]?["Thing"] ?? [:],
                            ["type": "object", "properties": ["kind": ["const": "x"]], "required": ["kind"]],
                        ]
                    ],
                    at: thing
                )
            },
            Mutation("another envelope", .found("does not list it")) {
                $0.setting(
                    ["type": "object", "required": ["result"], "properties": ["result": [:]]],
                    at: ["paths", "/things/{id}", "get", "responses", "200", "content", "application/json", "schema"]
                )
            },
            Mutation("another problem", .found("does not list it")) {
                $0.setting(
                    ["type": "object", "required": ["message"], "properties": ["message": ["type": "string"]]],
                    at: ["components", "schemas", "Fault"]
                )
            },
            Mutation("a problem that is one of two", .harmless) {
                $0.setting(
                    ["detail": ["type": "array", "items": ["type": "string"]]],
                    at: ["components", "schemas", "Details", "properties"]
                )
            },
        ]

        private static let wholes = [
            Mutation("a missing path", .found("no such path")) { $0.removing(["paths", "/search"]) },
            Mutation("a missing method", .found("no such method")) { $0.removing(["paths", "/things/{id}", "patch"]) },
            Mutation("another base path", .found("the document's servers have /v2")) {
                $0.setting([["url": "https://changing.example/v2"]], at: ["servers"])
            },
            Mutation("another host with the same base path", .harmless) {
                $0.setting([["url": "https://other.example/v1/"]], at: ["servers"])
            },
            Mutation("a broken reference", .found("does not resolve")) {
                $0.setting(["$ref": "#/components/schemas/Gone"], at: thing + ["properties", "color"])
            },
            Mutation("a deprecated operation", .harmless) { $0.setting(true, at: search + ["deprecated"]) },
            Mutation("a bound", .harmless) { $0.setting(1, at: thing + ["minProperties"]) },
        ]
    }

    @Test("A reference to another file is an informational finding") func externalReferences() throws {
        let own = try Changing().openAPI(title: "Changing", version: "1").json
        let changed = own.setting(["$ref": "thing.json#/Thing"], at: ["components", "schemas", "Thing"])
        let findings = try Changing().compare(with: OpenAPIDocument(changed))
        let found = findings.filter { $0.clause == "$ref thing.json#/Thing" }
        #expect(found.map(\.severity) == [.information])
        #expect(found.first?.place == "#/components/schemas/Thing")
    }
}

private extension JSONValue {
    /// Returns the object with the given members added or replaced.
    func applying(_ members: JSONValue) -> JSONValue {
        .object((objectValue ?? [:]).merging(members.objectValue ?? [:]) { $1 })
    }
}

private enum Color: String, Codable, Sendable, CaseIterable { case red, blue }

private struct Thing: Entity {
    let id: Int
    var name: String
    var color: Color

    struct Draft: RequestContent, ResponseContent {
        var name: String
        var color: Color
        var note: String?
    }

    struct Patch: RequestContent, ResponseContent { var name: String? }
}

private struct Fault: ResponseContent { let error: String }
private struct Details: ResponseContent { let detail: String }
private struct DetailList: ResponseContent { let detail: [String] }

private struct Changing: DescribedAPI {
    let client = Client(URL(string: "https://changing.example/v1") ?? URL(filePath: "/")) {
        Problem(Fault.self)
        Authorization(.bearer("token"))
        Envelope("data")
    }

    var things: Resource<Thing, ReadWrite> {
        resource("things") { Paginated(.cursor(at: "meta", "next", as: "after", size: .query("limit", 5))) }
    }

    var calls: APIDescription {
        things
        endpoint([Thing].self) {
            GET("search")
            Query("q", "a")
            Query("n", 5)
            Query("tags", ["a", "b"], as: .commaSeparated)
            Header(.cookie, "theme=dark; lang=en")
        }
        endpoint {
            POST("form")
            Body(form: ["a": "1", "match[]": "2"])
        } as Endpoint<Void>
        endpoint { POST("act") } as Endpoint<Void>
        endpoint(String.self) {
            GET("text")
            Envelope.none
        }
        endpoint(Data.self) { GET("bytes") }
        endpoint(Events<Fault>.self) { GET("events") }
        endpoint(Thing.self) {
            GET("described")
            Problem(Details.self, on: 422)
            Problem(DetailList.self, on: 422)
        }
    }
}
