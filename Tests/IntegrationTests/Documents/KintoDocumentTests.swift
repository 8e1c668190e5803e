import Foundation
import Testing
import Waybill
import WaybillDescription

extension KintoAPI: DescribedAPI {
    var calls: APIDescription {
        root()
        buckets
        collections(in: "b")
        articles(in: "articles", of: "b")
        batch([BatchRequest(method: "GET", path: "/v1/")])
    }
}

@Suite("OpenAPI document of Kinto", .running(.kinto))
struct KintoDocumentTests {
    private let api = KintoAPI(over: TransportUnderTest.all[0])

    // Checked by hand: no successful response requires "data", lists have no permissions, and batch responses guarantee
    // only status and path. `GET /` and records allow any members. Buckets and collections list their members, but not
    // the id.
    private static let warnings: Set = [
        "GET buckets, the response at data", "GET buckets, the response at permissions",
        "POST buckets, the response at data", "GET buckets/{}, the response at data",
        "PUT buckets/{}, the response at data", "PATCH buckets/{}, the response at data",
        "GET buckets/{}/collections, the response at data", "GET buckets/{}/collections, the response at permissions",
        "POST buckets/{}/collections, the response at data", "GET buckets/{}/collections/{}, the response at data",
        "PUT buckets/{}/collections/{}, the response at data", "PATCH buckets/{}/collections/{}, the response at data",
        "GET buckets/{}/collections/{}/records, the response at data",
        "GET buckets/{}/collections/{}/records, the response at permissions",
        "POST buckets/{}/collections/{}/records, the response at data",
        "GET buckets/{}/collections/{}/records/{}, the response at data",
        "PUT buckets/{}/collections/{}/records/{}, the response at data",
        "PATCH buckets/{}/collections/{}/records/{}, the response at data",
        "POST batch, the response at responses[].body", "POST batch, the response at permissions",
        "GET buckets, the response at data[].id", "POST buckets, the response at data.id",
        "GET buckets/{}, the response at data.id", "PUT buckets/{}, the response at data.id",
        "GET buckets/{}/collections, the response at data[].id",
        "POST buckets/{}/collections, the response at data.id",
        "GET buckets/{}/collections/{}, the response at data.id",
        "PUT buckets/{}/collections/{}, the response at data.id",
    ]

    // Members of the document that no declared type reads.
    private static let unread: Set = [
        "info", "permissions.collection:create", "permissions.group:create",
        "permissions.record:create", "data.schema", "data.cache_expires", "data.collection:schema",
        "data.group:schema", "data.record:schema", "responses.headers",
    ]

    @Test("Comparing Kinto's declaration with its Swagger document finds exactly the known differences")
    func findings() async throws {
        let document = try await OpenAPIDocument.published(at: "__api__", by: .kinto)
        #expect(document.json["swagger"] == "2.0")
        let findings = try api.compare(with: document)
        #expect(findings.filter { $0.severity == .error }.map(\.description) == [])
        let warnings = findings.filter { $0.severity == .warning }
        #expect(Set(warnings.map { "\($0.call), \($0.clause)" }) == Self.warnings)
        let members = findings.filter { $0.severity == .information }.map { finding in
            String(finding.clause.split(separator: " at ").last ?? "").replacing("[].", with: ".")
        }
        #expect(Set(members) == Self.unread)
    }

    @Test("Comparing finds a changed type and a removed path in Kinto's document")
    func planted() async throws {
        let document = try await OpenAPIDocument.published(at: "__api__", by: .kinto).json
        let batch = ["paths", "/batch", "post", "responses", "200", "schema", "properties", "responses", "items"]
        let typed = document.changing(batch + ["properties", "status", "type"]) { _ in "string" }
        #expect(
            try errors(typed) == [
                "POST batch, the response at responses[].status: the client reads an integer, but the document "
                    + "specifies string (#/\(pointer(batch))/properties/status)"
            ]
        )
        let renamed = document.changing(["paths", "/buckets"]) { _ in nil }
        #expect(
            try errors(renamed)
                == ["GET", "POST"].map { "\($0) buckets, \($0) /buckets: the document has no such path (#/paths)" }
        )
    }

    private func errors(_ document: JSONValue) throws -> [String] {
        try api.compare(with: OpenAPIDocument(document)).filter { $0.severity == .error }
            .map { "\($0.call), \($0.clause): \($0.reason) (\($0.place))" }
    }

    private func pointer(_ keys: [String]) -> String {
        keys.map { $0.replacing("/", with: "~1") }.joined(separator: "/")
    }
}
