import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Differences between entity states")
struct DifferencesTests {
    struct User: Entity, Equatable {
        let id: Int
        var title: String
        var tags: [String] = []

        struct Patch: RequestContent {
            struct Operation: RequestContent {
                var op = "replace"
                var path: String
                var value: String
            }

            var schemas = ["PatchOp"]
            var operations: [Operation]
        }
    }

    struct Account: Entity, PatchDifferencing, Equatable {
        struct Unpatchable: Error, CustomStringConvertible { let description = "a tag cannot be patched" }

        let id: Int
        var title: String
        var tag = ""

        typealias Patch = User.Patch

        static func patch(from old: Account, to new: Account) throws -> Patch? {
            guard old.tag == new.tag else { throw Unpatchable() }
            return old.title == new.title ? nil : Patch(operations: [.init(path: "title", value: new.title)])
        }
    }

    struct Deployment: Entity {
        let id: Int
        var labels: [String: String]

        typealias Patch = JSONPatch
    }

    private func body(_ endpoint: Endpoint<some Sendable>?) throws -> String {
        let plan = try #require(endpoint).plan()
        return
            "\(plan.headerFields[.contentType] ?? "-") \(String(decoding: plan.body?.bytes ?? Data(), as: UTF8.self))"
    }

    private static let old = User(id: 7, title: "a", tags: ["x", "y"])
    private static let new = User(id: 7, title: "b", tags: ["x"])

    @Test("A kept member has its new value even if unchanged; one absent from the new state is omitted")
    func keptMembers() throws {
        struct Page: Entity {
            let id: Int
            var title: String
            var revision: Int
            var label: [String: String]
            var note: String?
        }
        let pages: Resource<Page, ReadWrite> = Shop().resource("pages") {
            Body.Differences(keeping: "id", "revision", "label", "note", "unknown")
        }
        let old = Page(id: 7, title: "a", revision: 1, label: ["a": "1", "b": "2"])
        let rows: [(Page, String?)] = [
            (old, nil),
            (
                Page(id: 7, title: "b", revision: 1, label: old.label),
                #"{"id":7,"label":{"a":"1","b":"2"},"revision":1,"title":"b"}"#
            ),
            (
                Page(id: 7, title: "a", revision: 2, label: old.label),
                #"{"id":7,"label":{"a":"1","b":"2"},"revision":2}"#
            ),
            // An object's changes, as in any merge patch.
            (
                Page(id: 7, title: "a", revision: 2, label: ["a": "3"], note: "n"),
                #"{"id":7,"label":{"a":"3","b":null},"note":"n","revision":2}"#
            ),
        ]
        for (new, expected) in rows {
            let patch = try pages.endpoints.patch(from: old, to: new)
            #expect(try patch.map { try body($0) } == expected.map { "application/merge-patch+json \($0)" })
        }
    }

    @Test("A declared JSON Patch contains the difference's operations, regardless of the body's content type")
    func jsonPatch() throws {
        let expected = #"[{"op":"remove","path":"/tags/1"},{"op":"replace","path":"/title","value":"b"}]"#
        for type in [nil, "application/scim+json"] {
            let users: Resource<User, ReadWrite> = Shop().resource("users") {
                Body.Differences(as: .jsonPatch)
                Encode(contentType: type)
                Body.Format(under: "user")
            }
            let patch = try users.endpoints.patch(from: Self.old, to: Self.new)
            #expect(try body(patch) == "application/json-patch+json \(expected)")
            #expect(try users.endpoints.patch(from: Self.old, to: Self.old) == nil)
        }
    }

    @Test("A JSON Patch uses the declared encoder's property names")
    func keys() throws {
        struct Snake: Entity {
            let id: Int
            var fullName: String
        }
        let snakes: Resource<Snake, ReadWrite> = Shop().resource("snakes") {
            Encode(keys: .convertToSnakeCase)
            Body.Differences(as: .jsonPatch)
        }
        let patch = try snakes.endpoints.patch(from: Snake(id: 1, fullName: "a"), to: Snake(id: 1, fullName: "b"))
        #expect(try body(patch).contains(#""path":"/full_name""#))
    }

    @Test("A JSON Patch for form bodies is a declaration error")
    func form() throws {
        let users: Resource<User, ReadWrite> = Shop().resource("users") {
            Body.Differences(as: .jsonPatch)
            Body.Format(as: .form)
        }
        #expect {
            try users.endpoints.patch(from: Self.old, to: Self.new)?.plan()
        } throws: { error in
            "\(error)".contains("Body(patch(from:to:)): a JSON Patch is JSON, and bodies are forms here")
        }
    }

    @Test("An entity whose patch type is JSONPatch sends patches as given and as differences")
    func ownJSONPatch() throws {
        let deployments: Resource<Deployment, ReadWrite> = Shop().resource("deployments")
        let difference = try deployments.endpoints.patch(
            from: Deployment(id: 1, labels: [:]),
            to: Deployment(id: 1, labels: ["a/b": "c"])
        )
        let expected = #"application/json-patch+json [{"op":"add","path":"/labels/a~1b","value":"c"}]"#
        #expect(try body(difference) == expected)
        #expect(try body(deployments.endpoints.patch(1, [.add("/labels/a~1b", "c")])) == expected)
    }

    @Test("A custom patch is sent, and the new state is returned if declared as the write result")
    func ownPatch() async throws {
        let stub = StubTransport(["PATCH accounts/{}": .status(204)])
        let accounts: Resource<Account, ReadWrite> = Shop(stub).resource("accounts") {
            Encode(contentType: "application/scim+json")
            On(.patch) { WriteResult(.sent) }
        }
        let (old, new) = (Account(id: 7, title: "a"), Account(id: 7, title: "b"))
        #expect(try await accounts.patch(from: old, to: new) == new)
        #expect(try await accounts.patch(from: old, to: old) == old)
        #expect(
            stub.requests.map(\.text) == [
                #"{"operations":[{"op":"replace","path":"title","value":"b"}],"schemas":["PatchOp"]}"#
            ]
        )
        #expect(stub.requests.first?.headerFields[.contentType] == "application/scim+json")
        #expect {
            try accounts.endpoints.patch(from: old, to: Account(id: 7, title: "a", tag: "t"))
        } throws: { error in
            "\(error)".contains("patch(from:to:)(Account): a tag cannot be patched")
        }
    }

    @Test(
        "A plain difference with the content type of custom patches is a declaration error with a fix",
        arguments: [true, false]
    )
    func otherForm(inHeader: Bool) throws {
        let users: Resource<User, ReadWrite> = Shop().resource("users") {
            if inHeader {
                Header(.contentType, "application/scim+json")
            } else {
                Encode(contentType: "application/scim+json")
            }
        }
        #expect {
            try users.endpoints.patch(from: Self.old, to: Self.new)?.plan()
        } throws: { error in
            "\(error)".contains("patch(from:to:)(Patch): patches are application/scim+json and of a type of their own")
                && "\(error)".contains("On(.patch) { Body.Differences(as: .mergePatch) }")
        }
        let declared = users.with { Body.Differences(as: .mergePatch) }
        let patch = try declared.endpoints.patch(from: Self.old, to: Self.new)
        #expect(try body(patch) == #"application/scim+json {"tags":["x"],"title":"b"}"#)
    }
}
