import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Excerpts of indented documents")
struct IndentedExcerptTests {
    struct Item: Decodable {
        let id: Int
        let name: String
    }

    struct List: Decodable { let data: [Item] }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let document: String
        let text: String
        var secrets: Set<String> = []
    }

    private func diagnosis(_ document: String, _ secrets: Set<String>) -> String? {
        do {
            _ = try WaybillJSONDecoder().decode(List.self, from: Data(document.utf8))
            return nil
        } catch {
            return (error as? DecodingError).flatMap {
                WaybillJSONDecoder.Diagnosis($0)?.redacting(secrets).description
            }
        }
    }

    @Test("An excerpt shows a member instead of a line with only a bracket", arguments: cases)
    func excerpt(_ row: Case) {
        #expect(diagnosis(row.document, row.secrets) == row.text)
    }

    static let cases = [
        Case(
            testDescription: "a missing key, with the one that is nearly it",
            document: """
                {
                  "data": [
                    {
                      "id": 7,
                      "Name": "Lamp"
                    }
                  ]
                }
                """,
            text: """
                data[0] (line 3, column 5): the key "name" is missing; did you mean "Name"?
                          "Name": "Lamp"
                          ^~~~~~~~~~~~~~
                """
        ),
        Case(
            testDescription: "a missing key without a like: the first member",
            document: """
                {
                  "data": [
                    {
                      "id": 7,
                      "price": 30
                    }
                  ]
                }
                """,
            text: """
                data[0] (line 3, column 5): the key "name" is missing; there are "id" and "price"
                          "id": 7,
                          ^~~~~~~
                """
        ),
        Case(
            testDescription: "an object where an array is expected, behind its key: that line",
            document: """
                {
                  "data": {
                    "items": []
                  }
                }
                """,
            text: """
                data (line 2, column 11): expected an array, found an object with 1 key
                      "data": {
                              ^
                """
        ),
        Case(
            testDescription: "brackets within brackets: the first member of the innermost",
            document: """
                [
                  {
                    "id": 7
                  }
                ]
                """,
            text: """
                line 1, column 1: expected an object, found an array of 1 element
                        "id": 7
                        ^~~~~~~
                """
        ),
        Case(
            testDescription: "a member whose value is secret",
            document: """
                {
                  "token": "t0k3n",
                  "item": []
                }
                """,
            text: """
                line 1, column 1: the key "data" is missing; there are "token" and "item"
                      "token": ‹redacted›,
                      ^~~~~~~~~~~~~~~~~~~
                """,
            secrets: ["token"]
        ),
        Case(
            testDescription: "an empty object on two lines: there is no member",
            document: """
                {
                }
                """,
            text: """
                line 1, column 1: the key "data" is missing; the object is empty
                    {
                    ^
                """
        ),
    ]

    @Test("An excerpt of a document with one bracket on each line is fast", .inTurn, .safetyNet)
    func depth() {
        let count = 20_000
        let document = String(repeating: "[\n", count: count) + String(repeating: "]\n", count: count)
        let text = JSONText(Data(document.utf8))
        #expect(
            text.member(toShowOf: 0..<text.bytes.count - 1, named: nil).map { text.bytes[$0].count } == 4 * count - 33
        )
    }

    @Test("Paths of arrays in an object are found up to three levels deep, shallowest first")
    func arrays() {
        let text = JSONText(Data(#"{"a":{"b":{"c":[],"d":{"e":[]}},"f":[]},"g":[1],"h":1,"i":[{"j":[]}]}"#.utf8))
        #expect(text.arrayPaths(inObjectAt: []) == [["g"], ["i"], ["a", "f"], ["a", "b", "c"]])
        #expect(JSONText(Data("[[]]".utf8)).arrayPaths(inObjectAt: []).isEmpty)
        #expect(JSONText(Data(#"{"a":[],"b":"#.utf8)).arrayPaths(inObjectAt: []) == [["a"]])
    }

    @Test(
        "A summary contains the value once if the decoder's reason begins with it",
        arguments: [
            (#""2026-13-01""#, #"the string "2026-13-01" is not an ISO 8601 date such as 2026-05-01T12:00:00Z"#),
            (
                #""\#(String(repeating: "x", count: 70))""#,
                "the string \"\(String(repeating: "x", count: 32))…\" is not an ISO 8601"
            ),
        ]
    )
    func dates(document: String, summary: String) throws {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let error = #expect(throws: DecodingError.self) { try decoder.decode(Date.self, from: Data(document.utf8)) }
        #expect(try #require(error.flatMap { WaybillJSONDecoder.Diagnosis($0) }).summary.hasPrefix(summary))
    }

    @Test("A summary contains an out-of-range number once")
    func numbers() throws {
        let error = #expect(throws: DecodingError.self) {
            try WaybillJSONDecoder().decode(Int8.self, from: Data("300".utf8))
        }
        #expect(
            error.flatMap { WaybillJSONDecoder.Diagnosis($0) }?.summary == "the number 300 does not fit into the type"
        )
    }
}
