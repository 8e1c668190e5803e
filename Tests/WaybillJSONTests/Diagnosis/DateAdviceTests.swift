import Foundation
import Testing
import WaybillJSON

@Suite("Advice about dates")
struct DateAdviceTests {
    private typealias Strategy = WaybillJSONDecoder.DateDecodingStrategy

    private func summary(_ json: String, _ strategy: Strategy = .iso8601) throws -> String {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = strategy
        let error = try #require(
            #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: Data("[\(json)]".utf8)) }
        )
        return try #require(WaybillJSONDecoder.Diagnosis(error)).summary
    }

    @Test(
        "The error for a value that is not an ISO 8601 date names the strategy that decodes it",
        arguments: [
            ("1777636800", ".secondsSince1970"), ("-5.5", ".secondsSince1970"),
            ("1777636800000", ".millisecondsSince1970"), ("\"1777636800\"", ".secondsSince1970Text"),
            ("\"1777636800000\"", ".millisecondsSince1970Text"),
            ("\"2026-05-01\"", ".day"),
            ("\"Fri, 01 May 2026 12:00:00 GMT\"", ".httpDate"),
        ]
    )
    func advice(json: String, strategy: String) throws {
        #expect(try summary(json).hasSuffix("Decode(dates: \(strategy))"))
    }

    @Test(
        "The error for a value in no known date format has no advice",
        arguments: ["\"soon\"", "true", "{}", "\"2026-13-01\"", "\"\""]
    )
    func none(json: String) throws { #expect(try !summary(json).contains("Decode(dates:")) }

    @Test("The error for an ISO 8601 string under a numeric strategy names the strategy that decodes it")
    func strings() throws {
        for strategy in [Strategy.secondsSince1970, .millisecondsSince1970, .deferredToDate] {
            #expect(
                try summary("\"2026-05-01T12:00:00Z\"", strategy)
                    == "expected a date, found the string \"2026-05-01T12:00:00Z\"; declare Decode(dates: .iso8601)"
            )
        }
    }

    @Test("The diagnosis of a redacted date omits the advice")
    func redacted() throws {
        struct Holder: Decodable { let token: Date }
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let error = try #require(
            #expect(throws: DecodingError.self) {
                try decoder.decode(Holder.self, from: Data(#"{"token":1777636800}"#.utf8))
            }
        )
        let diagnosis = try #require(WaybillJSONDecoder.Diagnosis(error)).redacting(["token"])
        #expect(diagnosis.summary == "expected a date, found a number")
    }

    @Test("The members or elements of a truncated object or array are not counted")
    func cut() throws {
        for (json, words) in [("{\"a\":1,", "an object"), ("[1,[", "an array"), ("[1]", "an array of 1 element")] {
            let diagnosis = DecodingDiagnosis(
                error: .typeMismatch(Int.self, .init(codingPath: [], debugDescription: "")),
                document: Data(json.utf8)
            )
            #expect(diagnosis.summary == "expected an integer (Int), found \(words)")
        }
    }
}
