import Foundation
import Testing
import Waybill
import WaybillDescription

@Suite("Documents that are read")
struct OpenAPIReadingTests {
    @Test(
        "A text that is no document of a known version is an error with its place",
        arguments: [
            ("", "", "it is not JSON"),
            ("{\"openapi\": \n,}", "", "line 2, column 1"),
            ("[]", "#", "an OpenAPI document is an object"),
            ("{}", "#", "neither a member \"openapi\" nor \"swagger\""),
            (#"{"openapi": "4.0.0"}"#, "#/openapi", "the version is \"4.0.0\""),
            (#"{"openapi": 3.1}"#, "#/openapi", "the version is 3.1"),
            (#"{"swagger": "1.2"}"#, "#/swagger", "2.0, 3.0, 3.1 and 3.2 can be read"),
            (#"{"openapi": "3.0.3"}"#, "#/paths", "it has no paths"),
        ]
    )
    func rejected(text: String, place: String, reason: String) {
        let error = #expect(throws: OpenAPIDocument.Failure.self) { try OpenAPIDocument(Data(text.utf8)) }
        #expect(error?.place == place)
        #expect(error?.reason.contains(reason) ?? false, "\(error?.reason ?? "")")
    }

    @Test("Documents of the known versions are read", arguments: ["3.0.3", "3.1.1", "3.2.0"])
    func accepted(version: String) throws {
        let document = try OpenAPIDocument(["openapi": .string(version), "paths": [:]])
        #expect(document.json["openapi"] == .string(version))
    }
}
