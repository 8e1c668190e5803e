import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Encoding and content types of writes")
struct WriteFormatTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let plan: @Sendable () throws -> Call.Plan

        /// Creates a row for a resource's patch, with clauses for the client and the resource.
        init(
            _ name: String,
            _ request: String,
            @Scope.Builder client: @escaping @Sendable () -> Scope = { Scope() },
            @Scope.Builder resource: @escaping @Sendable () -> Scope = { Scope() }
        ) {
            testDescription = name
            self.request = request
            plan = {
                let shop = Shop(StubTransport([:]), client)
                let products: Resource<Product, ReadWrite> = shop.resource("products", resource)
                return try products.endpoints.patch(7, .init(name: "Lamp")).plan()
            }
        }
    }

    private static let json = #"{"name":"Lamp"}"#

    private struct Lines: RequestEncoder {
        let contentType = "text/x-lines"
        func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("name Lamp".utf8) }
    }

    static let patches = [
        Row("nothing declared: a merge patch", "Content-Type: application/merge-patch+json\n" + json),
        Row(
            "a form on the client",
            "Content-Type: application/x-www-form-urlencoded\nname=Lamp",
            client: { Body.Format(as: .form) }
        ),
        Row(
            "a form on the resource, within a content type of the client",
            "Content-Type: application/x-www-form-urlencoded\nname=Lamp",
            client: { Header(.contentType, "application/json") },
            resource: { Body.Format(as: .form) }
        ),
        Row(
            "a content type on the client",
            "Content-Type: application/json\n" + json,
            client: { Header(.contentType, "application/json") }
        ),
        Row(
            "a content type on the resource",
            "Content-Type: application/json\n" + json,
            resource: { Header(.contentType, "application/json") }
        ),
        Row(
            "a content type of the operation",
            "Content-Type: application/json\n" + json,
            resource: { On(.patch) { Header(.contentType, "application/json") } }
        ),
        Row(
            "an encoder with a type of its own",
            "Content-Type: text/x-lines\nname Lamp",
            client: { Encode(with: Lines()) }
        ),
        Row(
            "an encoder on the resource, within a content type of the client",
            "Content-Type: text/x-lines\nname Lamp",
            client: { Header(.contentType, "application/json") },
            resource: { Encode(with: Lines()) }
        ),
        Row(
            "JSON under another media type",
            "Content-Type: application/vnd.api+json\n" + json,
            client: { Encode(contentType: "application/vnd.api+json") }
        ),
        Row(
            "JSON that is declared to be plain",
            "Content-Type: application/json\n" + json,
            client: { Encode(contentType: "application/json") }
        ),
        Row(
            "an encoder of plain JSON: a merge patch",
            "Content-Type: application/merge-patch+json\n" + json,
            client: { Encode(with: JSONEncoder()) }
        ),
        Row(
            "a form that the resource takes back",
            "Content-Type: application/merge-patch+json\n" + json,
            client: { Body.Format(as: .form) },
            resource: { Body.Format(as: .json) }
        ),
    ]

    @Test("A patch is encoded as declared", arguments: patches)
    func patch(_ row: Row) throws {
        #expect(try text(of: row.plan()) == "PATCH https://shop.example/v1/products/7\n" + row.request)
    }

    @Test("A difference is encoded as declared", arguments: [true, false])
    func difference(isForm: Bool) throws {
        let products: Resource<Product, ReadWrite> = Shop().resource("products") {
            if isForm {
                Body.Format(as: .form(keys: .convertToSnakeCase))
            } else {
                Encode(contentType: "application/json")
            }
        }
        let old = Product(id: 7, name: "Lamp", price: 3)
        let endpoint = try #require(try products.endpoints.patch(from: old, to: Product(id: 7, name: "L", price: nil)))
        let expected =
            isForm
            ? "Content-Type: application/x-www-form-urlencoded\nname=L&price="
            : "Content-Type: application/json\n" + #"{"name":"L","price":null}"#
        #expect(try text(of: endpoint.plan()) == "PATCH https://shop.example/v1/products/7\n" + expected)
    }

    private struct Post: Entity {
        let id: Int
        var tags: [String] = ["a"]
        var labels = ["a": 1]
    }

    private func posts(_ format: Body.Format.Syntax) -> Resource<Post, ReadWrite> {
        Shop().resource("posts") { Body.Format(as: format) }
    }

    @Test(
        "An array that becomes empty is sent in the form's array style",
        arguments: [
            (.form(arrays: .brackets), "tags%5B%5D="), (.form(arrays: .commaSeparated), "tags="),
            (.form(empties: .empty), "tags="), (.form(arrays: .indexed, empties: .text("[]")), "tags=%5B%5D"),
        ] as [(Body.Format.Syntax, String)]
    )
    func emptiedArray(_ row: (format: Body.Format.Syntax, body: String)) throws {
        let posts = posts(row.format)
        let emptied = Post(id: 7, tags: [])
        let patch = try #require(try posts.endpoints.patch(from: Post(id: 7), to: emptied))
        #expect(try patch.body == Data(row.body.utf8))
        #expect(
            try posts.endpoints.patch(7, Post(id: 7, tags: [])).body == Data("id=7&\(row.body)&labels%5Ba%5D=1".utf8)
        )
        #expect(try posts.endpoints.update(emptied).body == Data("id=7&\(row.body)&labels%5Ba%5D=1".utf8))
    }

    @Test(
        "An empty array or object that a form cannot represent is a declaration error that names it",
        arguments: [
            (.form, Post(id: 7, tags: []), "tags: an array without elements cannot be written in the style repeated"),
            (
                .form(arrays: .indexed), Post(id: 7, tags: []),
                "tags: an array without elements cannot be written in the style indexed"
            ),
            (
                .form(arrays: .brackets), Post(id: 7, labels: [:]),
                "labels: an object without elements cannot be written"
            ),
        ] as [(Body.Format.Syntax, Post, String)]
    )
    private func unwritableEmpty(_ row: (format: Body.Format.Syntax, post: Post, reason: String)) throws {
        let posts = posts(row.format)
        #expect {
            try posts.endpoints.update(row.post).plan()
        } throws: { error in
            "\(error)".contains("Body(Post): \(row.reason)")
                && "\(error)".contains("Body.Format(as: .form(empties: .empty))")
        }
        // A server creates the entity from what it receives: there is no previous value that could remain.
        #expect(throws: Never.self) { try posts.endpoints.create(row.post).plan() }
    }

    @Test("A difference for a non-JSON encoder is an error that suggests an alternative")
    func differenceOfOtherFormat() {
        let products: Resource<Product, ReadWrite> = Shop().resource("products") { Encode(with: Lines()) }
        #expect {
            try products.endpoints.patch(from: Product(id: 7, name: "a"), to: Product(id: 7, name: "b"))
        } throws: { error in
            "\(error)".contains("the scope encodes as text/x-lines; send patch(_:_:) with the changes")
        }
    }

    @Test(
        "A content type that does not match the body is a declaration error",
        arguments: [
            Row("form", "written as application/x-www-form-urlencoded") {
                Header(.contentType, "application/json")
                Body.Format(as: .form)
            },
            Row(
                "form on the client",
                "written as application/x-www-form-urlencoded",
                client: { Body.Format(as: .form) },
                resource: { Header(.contentType, "application/json") }
            ),
            Row("JSON", "written as application/merge-patch+json") {
                Header(.contentType, "application/x-www-form-urlencoded")
            },
            Row("lines", "written as text/x-lines") {
                Encode(with: Lines())
                Header(.contentType, "application/json")
            },
        ]
    )
    func contradiction(_ row: Row) {
        #expect {
            try row.plan()
        } throws: { error in
            "\(error)".contains("Header(\"Content-Type\"") && "\(error)".contains(row.request)
        }
    }

    @Test("A client's content type is sent only with a body; an endpoint's is always sent")
    func withoutBody() throws {
        let shop = Shop { Header(.contentType, "application/json") }
        #expect(try shop.products.endpoints.read(7).headerFields[.contentType] == nil)
        #expect(try shop.products.endpoints.delete(7).headerFields[.contentType] == nil)
        let odd: Endpoint<Void> = shop.endpoint {
            GET("odd")
            Header(.contentType, "application/x-odd")
        }
        #expect(try odd.headerFields[.contentType] == "application/x-odd")
    }

    @Test("An explanation shows the scope of the content type")
    func explanation() throws {
        let declared = try Shop { Header(.contentType, "application/vnd.shop+json") }.products.endpoints
            .create(.init(name: "L")).explanation
        #expect(declared.contains(/Content-Type: application\/vnd.shop\+json +client/))
        let form: Endpoint<Void> = Shop { Header(.contentType, "application/json") }.endpoint {
            POST("a")
            Body(form: ["a": "b"])
        }
        #expect(try form.explanation.contains(/Content-Type: application\/x-www-form-urlencoded +body/))
    }
}
