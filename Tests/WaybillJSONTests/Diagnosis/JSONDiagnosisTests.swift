import Foundation
import Testing
import WaybillJSON

@Suite("Diagnoses of decoding errors")
struct JSONDiagnosisTests {
    struct Account: Decodable {
        let name: String
        let age: Int
    }

    private func diagnosis(of text: String) throws -> WaybillJSONDecoder.Diagnosis {
        let error = #expect(throws: DecodingError.self) {
            try WaybillJSONDecoder().decode(Account.self, from: Data(text.utf8))
        }
        return try #require(error.flatMap { WaybillJSONDecoder.Diagnosis($0) })
    }

    @Test("A diagnosis has a path, line, column, excerpt and summary")
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

    @Test("Redacting keys removes their values from every text of a diagnosis, and nothing else")
    func redaction() throws {
        let diagnosis = try diagnosis(of: #"{"api_key":"s3cret","name":"L","age":"x"}"#)
        #expect("\(diagnosis)".contains("s3cret"))
        let redacted = diagnosis.redacting(["apiKey"])
        #expect(!"\(redacted)".contains("s3cret"))
        #expect("\(redacted)".contains(#"{"api_key":‹redacted›,"name":"L","age":"x"}"#))
        #expect(redacted.summary == diagnosis.summary)
        #expect(redacted.redacting(["age"]).summary.contains("\"x\"") == false)
    }

    @Test(
        "A redacted key with escapes hides the rest of a malformed document",
        arguments: [
            #"{"id":"to\u006ben":"s3cret"}"#, #"{"id":1},"\u0074oken":"s3cret"}"#, #"{"id":["t\u006Fken":"s3cret"]}"#,
        ]
    )
    func escapedKeys(document: String) throws {
        let error = try #require(throws: DecodingError.self) {
            try WaybillJSONDecoder().decode([String: Int].self, from: Data(document.utf8))
        }
        let diagnosis = try #require(WaybillJSONDecoder.Diagnosis(error))
        #expect("\(diagnosis)".contains("s3cret"))
        #expect(!"\(diagnosis.redacting(["token"]))".contains("s3cret"))
    }

    @Test(
        "Redacted keys are hidden in the diagnosis of a single element",
        arguments: [
            (#"{"items":[{"token":"s3cret","name":1}]}"#, "items"),
            (#"{"token":"s3cret","items":[{"id":1}]}"#, "items"),
            (#"{"items":[{"token":"s3cret","name":"L"},{"name":7}]}"#, "items"),
            (#"{"items":[{"token":"s3cret",]}"#, "items"), (#"{"token":["s3cret"]}"#, "token"),
        ] as [(String, EnvelopeKey)]
    )
    func elements(text: String, path: EnvelopeKey) throws {
        struct Item: Decodable { let name: String }
        var reader = WaybillJSONDecoder().elements(Item.self, from: Data(text.utf8), at: path)
        var diagnoses: [WaybillJSONDecoder.Diagnosis] = []
        for _ in 0..<3 where diagnoses.isEmpty {
            do {
                _ = try reader.next()
            } catch let error as WaybillJSONDecoder.DroppedItem {
                diagnoses += [error.diagnosis].compactMap { $0 }
            } catch let error as DecodingError {
                diagnoses += [WaybillJSONDecoder.Diagnosis(error)].compactMap { $0 }
            }
        }
        #expect(diagnoses.count == 1)
        for diagnosis in diagnoses {
            #expect(!"\(diagnosis.redacting(["token"]))".contains("s3cret"), "\(diagnosis)")
        }
    }

    @Test("An error from another decoder has no diagnosis")
    func otherErrors() {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Account.self, from: Data("{}".utf8))
        }
        #expect(error.flatMap { WaybillJSONDecoder.Diagnosis($0) } == nil)
    }
}
