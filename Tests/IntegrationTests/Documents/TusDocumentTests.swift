import Foundation
import Testing
import Waybill
import WaybillDescription

extension TusTests.Uploads: DescribedAPI {
    var calls: APIDescription {
        upload(HTTPBody(Data([1])))
        stored(Server.tus.url.appending(path: "files/name"))
    }
}

@Suite("OpenAPI document of a tus server", .running(.tus))
struct TusDocumentTests {
    private let api = TusTests.Uploads(TransportUnderTest.all[0])

    @Test("Comparing the upload declaration with the server's document finds nothing")
    func findings() async throws {
        let document = try await OpenAPIDocument.published(at: "openapi.json", by: .tus)
        #expect(document.json["openapi"]?.stringValue?.hasPrefix("3.1") == true)
        #expect(try api.compare(with: document).map(\.description) == [])
    }

    @Test("Comparing finds a removed path and an added required parameter")
    func planted() async throws {
        let document = try await OpenAPIDocument.published(at: "openapi.json", by: .tus).json
        let without = document.changing(["paths", "/stored/{name}"]) { _ in nil }
        #expect(
            try api.compare(with: OpenAPIDocument(without)).map(\.reason) == ["the document has no such path"]
        )
        let parameter: JSONValue = ["name": "part", "in": "query", "required": true, "schema": ["type": "integer"]]
        let requiring = document.changing(["paths", "/stored/{name}", "get", "parameters"]) { parameters in
            .array((parameters?.arrayValue ?? []) + [parameter])
        }
        let findings = try api.compare(with: OpenAPIDocument(requiring))
        #expect(findings.map(\.clause) == ["Query(\"part\")"])
        #expect(findings.map(\.place) == ["#/paths/~1stored~1{name}/get/parameters/1"])
    }
}
