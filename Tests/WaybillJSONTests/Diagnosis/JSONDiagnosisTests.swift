import Foundation
import Testing
import WaybillJSON

@Suite("What an error of the decoder carries")
struct JSONDiagnosisTests {
    struct Account: Decodable {
        let name: String
        let age: Int
    }

    private func diagnosis(of text: String) throws -> JSONDiagnosis {
        let error = #expect(throws: DecodingError.self) {
            try WaybillJSONDecoder().decode(Account.self, from: Data(text.utf8))
        }
        return try #require(error.flatMap { JSONDiagnosis($0) })
    }

    @Test("Path, line, column, excerpt and summary")
    func properties() throws {
        let diagnosis = try diagnosis(of: "{\"name\":\"L\",\n \"age\":\"x\"}")
        #expect(diagnosis.path == "age")
        #expect(diagnosis.line == 2)
        #expect(diagnosis.column == 8)
        #expect(diagnosis.summary == "expected an integer (Int), found the string \"x\"")
        #expect(diagnosis.excerpt == [" \"age\":\"x\"}", "       ^~~"])
        #expect(diagnosis.nearestKey == nil)
        #expect(try self.diagnosis(of: #"{"Name":"L","age":1}"#).nearestKey == "Name")
    }

    @Test("Keys that are redacted leave no value in any text, and nothing else changes")
    func redaction() throws {
        let diagnosis = try diagnosis(of: #"{"api_key":"s3cret","name":"L","age":"x"}"#)
        #expect("\(diagnosis)".contains("s3cret"))
        let redacted = diagnosis.redacting(["apiKey"])
        #expect(!"\(redacted)".contains("s3cret"))
        #expect("\(redacted)".contains(#"{"api_key":‹redacted›,"name":"L","age":"x"}"#))
        #expect(redacted.summary == diagnosis.summary)
        #expect(redacted.redacting(["age"]).summary.contains("\"x\"") == false)
    }

    @Test("An error that no decoder of this module made has none")
    func otherErrors() {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Account.self, from: Data("{}".utf8))
        }
        #expect(error.flatMap { JSONDiagnosis($0) } == nil)
    }
}
