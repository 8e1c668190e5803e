import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Resource operations")
struct ResourceTests {
    enum Everything: Listable, Readable, Creatable, BatchCreatable, Updatable, BatchUpdatable, Patchable, Deletable {}

    static let lamp = Product(id: 7, name: "Lamp", price: 30)

    /// An operation, its default request and the response to decode.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let request: String
        var response: StubResponse = .json(#"{"id":7,"name":"Lamp","price":30}"#)
        let call: @Sendable (Resource<Product, Everything>, Singleton<Profile, Everything>) async throws -> String
    }

    @Test("Resource operations send the expected requests and decode the responses", arguments: rows)
    func operation(_ row: Row) async throws {
        let stub = StubTransport { _ in row.response }
        let client = Client(Shop.url, transport: stub)
        let value = try await row.call(client.resource("products"), client.singleton("profile"))
        #expect(value == "")
        let request = try #require(stub.requests.first)
        let type = request.headerFields[.contentType].map { " (\($0))" } ?? ""
        #expect("\(request.method) \(request.path)\(type) \(request.text)" == row.request)
    }

    /// Returns an empty string if the values are equal, and a description of both otherwise.
    private static func compare<Value: Equatable>(_ value: Value, _ expected: Value) -> String {
        value == expected ? "" : "\(value) is not \(expected)"
    }

    static let json = "(application/json)"
    static let patch = "(application/merge-patch+json)"

    static let rows = [
        Row(
            testDescription: "list",
            request: "GET /v1/products ",
            response: .json(#"[{"id":7,"name":"Lamp","price":30}]"#)
        ) { products, _ in compare(try await products.list(), [lamp]) },
        Row(testDescription: "read", request: "GET /v1/products/7 ") { products, _ in
            compare(try await products.read(7), lamp)
        },
        Row(testDescription: "refresh", request: "GET /v1/products/7 ") { products, _ in
            compare(try await products.refresh(Product(id: 7, name: "old")), lamp)
        },
        Row(testDescription: "create", request: #"POST /v1/products \#(json) {"name":"Lamp","price":30}"#) {
            products,
            _ in compare(try await products.create(.init(name: "Lamp", price: 30)), lamp)
        },
        Row(
            testDescription: "create several",
            request: #"POST /v1/products \#(json) [{"name":"Lamp"},{"name":"M"}]"#,
            response: .json(#"[{"id":1,"name":"Lamp"},{"id":2,"name":"M"}]"#)
        ) { products, _ in
            compare(try await products.create([.init(name: "Lamp"), .init(name: "M")]).map(\.id), [1, 2])
        },
        Row(testDescription: "update", request: #"PUT /v1/products/7 \#(json) {"id":7,"name":"Lamp","price":30}"#) {
            products,
            _ in compare(try await products.update(lamp), lamp)
        },
        Row(
            testDescription: "update several",
            request: #"PATCH /v1/products \#(json) [{"id":7,"name":"Lamp","price":30}]"#,
            response: .json(#"[{"id":7,"name":"Lamp","price":30}]"#)
        ) { products, _ in compare(try await products.update([lamp]), [lamp]) },
        Row(testDescription: "patch", request: #"PATCH /v1/products/7 \#(patch) {"name":"Lamp","price":null}"#) {
            products,
            _ in compare(try await products.patch(7, .init(name: "Lamp", price: .null)), lamp)
        },
        Row(
            testDescription: "patch by difference",
            request: #"PATCH /v1/products/7 \#(patch) {"name":"Lamp","price":null}"#
        ) {
            products,
            _ in
            compare(
                try await products.patch(
                    from: Product(id: 7, name: "Old", price: 5),
                    to: Product(id: 7, name: "Lamp")
                ),
                lamp
            )
        },
        Row(testDescription: "delete an item", request: "DELETE /v1/products/7 ", response: .status(204)) {
            products,
            _ in
            try await products.delete(lamp)
            try await products.endpoints.delete(lamp).send()
            return ""
        },
        Row(testDescription: "delete", request: "DELETE /v1/products/7 ", response: .status(204)) { products, _ in
            try await products.delete(7)
            return ""
        },
        Row(testDescription: "read a singleton", request: "GET /v1/profile ", response: .json(#"{"name":"Bo"}"#)) {
            _,
            profile in compare(try await profile.read(), Profile(name: "Bo"))
        },
        Row(
            testDescription: "create a singleton",
            request: #"POST /v1/profile \#(json) {"name":"Bo"}"#,
            response: .json(#"{"name":"Bo"}"#)
        ) { _, profile in compare(try await profile.create(Profile(name: "Bo")), Profile(name: "Bo")) },
        Row(
            testDescription: "update a singleton",
            request: #"PUT /v1/profile \#(json) {"name":"Bo"}"#,
            response: .json(#"{"name":"Bo"}"#)
        ) { _, profile in compare(try await profile.update(Profile(name: "Bo")), Profile(name: "Bo")) },
        Row(
            testDescription: "patch a singleton",
            request: #"PATCH /v1/profile \#(patch) {"name":"Bo"}"#,
            response: .json(#"{"name":"Bo"}"#)
        ) { _, profile in compare(try await profile.patch(Profile(name: "Bo")), Profile(name: "Bo")) },
        Row(
            testDescription: "patch a singleton by difference",
            request: #"PATCH /v1/profile \#(patch) {"nickname":null}"#,
            response: .json(#"{"name":"Bo"}"#)
        ) { _, profile in
            compare(
                try await profile.patch(from: Profile(name: "Bo", nickname: "B"), to: Profile(name: "Bo")),
                Profile(name: "Bo")
            )
        },
        Row(testDescription: "delete a singleton", request: "DELETE /v1/profile ", response: .status(204)) {
            _,
            profile in
            try await profile.delete()
            return ""
        },
    ]

    @Test("Patching with an empty difference sends nothing, and different identifiers are a declaration error")
    func differences() async throws {
        let stub = StubTransport([:])
        let products: Resource<Product, ReadWrite> = Shop(stub).resource("products")
        #expect(try await products.patch(from: Self.lamp, to: Self.lamp) == Self.lamp)
        #expect(try products.endpoints.patch(from: Self.lamp, to: Self.lamp) == nil)
        let error = await failure {
            try await products.patch(from: Self.lamp, to: Product(id: 8, name: "Lamp"))
        }
        #expect(
            error?.description == """
                PATCH products could not be built; nothing was sent
                  patch(from:to:)(7, 8): the two states have different ids; a patch changes one item and leaves its id
                """
        )
        #expect(stub.requests.isEmpty)
    }

    struct Settings: Entity {
        let id: String
        var theme: Theme
        var tags: [String]
        struct Theme: Codable, Sendable { var dark: Bool, size: Int?, font: String? }
    }

    @Test("A difference is recursive, replaces arrays entirely and uses the encoder's keys")
    func recursiveDifference() throws {
        let old = Settings(id: "a b", theme: .init(dark: true, size: 3, font: "x"), tags: ["a", "b"])
        let new = Settings(id: "a b", theme: .init(dark: true, size: nil, font: "y"), tags: ["b"])
        let resource: Resource<Settings, ReadWrite> = Shop().resource("settings")
        let endpoint = try #require(try resource.endpoints.patch(from: old, to: new))
        #expect(
            try text(of: endpoint.plan()) == """
                PATCH https://shop.example/v1/settings/a%20b
                Content-Type: application/merge-patch+json
                {"tags":["b"],"theme":{"font":"y","size":null}}
                """
        )

        struct Snake: Entity { var id: Int, fullName: String }
        let snakes: Resource<Snake, ReadWrite> = Shop().resource("snakes") { Encode(keys: .convertToSnakeCase) }
        let snake = try #require(
            try snakes.endpoints.patch(from: Snake(id: 1, fullName: "a"), to: Snake(id: 1, fullName: "b"))
        )
        #expect(try snake.body == Data(#"{"full_name":"b"}"#.utf8))
    }

    @Test("A resource's clauses apply to its custom endpoints, and sub-resources have nested paths")
    func customEndpoints() async throws {
        let stub = StubTransport([
            "GET users/active": .json(#"{"data":[{"id":1,"name":"Bo"}]}"#), "POST users/{}/activate": .status(204),
            "GET users/{}/posts": .json("[]"),
        ])
        let shop = Shop(stub)
        let users: Resource<Product, ReadOnly> = shop.resource("users") { Envelope("data") }
        let active: Endpoint<[Product]> = users.endpoint { GET("\(.resource)/active") }
        #expect(try await active.send().map(\.name) == ["Bo"])
        try await users.endpoint { POST("\(.resource)/\(7)/activate") }.send()
        let posts: Resource<Product, ReadOnly> = shop.resource("users/\(7)/posts")
        #expect(try await posts.list().isEmpty)
        #expect(
            stub.requests.map { "\($0.method) \($0.path) \($0.template)" } == [
                "GET /v1/users/active users/active", "POST /v1/users/7/activate users/{}/activate",
                "GET /v1/users/7/posts users/{}/posts",
            ]
        )
    }

    @Test("A trailing slash in a collection's path is kept for its items")
    func trailingSlash() throws {
        let products: Resource<Product, ReadWrite> = Shop().resource("products/")
        #expect(try products.endpoints.list().url.absoluteString == "https://shop.example/v1/products/")
        #expect(try products.endpoints.read(7).url.absoluteString == "https://shop.example/v1/products/7/")
        #expect(try products.endpoints.read(7).template == "products/{}/")
    }

    @Test("An identifier of any type is a single path segment")
    func ids() throws {
        struct SKU: RawRepresentable, Codable, Hashable, Sendable, PathSegmentConvertible { let rawValue: String }
        struct Part: Entity { let id: SKU }
        struct Node: Entity { let id: UUID }
        let parts: Resource<Part, ReadOnly> = Shop().resource("parts")
        #expect(try parts.endpoints.read(SKU(rawValue: "a/b")).url.absoluteString.hasSuffix("/parts/a%2Fb"))
        let nodes: Resource<Node, ReadOnly> = Shop().resource("nodes")
        let id = try #require(UUID(uuidString: "12345678-1234-1234-1234-123456789ABC"))
        #expect(try nodes.endpoints.read(id).url.absoluteString.hasSuffix("/nodes/\(id.uuidString.lowercased())"))
    }

    @Test("A partial response is merged over the sent entity if declared")
    func mergedResponses() async throws {
        let stub = StubTransport([
            "POST products": .json(#"{"data":{"id":7}}"#), "PUT products/{}": .status(204),
            "PATCH products/{}": .json(#"{"data":{"price":9.5}}"#),
        ])
        let products: Resource<Product, ReadWrite> = Shop(stub).resource("products") {
            Envelope("data")
            Body.Format(under: "data")
            WriteResult(.merged)
        }
        #expect(
            try await products.create(.init(name: "Lamp", price: 19.99)) == Product(id: 7, name: "Lamp", price: 19.99)
        )
        #expect(try await products.update(Self.lamp) == Self.lamp)
        let changed = try await products.patch(from: Self.lamp, to: Product(id: 7, name: "Lantern", price: 30))
        #expect(changed == Product(id: 7, name: "Lantern", price: 9.5))
    }

    @Test("A batch's responses are merged over the sent items one by one")
    func mergedBatch() async throws {
        let stub = StubTransport(["POST products": .json(#"[{"id":1},{"id":2,"name":"B"}]"#)])
        let products: Resource<Product, Everything> = Shop(stub).resource("products") { WriteResult(.merged) }
        #expect(
            try await products.create([.init(name: "a"), .init(name: "b")])
                == [Product(id: 1, name: "a"), Product(id: 2, name: "B")]
        )
    }

    @Test("A batch's failures are reported item by item if the server responds with individual results")
    func batchFailures() async throws {
        struct Complaint: Decodable, Sendable, Equatable { let code: String }
        let response = StubResponse.json(
            #"{"items":[{"product":{"id":1,"name":"a"}},{"error":{"code":"dup"}},{"product":{"id":3,"name":"c"},"error":null}]}"#,
            status: 207
        )
        let products: Resource<Product, Everything> = Shop(StubTransport { _ in response }).resource("products") {
            Envelope(list: "items")
            WriteResult.ItemProblem(Complaint.self, at: "error", item: ["product"])
        }
        let drafts = ["a", "b", "c"].map { Product.Draft(name: $0) }
        let results = try await products.create(each: drafts)
        #expect(results.map { try? $0.get().id } == [1, nil, 3])
        guard case .failure(let item) = results[1] else {
            Issue.record("expected the second item to fail")
            return
        }
        #expect(item.index == 1)
        #expect(item.problem(as: Complaint.self) == Complaint(code: "dup"))

        guard
            case .items(let failure) = await failure({ try await products.create(drafts) })
        else {
            Issue.record("expected a failure of items")
            return
        }
        #expect(failure.items.map(\.index) == [1])
        #expect(failure.count == 3)
        #expect(failure.status == 207)
    }

    @Test("A record is a JSON object with its identifier under a named key")
    func records() async throws {
        struct Message: JSONEntity {
            static let idKey = "message_id"
            var fields: [String: JSONValue]
        }
        let stub = StubTransport([
            "POST messages": .json(#"{"message_id":7,"text":"hi","at":"now"}"#),
            "PUT messages/{}": .response { request in .json(request.text) },
            "GET messages/{}": .json(#"{"text":"hi"}"#),
        ])
        let messages: Resource<Message, ReadWrite> = Shop(stub).resource("messages")
        var message = try await messages.create(["text": "hi"])
        #expect(message.id == 7)
        #expect(message["at"] == "now")
        message["text"] = "ho"
        #expect(try await messages.update(message)["text"] == "ho")
        #expect(stub.requests.last?.text == #"{"at":"now","message_id":7,"text":"ho"}"#)

        let error = await failure { try await messages.read(7) }
        #expect(error?.description.contains(#"the key "message_id" is missing"#) == true)
        let unsaved = await failure { try await messages.update(Message(fields: [:])) }
        guard case .request = unsaved else {
            Issue.record("expected a request failure")
            return
        }
    }

    @Test("A record identifier prints as in a path, alone and within other values")
    func recordIDs() {
        #expect("\(JSONValue.EntityID.string("s102"))" == "s102")
        #expect("\(JSONValue.EntityID.integer(7))" == "7")
        #expect(String(describing: [JSONValue.EntityID.string("s102"), 7]) == "[s102, 7]")
        #expect(String(reflecting: JSONValue.EntityID.string("s102")) == "s102")
    }

    @Test("A difference always includes the declared members")
    func keptMembers() throws {
        let products: Resource<Product, ReadWrite> = Shop().resource("products") {
            Body.Differences(keeping: "id", "kind")
        }
        let endpoint = try #require(
            try products.endpoints.patch(from: Self.lamp, to: Product(id: 7, name: "M", price: 30))
        )
        #expect(try endpoint.body == Data(#"{"id":7,"name":"M"}"#.utf8))
        #expect(try products.endpoints.patch(from: Self.lamp, to: Self.lamp) == nil)
    }

    @Test("A resource path with a trailing slash does not produce double slashes in custom endpoints")
    func pathBelow() throws {
        let products: Resource<Product, ReadWrite> = Shop().resource("products/")
        let endpoint: Endpoint<Void> = products.endpoint { POST("\(.resource)/\(7)/activate/") }
        #expect(try endpoint.url.absoluteString == "https://shop.example/v1/products/7/activate/")
        #expect("\(products)" == "resource products/")
    }

    @Test("Individual batch results are merged over the sent items")
    func mergedResults() async throws {
        struct Complaint: Decodable, Sendable { let code: String }
        let response = StubResponse.json(#"[{"id":1},{"error":{"code":"dup"}},{"id":3,"name":"C"}]"#)
        let products: Resource<Product, Everything> = Shop(StubTransport { _ in response }).resource("products") {
            WriteResult(.merged)
            WriteResult.ItemProblem(Complaint.self, at: "error")
        }
        let results = try await products.create(each: [.init(name: "a"), .init(name: "b"), .init(name: "c")])
        #expect(results.map { try? $0.get().name } == ["a", nil, "C"])
    }

    @Test("A record keeps its keys unchanged under any key strategy")
    func recordKeys() async throws {
        struct Message: JSONEntity {
            static let idKey = "message_id"
            var fields: [String: JSONValue]
        }
        let stub = StubTransport([
            "GET messages/{}": .json(#"{"message_id":7,"sentAt":"x"}"#),
            "PUT messages/{}": .response { .json($0.text) },
        ])
        let messages: Resource<Message, ReadWrite> = Shop(stub).resource("messages") {
            Decode(keys: .convertFromSnakeCase)
            Encode(keys: .convertToSnakeCase)
        }
        let message = try await messages.read(7)
        #expect(message["sentAt"] == "x")
        _ = try await messages.update(message)
        #expect(stub.requests.last?.text == #"{"message_id":7,"sentAt":"x"}"#)
    }
}
