import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Identifiers in queries and bodies")
struct OperationArgumentTests {
    private struct Experiment: Entity, Equatable {
        let id: Int
        var name: String

        enum CodingKeys: String, CodingKey { case id = "experiment_id", name }

        struct Draft: Encodable, Sendable { var name: String }
    }

    private func experiments(_ stub: StubTransport) -> Resource<Experiment, ReadWrite> {
        Shop(stub).resource("experiments") {
            Envelope(item: "experiment", list: "experiments")
            Paginated(.cursor(at: "next_page_token", as: .body("page_token")))
            On(.list) {
                POST("\(.resource)/search")
                Body.Member("max_results", 2)
            }
            On(.read) {
                GET("\(.resource)/get")
                Query("experiment_id", .id)
            }
            On(.create) { POST("\(.resource)/create") }
            On(.update) {
                POST("\(.resource)/update")
                Body.Member("experiment_id", .id)
            }
            On(.delete) {
                POST("\(.resource)/delete")
                Body.Member("experiment_id", .id)
            }
        }
    }

    @Test("An RPC-style API can be declared as a resource")
    func procedures() async throws {
        let one = StubResponse.json(#"{"experiment":{"experiment_id":7,"name":"a"}}"#)
        let stub = StubTransport([
            "GET experiments/get": .response(one), "POST experiments/create": .response(one),
            "POST experiments/update": .response(one),
            "POST experiments/delete": .json("{}"),
            "POST experiments/search": .sequence([
                .json(#"{"experiments":[{"experiment_id":7,"name":"a"}],"next_page_token":"t"}"#),
                .json(#"{"experiments":[{"experiment_id":8,"name":"b"}]}"#),
            ]),
        ])
        let experiments = experiments(stub)
        #expect(try await experiments.read(7) == Experiment(id: 7, name: "a"))
        _ = try await experiments.create(.init(name: "a"))
        _ = try await experiments.update(Experiment(id: 7, name: "a"))
        try await experiments.delete(7)
        var ids: [Int] = []
        for try await experiment in experiments.all { ids.append(experiment.id) }
        #expect(ids == [7, 8])
        #expect(
            stub.requests.map { "\($0.method) \($0.path)?\($0.query ?? "") \($0.text)" } == [
                "GET /v1/experiments/get?experiment_id=7 ", #"POST /v1/experiments/create? {"name":"a"}"#,
                #"POST /v1/experiments/update? {"experiment_id":7,"name":"a"}"#,
                #"POST /v1/experiments/delete? {"experiment_id":7}"#,
                #"POST /v1/experiments/search? {"max_results":2}"#,
                #"POST /v1/experiments/search? {"max_results":2,"page_token":"t"}"#,
            ]
        )
        #expect(stub.requests.last?.headerFields[.contentType] == "application/json")
    }

    @Test("A POST list with page tokens in the body sends a body for the first page too")
    func firstPage() async throws {
        let stub = StubTransport(["POST items": .json(#"{"items":[]}"#)])
        let items: Endpoint<[Int]> = Shop(stub).endpoint {
            POST("items")
            Envelope("items")
            Paginated(.cursor(at: "next", as: .body("token")))
        }
        _ = try await items.page()
        #expect(stub.requests.map(\.text) == ["{}"])
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let scope: @Sendable () -> Scope

        init(_ name: String, _ body: String, @Scope.EndpointBuilder _ scope: @escaping @Sendable () -> Scope) {
            testDescription = name
            self.body = body
            self.scope = scope
        }
    }

    static let bodies = [
        Row("a member of a form", "name=L&tags=a&tags=b") {
            POST("a")
            Body(form: ["name": "L"])
            Body.Member("tags", ["a", "b"])
        },
        Row("a member of a request without a body, where bodies are forms", "tags%5B%5D=a") {
            POST("a")
            Body.Format(as: .form(arrays: .brackets))
            Body.Member("tags", ["a"])
        },
        Row("a member stands outside of the keys around the value", #"{"data":{"name":"L"},"kind":"x"}"#) {
            POST("a")
            Body(["name": "L"])
            Body.Format(under: "data")
            Body.Member("kind", "x")
        },
        Row("a member takes the place of the value's own", #"{"kind":"x","name":"L"}"#) {
            POST("a")
            Body(["name": "L", "kind": "y"])
            Body.Member("kind", "x")
        },
        Row("a member is encoded by the encoder in scope", #"{"at":60,"list":{"a_b":1}}"#) {
            POST("a")
            Encode(keys: .convertToSnakeCase, dates: .secondsSince1970)
            Body.Member("at", [Date(timeIntervalSince1970: 60)][0])
            Body.Member("list", Nested())
        },
        Row("members at paths, in an object and in arrays", #"{"a":{"b":[{"c":1},2],"d":3}}"#) {
            POST("a")
            Body.Member(["a", "b", 0, "c"], 1)
            Body.Member(["a", "b", 1], 2)
            Body.Member(["a", "d"], 3)
        },
        Row("a member at a path of the value's own object", #"{"a":{"b":1,"c":2}}"#) {
            POST("a")
            Body(["a": ["b": 1, "c": 1]])
            Body.Member(["a", "c"], 2)
        },
        Row("a member at a path within an earlier member", #"{"a":{"b":1,"c":2}}"#) {
            POST("a")
            Body.Member("a", ["b": 1])
            Body.Member(["a", "c"], 2)
        },
        Row("a member at a path of a form", "name=L&a%5Bb%5D=1") {
            POST("a")
            Body(form: ["name": "L"])
            Body.Member(["a", "b"], 1)
        },
        Row("a nil member is left out", #"{"a":1}"#) {
            POST("a")
            Body.Member("a", 1)
            Body.Member("b", nil as Int?)
        },
    ]

    struct Nested: Encodable, Sendable { var aB = 1 }

    @Test("A declared member is added to a body of any format", arguments: bodies)
    func members(_ row: Row) throws {
        let endpoint: Endpoint<Void> = Shop().endpoint(row.scope)
        #expect(String(decoding: try endpoint.body ?? Data(), as: UTF8.self) == row.body)
    }

    @Test("A member declared in an inner scope overrides one in an outer scope")
    func precedence() throws {
        let endpoint: Endpoint<Void> = Shop {
            Body.Member("a", 1)
            Body.Member("b", 1)
        }.endpoint {
            POST("a")
            Body.Member("b", 2)
        }
        #expect(try endpoint.body == Data(#"{"a":1,"b":2}"#.utf8))
        #expect(try endpoint.explanation.contains(/Body\.Member: b +endpoint, before client: a, b/))
    }

    static let declarationErrors = [
        Row("no id for a query item", #"Query("id", .id): the call has no id"#) {
            GET("a")
            Query("id", .id)
        },
        Row("no id for a member", #"Body.Member("id", .id): the call has no id"#) {
            POST("a")
            Body.Member("id", .id)
        },
        Row("a body that is a list", #"Body.Member("a"): a member needs a body that is a JSON object or a form"#) {
            POST("a")
            Body([1])
            Body.Member("a", 1)
        },
        Row("a body of bytes", #"Body.Member("a"): a member needs a body that is a JSON object or a form"#) {
            POST("a")
            Body(Data([1]), contentType: "image/png")
            Body.Member("a", 1)
        },
        Row("two of a name", #"Body.Member("a"): the same scope declares it twice"#) {
            POST("a")
            Body.Member("a", 1)
            Body.Member("a", 2)
        },
        Row("two at a path", #"Body.Member(["a", "b"]): the same scope declares it twice"#) {
            POST("a")
            Body.Member(["a", "b"], 1)
            Body.Member(["a", "b"], 2)
        },
        Row("a value around one that is declared before it", #"Body.Member("a"): the same scope declares ["a", "b"]"#) {
            POST("a")
            Body.Member(["a", "b"], 1)
            Body.Member("a", 2)
        },
        Row("a path through a text", #"Body.Member(["a", "b"]): a is text in the body, which has no members"#) {
            POST("a")
            Body(["a": "text"])
            Body.Member(["a", "b"], 1)
        },
        Row("an index of an object", #"Body.Member(["a", 0]): a is an object in the body, which has no elements"#) {
            POST("a")
            Body(["a": ["b": 1]])
            Body.Member(["a", 0], 1)
        },
        Row("an index behind a gap", #"Body.Member(["a", 1]): a has 0 elements in the body"#) {
            POST("a")
            Body.Member(["a", 1], 1)
        },
        Row("an index below 0", #"Body.Member(["a", -1]): a has 0 elements in the body"#) {
            POST("a")
            Body.Member(["a", -1], 1)
        },
        Row("an empty path", #"Body.Member([]): a member needs a name"#) {
            POST("a")
            Body.Member([], 1)
        },
        Row("a path that begins with an index", #"Body.Member([0]): a member needs a name"#) {
            POST("a")
            Body.Member([0], 1)
        },
        Row("a value that cannot be encoded", #"Body.Member("a")"#) {
            POST("a")
            Body.Member("a", Double.nan)
        },
    ]

    @Test("An invalid operation argument is a declaration error", arguments: declarationErrors)
    func rejectsDeclarations(_ row: Row) {
        let endpoint: Endpoint<Void> = Shop().endpoint(row.scope)
        #expect { try endpoint.plan() } throws: { "\($0)".contains(row.body) }
    }

    @Test("An identifier can be nested under literal keys and overrides an outer member at the same path")
    func idBelowKeys() throws {
        let items: Resource<Experiment, ReadWrite> = Shop {
            Body.Member("TableName", "items")
            Body.Member(["Key", "id", "N"], 0)
        }.resource("items") {
            On(.delete) {
                POST("delete")
                Body.Member(["Key", "id", "N"], .id)
                Body.Member(["arguments", "ids", 0], .id)
            }
        }
        #expect(
            try items.endpoints.delete(7).body.map { String(decoding: $0, as: UTF8.self) }
                == #"{"Key":{"id":{"N":7}},"TableName":"items","arguments":{"ids":[7]}}"#
        )
    }

    @Test("A string identifier is a JSON string in the body and percent-encoded text in the query")
    func ids() throws {
        struct SKU: RawRepresentable, Codable, Hashable, Sendable, PathSegmentConvertible { let rawValue: String }
        struct Part: Entity { let id: SKU }
        let parts: Resource<Part, ReadWrite> = Shop().resource("parts") {
            On(.delete) {
                POST("\(.resource)/delete")
                Body.Member("id", .id)
                Query("id", .id)
            }
        }
        let endpoint = parts.endpoints.delete(SKU(rawValue: "a b"))
        #expect(try endpoint.body == Data(#"{"id":"a b"}"#.utf8))
        #expect(try endpoint.url.absoluteString == "https://shop.example/v1/parts/delete?id=a%20b")
    }
}
