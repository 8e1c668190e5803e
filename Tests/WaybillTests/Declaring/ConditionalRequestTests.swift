import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Conditional requests")
struct ConditionalRequestTests {
    static func shop(_ fields: HTTPFields) -> (shop: Shop, stub: StubTransport) {
        let stub = StubTransport([
            "GET products/{}": .json(#"{"id":7,"name":"Lamp"}"#, headers: fields),
            "PUT products/{}": .json(#"{"id":7,"name":"Desk lamp"}"#),
            "PATCH products/{}": .json(#"{"id":7,"name":"Desk lamp"}"#), "DELETE products/{}": .status(204),
            "GET profile": .json(#"{"name":"Ann"}"#, headers: fields), "PUT profile": .json(#"{"name":"Ann"}"#),
        ])
        return (Shop(stub), stub)
    }

    static let modified = HTTPField(name: .lastModified, value: "Sun, 06 Nov 1994 08:49:37 GMT")

    @Test("IfMatch with a read response sends the response's entity tag", arguments: [true, false])
    func byTag(hasDate: Bool) async throws {
        let tag = HTTPField(name: .eTag, value: #""v1""#)
        let (shop, stub) = Self.shop(hasDate ? [tag, Self.modified] : [tag])
        let read = try await shop.products.endpoints.read(7).response()
        #expect(read.entityTag == HTTPField.EntityTag(#""v1""#))
        #expect(read.lastModified == (hasDate ? Date(timeIntervalSince1970: 784_111_777) : nil))
        let guarded = shop.products.with { IfMatch(read) }
        try await guarded.update(read.value)
        try await guarded.patch(7, Product.Patch(name: "Desk lamp"))
        try await guarded.patch(from: read.value, to: Product(id: 7, name: "Desk lamp"))
        try await guarded.delete(7)
        try await shop.products.endpoints.update(read.value).with { IfMatch(read) }.send()
        let changes = stub.requests.dropFirst()
        #expect(changes.count == 5)
        for change in changes {
            #expect(change.headerFields[.ifMatch] == #""v1""#)
            #expect(!change.headerFields.contains(.ifUnmodifiedSince))
        }
        // The condition applies to those calls only, not to the resource.
        try await shop.products.update(read.value)
        #expect(stub.requests.last?.headerFields[.ifMatch] == nil)
    }

    @Test("IfMatch with a singleton's response sends its entity tag")
    func singleton() async throws {
        let (shop, stub) = Self.shop([HTTPField(name: .eTag, value: #""v1""#)])
        let profile: Singleton<Profile, ReadWrite> = shop.singleton("profile")
        let read = try await profile.endpoints.read().response()
        try await profile.with { IfMatch(read) }.update(read.value)
        #expect(stub.requests.last?.headerFields[.ifMatch] == #""v1""#)
    }

    @Test("IfMatch with a response that lacks a strong entity tag sends its date", arguments: [nil, #"W/"v1""#, "v1"])
    func byDate(tag: String?) async throws {
        let (shop, stub) = Self.shop(
            HTTPFields((tag.map { [HTTPField(name: .eTag, value: $0)] } ?? []) + [Self.modified])
        )
        let read = try await shop.products.endpoints.read(7).response()
        try await shop.products.with { IfMatch(read) }.update(read.value)
        #expect(stub.requests.last?.headerFields[.ifMatch] == nil)
        #expect(stub.requests.last?.headerFields[.ifUnmodifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(
        "A response that does not identify a version is a declaration error, and nothing is sent",
        arguments: [
            ([], "it has no ETag"), ([HTTPField(name: .eTag, value: #"W/"v1""#)], #"its ETag W/"v1" is weak"#),
            ([HTTPField(name: .eTag, value: "v1")], "its ETag v1 is malformed"),
            ([HTTPField(name: .lastModified, value: "yesterday")], "it has no ETag"),
        ] as [(HTTPFields, String)]
    )
    func unversioned(fields: HTTPFields, text: String) async throws {
        let (shop, stub) = Self.shop(fields)
        let read = try await shop.products.endpoints.read(7).response()
        let error = await failure {
            try await shop.products.with { IfMatch(read) }.update(read.value)
        }
        guard case .request(let failure) = error else {
            Issue.record("expected a declaration error, not \(String(describing: error))")
            return
        }
        #expect(failure.declarationErrors.count == 1)
        #expect(failure.declarationErrors.first?.clause == "IfMatch")
        #expect(failure.description.contains(text))
        #expect(stub.requests.count == 1)
    }

    @Test("A weak tag is sent if weak comparison is declared; otherwise, the error suggests it")
    func weakComparison() async throws {
        let (shop, stub) = Self.shop([HTTPField(name: .eTag, value: #"W/"v1""#)])
        let read = try await shop.products.endpoints.read(7).response()
        _ = try? await shop.products.with { IfMatch(read, comparison: .weak) }.update(read.value)
        #expect(stub.requests.last?.headerFields[.ifMatch] == #"W/"v1""#)
        let weak = try #require(Self.weak)
        let endpoint = shop.products.endpoints.update(read.value).with { IfMatch(weak, comparison: .weak) }
        #expect(try endpoint.headerFields[.ifMatch] == #"W/"v1""#)
        for rejected in [IfMatch(read), IfMatch(weak)] {
            #expect {
                try shop.products.endpoints.update(read.value).with { rejected }.plan()
            } throws: {
                "\($0)".contains("comparison: .weak")
            }
        }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let clause: any Scope.RepeatableClause
        let line: String
    }

    static let weak = HTTPField.EntityTag(opaqueTag: "v1", isWeak: true)
    static let strong = HTTPField.EntityTag(opaqueTag: "v1")

    @Test(
        "Each conditional clause sends its header field",
        arguments: [
            Row(testDescription: "any", clause: IfMatch(.any), line: "If-Match: *"),
            Row(testDescription: "none", clause: IfNoneMatch(.any), line: "If-None-Match: *"),
            Row(testDescription: "not a tag", clause: IfNoneMatch(weak), line: #"If-None-Match: W/"v1""#),
            Row(testDescription: "a nil tag", clause: IfNoneMatch(nil), line: ""),
            Row(
                testDescription: "modified",
                clause: IfModifiedSince(Date(timeIntervalSince1970: 784_111_777.9)),
                line: "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"
            ),
            Row(
                testDescription: "unmodified",
                clause: IfUnmodifiedSince(Date(timeIntervalSince1970: 784_111_777)),
                line: "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"
            ),
        ]
    )
    func fields(row: Row) throws {
        var scope = Scope()
        row.clause.declare(in: &scope)
        let endpoint: Endpoint<Void> = Shop().client.endpoint {
            GET("a")
            scope
        }
        let lines = try endpoint.headerFields.map(\.description).filter { $0.hasPrefix("If-") }
        #expect(lines == (row.line.isEmpty ? [] : [row.line]))
    }

    @Test("A weak tag for If-Match and an unwritable date are declaration errors")
    func declarationErrors() throws {
        let weak = try #require(Self.weak)
        let clauses: [(any Scope.RepeatableClause, String)] = [
            (IfMatch(weak), #"IfMatch(W/"v1"): a weak tag never matches"#),
            (IfModifiedSince(.init(timeIntervalSince1970: 1e15)), "IfModifiedSince("),
            (IfUnmodifiedSince(.init(timeIntervalSince1970: -1e15)), "IfUnmodifiedSince("),
        ]
        for (clause, text) in clauses {
            var scope = Scope()
            clause.declare(in: &scope)
            #expect(scope.declarationErrors.count == 1)
            #expect(scope.declarationErrors.first?.description.hasPrefix(text) == true)
        }
    }

    @Scope.Builder private func reading() -> Scope {
        On(.read) { Query("a", 1) }
    }

    @Test("An On clause in a prebuilt scope for a single call is a declaration error")
    func misplaced() async {
        let error = await failure {
            try await Shop().products.with { reading() }.read(7)
        }
        guard case .request = error else {
            Issue.record("expected a declaration error")
            return
        }
    }
}
