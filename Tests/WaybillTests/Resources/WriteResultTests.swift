import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("WriteResult")
struct WriteResultTests {
    private enum Everything: BatchCreatable, BatchUpdatable, Creatable, Updatable, Patchable, Deletable, Readable {}

    private static let lamp = Product(id: 7, name: "Lamp", price: 30)

    private func products(
        _ responses: StubResponses,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> (Resource<Product, Everything>, StubTransport) {
        let stub = StubTransport(responses)
        return (Shop(stub).resource("products", clauses), stub)
    }

    /// The sources that an outer scope declares.
    static let outer: [WriteResult.Source] = [.merged, .sent, .reread]

    @Test("WriteResult.none returns the response to a write, overriding outer scopes", arguments: outer)
    func none(_ source: WriteResult.Source) async throws {
        let stub = StubTransport([
            "POST products": .json(#"{"id":7,"name":"Lamp","price":30}"#, status: 201),
            "PATCH products/{}": .json(#"{"id":7,"name":"Lamp","price":30}"#),
        ])
        let shop = Shop(stub) { WriteResult(source) }
        let products: Resource<Product, Everything> = shop.resource("products") { WriteResult.none }
        #expect(try await products.create(.init(name: "x")) == Self.lamp)
        #expect(try await products.patch(7, .init(name: "x")) == Self.lamp)
        #expect(stub.requests.map { "\($0.method)" } == ["POST", "PATCH"])
        #expect(try products.endpoints.create(.init(name: "x")).explanation.contains("WriteResult: response"))
        let created: Resource<Product, Everything> = shop.resource("products") { On(.create) { WriteResult.none } }
        #expect(try await created.create(.init(name: "x")) == Self.lamp)
        #expect(stub.requests.count == 3)
    }

    @Test("With WriteResult.none, a response without a complete entity is an error")
    func nonePartial() async {
        let stub = StubTransport(["POST products": .json(#"{"id":7}"#, status: 201), "PUT products/{}": .status(204)])
        let shop = Shop(stub) { WriteResult(.merged) }
        let products: Resource<Product, Everything> = shop.resource("products") { WriteResult.none }
        #expect(await failure { try await products.create(.init(name: "x")) } != nil)
        #expect(await failure { try await products.update(Self.lamp) } != nil)
    }

    @Test(
        "A partial patch is a declaration error with a source that needs the full entity",
        arguments: ["merged", "sent"]
    )
    func changes(_ name: String) async throws {
        let source = try #require(WriteResult.Source(rawValue: name))
        let (products, stub) = products(["PATCH products/{}": .status(204)]) { WriteResult(source) }
        let error = await failure { try await products.patch(7, .init(name: "L")) }
        #expect(stub.requests.isEmpty)
        #expect(
            error?.description.contains("WriteResult(.\(name)): a patch with changes does not have the rest") == true
        )
        #expect(error?.description.contains("endpoints.patch(…).returning(Void.self)") == true)
    }

    @Test("A write with an empty response is followed by a read if declared")
    func reread() async throws {
        let entity = StubResponse.json(#"{"id":7,"name":"Lamp","price":30}"#)
        let (products, stub) = products([
            "PATCH products/{}": .status(204), "PUT products/{}": .status(204), "GET products/{}": .response(entity),
        ]) { WriteResult(.reread) }
        #expect(try await products.patch(7, .init(name: "Lamp")) == Self.lamp)
        #expect(try await products.update(Product(id: 7, name: "x")) == Self.lamp)
        #expect(
            try await products.patch(from: Product(id: 7, name: "x"), to: Product(id: 7, name: "Lamp")) == Self.lamp
        )
        #expect(stub.requests.map { "\($0.method)" } == ["PATCH", "GET", "PUT", "GET", "PATCH", "GET"])
    }

    @Test("The read after a write drops the write's condition and applies the clauses for reads")
    func rereadConditions() async throws {
        let (products, stub) = products([
            "PUT products/{}": .status(204), "GET catalogue/{}": .json(#"{"id":7,"name":"Lamp"}"#),
        ]) {
            WriteResult(.reread)
            Header("X-House", "a")
            On(.read) { GET("catalogue/\(.id)") }
        }
        let tag = try #require(HTTPField.EntityTag(#""v1""#))
        _ = try await products.with { IfMatch(tag) }.update(Self.lamp)
        #expect(stub.requests.map { $0.headerFields[.ifMatch] } == [#""v1""#, nil])
        #expect(stub.requests.map { $0.headerFields["X-House"] } == ["a", "a"])
        #expect(stub.requests.last?.path == "/v1/catalogue/7")
    }

    @Test("A created entity is fetched from the response's Location")
    func rereadCreated() async throws {
        let stub = StubTransport { request in
            request.method == .post
                ? .status(201, headers: [HTTPField(name: .location, value: "/v1/products/7")])
                : .json(#"{"id":7,"name":"Lamp","price":30}"#)
        }
        let products: Resource<Product, Everything> = Shop(stub).resource("products") { WriteResult(.reread) }
        #expect(try await products.create(.init(name: "Lamp")) == Self.lamp)
        #expect(stub.requests.last?.path == "/v1/products/7")
    }

    @Test("A Location that is missing or on another origin is an error", arguments: [nil, "https://evil.example/7"])
    func noLocation(_ location: String?) async {
        let fields: HTTPFields = location.map { [HTTPField(name: .location, value: $0)] } ?? []
        let (products, stub) = products(["POST products": .status(201, headers: fields)]) { WriteResult(.reread) }
        let error = await failure { try await products.create(.init(name: "Lamp")) }
        let expected = location == nil ? "the Location of the response, which has none" : "it is on another origin"
        #expect(error?.description.contains(expected) == true)
        #expect(stub.requests.count == 1)
    }

    @Test("A failed write is not followed by a read")
    func failedWrite() async {
        let (products, stub) = products(["PUT products/{}": .status(409)]) { WriteResult(.reread) }
        let error = await failure { try await products.update(Self.lamp) }
        #expect(error?.status == 409)
        #expect(stub.requests.count == 1)
    }

    @Test("With WriteResult(.sent), an empty response returns the sent entity, and any other returns the decoded one")
    func sent() async throws {
        let (products, _) = products([
            "PUT products/{}": .sequence([.status(204), .json(#"{"id":7,"name":"Bulb"}"#)])
        ]) { WriteResult(.sent) }
        #expect(try await products.update(Self.lamp) == Self.lamp)
        // The server's entity has no price, and the sent price is not merged into the result.
        #expect(try await products.update(Self.lamp) == Product(id: 7, name: "Bulb"))
    }

    @Test("An empty batch response returns the sent items", arguments: [[], ["product"]] as [[EnvelopeKey]])
    func sentBatch(item: [EnvelopeKey]) async throws {
        struct Complaint: Decodable, Sendable { let code: String }
        let (products, _) = products(["PATCH products": .status(204)]) {
            WriteResult(.sent)
            WriteResult.ItemProblem(Complaint.self, at: "error", item: item)
        }
        #expect(try await products.update([Self.lamp]) == [Self.lamp])
    }

    @Test("A batch item with neither an entity nor a problem returns the sent item if declared")
    func emptyItems() async throws {
        struct Complaint: Decodable, Sendable { let code: String }
        let response = StubResponse.json(#"[{"status":"ok"},{"error":{"code":"dup"}},null]"#)
        let (products, _) = products(["PATCH products": .response(response)]) {
            WriteResult(.merged)
            WriteResult.ItemProblem(Complaint.self, at: "error", item: ["product"])
        }
        let results = try await products.update(each: [Self.lamp, Self.lamp, Self.lamp])
        #expect(results.map { try? $0.get() } == [Self.lamp, nil, Self.lamp])
    }

    @Test("A merged batch keeps its response's attempt number and body")
    func mergedReply() async throws {
        let (products, _) = products(["PATCH products": .json(#"[{"price":1}]"#)]) { WriteResult(.merged) }
        let response = try await products.endpoints.update(each: [Self.lamp]).response()
        #expect(response.body == Data(#"[{"price":1}]"#.utf8))
        let (failing, _) = self.products([
            "PATCH products": .sequence([.status(503), .json(#"[{"price":"x"}]"#)])
        ]) {
            WriteResult(.merged)
            Retry(attempts: 2, backoff: .constant(.zero), methods: [.patch])
        }
        let error = await failure { try await failing.update(each: [Self.lamp]) }
        #expect(error?.call.attempt == 2)
        #expect(error?.call.earlierFailures.count == 1)
    }

    @Test("A write that returns Void accepts any response")
    func nothing() async throws {
        let (products, stub) = products([
            "POST products": .text("created"), "PUT products/{}": .status(204), "PATCH products/{}": .json("{}"),
            "PATCH products": .status(204),
        ]) { WriteResult(.merged) }
        try await products.endpoints.create(.init(name: "Lamp")).returning(Void.self).send()
        try await products.endpoints.update(Self.lamp).returning(Void.self).send()
        try await products.endpoints.update(7, Self.lamp).returning(Void.self).send()
        try await products.endpoints.patch(7, .init(name: "Lamp")).returning(Void.self).send()
        try await products.endpoints.update([Self.lamp]).returning(Void.self).send()
        try await products.endpoints.create([.init(name: "Lamp")]).returning(Void.self).send()
        #expect(stub.requests.count == 6)
    }

    @Test("A write can return a value other than the entity")
    func otherValue() async throws {
        struct Receipt: Decodable, Sendable, Equatable { let job: Int }
        let receipt = StubResponse.json(#"{"job":1}"#)
        let (products, _) = products([
            "POST products": .response(receipt), "PUT products/{}": .response(receipt),
            "PATCH products/{}": .response(receipt), "DELETE products/{}": .response(receipt),
        ])
        #expect(try await products.endpoints.create(.init(name: "L")).returning(Receipt.self).send() == Receipt(job: 1))
        #expect(try await products.endpoints.update(7, Self.lamp).returning(Receipt.self).send() == Receipt(job: 1))
        #expect(
            try await products.endpoints.patch(7, .init(name: "L")).returning(Receipt.self).send() == Receipt(job: 1)
        )
        #expect(try await products.endpoints.delete(7).returning(Receipt.self).send() == Receipt(job: 1))
    }

    @Test("A batch that returns Void fails if the server rejects items")
    func nothingOfBatch() async {
        struct Complaint: Decodable, Sendable { let code: String }
        let (products, _) = products(["POST products": .json(#"[{},{"error":{"code":"dup"}}]"#)]) {
            WriteResult.ItemProblem(Complaint.self, at: "error", item: ["product"])
        }
        let error = await failure {
            try await products.endpoints.create([.init(name: "a"), .init(name: "b")]).returning(Void.self).send()
        }
        guard case .items(let failure) = error else {
            Issue.record("expected a failure of items, got \(String(describing: error))")
            return
        }
        #expect(failure.items.map(\.index) == [1])
        #expect(failure.count == 2)
    }

    @Test(
        "A WriteResult that the operation does not support is a declaration error",
        arguments: [
            ("merged", "the body is application/x-lines, which has none; declare .reread"),
            ("reread", "a batch has no single entity to fetch"),
        ]
    )
    func rejectsDeclarations(name: String, reason: String) async throws {
        let source = try #require(WriteResult.Source(rawValue: name))
        let (products, stub) = products(["POST products": .status(204)]) {
            WriteResult(source)
            if source == .merged { Encode(with: Lines()) }
        }
        let error =
            source == .merged
            ? await failure { _ = try await products.create(.init(name: "L")) }
            : await failure { _ = try await products.create([.init(name: "L")]) }
        #expect(error?.description.contains(reason) == true)
        #expect(stub.requests.isEmpty)
    }

    /// An encoder for a format that is neither JSON nor a form.
    private struct Lines: RequestEncoder {
        let contentType = "application/x-lines"

        func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("lines".utf8) }
    }

    struct FormRow: CustomTestStringConvertible {
        let testDescription: String
        let source: WriteResult.Source
        let response: String
        let scope: Scope
        let expected: Product

        init(
            _ name: String,
            _ source: WriteResult.Source,
            _ response: String,
            _ expected: Product,
            @Scope.Builder _ scope: () -> Scope = { Scope() }
        ) {
            (testDescription, self.source, self.response) = (name, source, response)
            (self.expected, self.scope) = (expected, scope())
        }
    }

    private static let brass = Product(id: 7, name: "Lamp & shade", price: 30.5)

    static let formRows = [
        FormRow("nothing, which means that all is stored", .sent, "", brass),
        FormRow("nothing, for the keys of another convention", .sent, "", brass) {
            Encode(keys: .convertToSnakeCase)
            Decode(keys: .convertFromSnakeCase)
        },
        FormRow("nothing, for an entity in brackets", .sent, "", brass) { Body.Format(under: "product") },
        FormRow("nothing, for an entity with a member of a clause", .sent, "", Product(id: 7, name: "L", price: 30.5)) {
            Body.Member("name", "L")
        },
        FormRow("nothing, for a member outside the entity's brackets", .sent, "", brass) {
            Body.Format(under: "product")
            Body.Member("name", "L")
        },
        FormRow("the whole entity", .sent, #"{"id":7,"name":"L"}"#, Product(id: 7, name: "L")),
        FormRow("some members", .merged, #"{"name":"L"}"#, Product(id: 7, name: "L", price: 30.5)),
        FormRow("no members", .merged, "", brass),
    ]

    @Test("An entity sent as a form is returned with its original types", arguments: formRows)
    func forms(_ row: FormRow) async throws {
        let response: StubResponse = row.response.isEmpty ? .status(204) : .json(row.response)
        let (products, stub) = products(["PUT products/{}": .response(response)]) {
            Body.Format(as: .form)
            WriteResult(row.source)
        }
        #expect(try await products.with { row.scope }.update(Self.brass) == row.expected)
        let types = stub.requests.map { $0.headerFields[.contentType] }
        #expect(types == ["application/x-www-form-urlencoded"])
    }

    @Test("A draft sent as a form is merged with the identifier from the response")
    func draftInForm() async throws {
        let (products, stub) = products(["POST products": .json(#"{"id":7}"#, status: 201)]) {
            Body.Format(as: .form)
            WriteResult(.merged)
        }
        let created = try await products.create(.init(name: "Lamp", price: 30.5))
        #expect(created == Product(id: 7, name: "Lamp", price: 30.5))
        #expect(stub.requests.map(\.text) == ["name=Lamp&price=30.5"])
    }

    @Test("A draft without an identifier that is sent as a form and not returned is an error, as in JSON")
    func draftWithoutID() async throws {
        let (products, _) = products(["POST products": .status(201)]) {
            Body.Format(as: .form)
            WriteResult(.sent)
        }
        let error = await failure { try await products.create(.init(name: "Lamp")) }
        #expect(error?.description.contains("the sent value does not decode as Product") == true)
        #expect(error?.description.contains(#"the key "id" is missing"#) == true)
    }

    @Test("The error for an empty response suggests the WriteResult that fits the operation")
    func advice() async {
        let (products, _) = products([
            "PUT products/{}": .status(204), "PATCH products/{}": .status(204), "POST products": .status(204),
            "GET products/{}": .status(200),
        ])
        let update = await failure { try await products.update(Self.lamp) }
        #expect(update?.description.contains("declare WriteResult(.sent) if the server stores what was sent") == true)
        let patch = await failure { try await products.patch(7, .init()) }
        #expect(patch?.description.contains("declare On(.patch) { WriteResult(.reread) } to fetch the entity") == true)
        let batch = await failure { try await products.create([.init(name: "L")]) }
        #expect(batch?.description.contains("ignore the response: returning(Void.self)") == true)
        let read = await failure { try await products.read(7) }
        #expect(read?.description.contains("declare `Void` or an optional") == true)
    }

    @Test("A singleton's writes support WriteResult like a resource's")
    func singleton() async throws {
        enum Account: Readable, Updatable, Patchable, Creatable {}
        let stub = StubTransport([
            "PATCH profile": .status(204), "PUT profile": .status(204), "POST profile": .status(204),
            "GET profile": .json(#"{"name":"Bo"}"#),
        ])
        let profile: Singleton<Profile, Account> = Shop(stub).singleton("profile") { WriteResult(.reread) }
        #expect(try await profile.patch(Profile(name: "x")) == Profile(name: "Bo"))
        #expect(try await profile.update(Profile(name: "x")) == Profile(name: "Bo"))
        try await profile.endpoints.create(Profile(name: "x")).returning(Void.self).send()
        try await profile.endpoints.update(Profile(name: "x")).returning(Void.self).send()
        try await profile.endpoints.patch(Profile(name: "x")).returning(Void.self).send()
        #expect(stub.requests.map { "\($0.method)" } == ["PATCH", "GET", "PUT", "GET", "POST", "PUT", "PATCH"])
    }

    @Test("An entity's replacement can have a different type")
    func replacement() async throws {
        struct Page: Entity, Equatable {
            let id: Int
            var text: String
            var revision: Int

            struct Replacement: Encodable, Sendable {
                var text: String
                var basedOn: Int
            }
        }
        let stub = StubTransport(["PUT pages/{}": .json(#"{"id":7,"text":"b","revision":2}"#)])
        let pages: Resource<Page, ReadWrite> = Shop(stub).resource("pages")
        #expect(try await pages.update(7, .init(text: "b", basedOn: 1)) == Page(id: 7, text: "b", revision: 2))
        #expect(stub.requests.first?.text == #"{"basedOn":1,"text":"b"}"#)
    }
}
