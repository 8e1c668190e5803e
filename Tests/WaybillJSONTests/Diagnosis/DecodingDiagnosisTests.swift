import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Decoding diagnoses")
struct DecodingDiagnosisTests {
    enum Color: String, Decodable { case red, green }

    struct Product: Decodable {
        var id: Int
        var name: String
        var price: Decimal?
        var stock: Int8?
        var madeOn: Date?
        var page: URL?
        var color: Color?
        var tags: [String]?
        var sizes: [String: Int]?
        var sold: Bool?
        var password: String?
    }

    struct List: Decodable { var data: [Product] }

    struct Pair: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            _ = try (container.decode(Int.self), container.decode(Int.self))
        }
    }

    static func diagnosis<Value: Decodable>(
        _ type: Value.Type,
        _ document: String,
        redacting: Set<String> = []
    ) throws -> DecodingDiagnosis {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = try? Date(container.decode(String.self), strategy: .iso8601) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is no ISO 8601 date.")
            }
            return date
        }
        do {
            _ = try decoder.decode(type, from: Data(document.utf8))
        } catch let error as DecodingError {
            return DecodingDiagnosis(error: error, document: Data(document.utf8), redacting: redacting)
        }
        throw Unexpected()
    }

    struct Unexpected: Error {}

    // MARK: Exact texts

    struct Case: Sendable, CustomTestStringConvertible {
        var document: String
        var text: String
        var testDescription: String { text }
        var diagnose: @Sendable (String) throws -> DecodingDiagnosis

        init(_ type: (some Decodable & Sendable).Type, _ document: String, _ text: String) {
            self.document = document
            self.text = text
            diagnose = { try DecodingDiagnosisTests.diagnosis(type, $0) }
        }
    }

    @Test("Every kind of decoding error has a diagnosis text", arguments: values + keys + syntax)
    func texts(example: Case) throws {
        #expect(try example.diagnose(example.document).description == example.text)
    }

    static let values: [Case] = [
        Case(
            List.self,
            #"{"data":[{"id":"x","name":"Lamp"}]}"#,
            #"""
            data[0].id (line 1, column 16): expected an integer (Int), found the string "x"
                {"data":[{"id":"x","name":"Lamp"}]}
                               ^~~
            """#
        ),
        Case(
            List.self,
            "{\n  \"data\": [\n    {\"id\": 1, \"name\": \"Lamp\",\n     \"price\": \"cheap\"}\n  ]\n}",
            #"""
            data[0].price (line 4, column 15): expected a number (Decimal), found the string "cheap"
                     "price": "cheap"}
                              ^~~~~~~
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":1,"name":"Lamp","color":1}]}"#,
            #"""
            data[0].color (line 1, column 40): expected a string, found the number 1
                {"data":[{"id":1,"name":"Lamp","color":1}]}
                                                       ^
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":1,"name":"Lamp","sold":"true"}]}"#,
            #"""
            data[0].sold (line 1, column 39): expected true or false, found the string "true"
                {"data":[{"id":1,"name":"Lamp","sold":"true"}]}
                                                      ^~~~~~
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":1,"name":"Lamp","tags":["a",{"b":[1]}]}]}"#,
            #"""
            data[0].tags[1] (line 1, column 44): expected a string, found an object with 1 key
                {"data":[{"id":1,"name":"Lamp","tags":["a",{"b":[1]}]}]}
                                                           ^~~~~~~~~
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":1,"name":"Lamp","tags":"x"}]}"#,
            #"""
            data[0].tags (line 1, column 39): expected an array, found the string "x"
                {"data":[{"id":1,"name":"Lamp","tags":"x"}]}
                                                      ^~~
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":1,"name":"Lamp","sizes":{"a b":"x"}}]}"#,
            #"""
            data[0].sizes["a b"] (line 1, column 47): expected an integer (Int), found the string "x"
                {"data":[{"id":1,"name":"Lamp","sizes":{"a b":"x"}}]}
                                                              ^~~
            """#
        ),
        Case(
            List.self,
            "[]",
            """
            line 1, column 1: expected an object, found an empty array
                []
                ^~
            """
        ),
        Case(
            List.self,
            #"{"data":null}"#,
            #"""
            data (line 1, column 9): expected an array, found null
                {"data":null}
                        ^~~~
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":null}]}"#,
            #"""
            data[0].id (line 1, column 16): expected an integer (Int), found null
                {"data":[{"id":null}]}
                               ^~~~
            """#
        ),
        Case(
            Pair.self,
            "[1]",
            """
            [1] (line 1, column 1): expected an integer (Int) at index 1, found the end of an array of 1 element
                [1]
                ^~~
            """
        ),
        // If the decoder converts keys, the path contains the type's spelling and the excerpt the document's.
        Case(
            List.self,
            #"{"data":[{"id":1,"name":"Lamp","made_on":"31.12.2024"}]}"#,
            #"""
            data[0].madeOn (line 1, column 42): cannot decode the string "31.12.2024": This is no ISO 8601 date
                {"data":[{"id":1,"name":"Lamp","made_on":"31.12.2024"}]}
                                                         ^~~~~~~~~~~~
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":1,"name":"Lamp","page":""}]}"#,
            #"""
            data[0].page (line 1, column 39): cannot decode the string "": Invalid URL string
                {"data":[{"id":1,"name":"Lamp","page":""}]}
                                                      ^~
            """#
        ),
        Case(
            Color.self,
            #""blue""#,
            #"""
            line 1, column 1: cannot decode the string "blue": Cannot initialize Color from invalid String value blue
                "blue"
                ^~~~~~
            """#
        ),
        Case(
            String.self,
            #"["\#(String(repeating: "a", count: 50))", 1]"#,
            #"""
            line 1, column 1: expected a string, found an array of 2 elements
                ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1]
                ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            """#
        ),
    ]

    static let keys: [Case] = [
        Case(
            List.self,
            "{\n  \"data\": [\n    {\"id\": 1, \"name\": \"Lamp\"},\n    {\"id\": 2, \"Name\": \"Desk\"}\n  ]\n}",
            #"""
            data[1] (line 4, column 5): the key "name" is missing; did you mean "Name"?
                    {"id": 2, "Name": "Desk"}
                    ^~~~~~~~~~~~~~~~~~~~~~~~~
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":1,"nmae":"Lamp"}]}"#,
            #"""
            data[0] (line 1, column 10): the key "name" is missing; did you mean "nmae"?
                {"data":[{"id":1,"nmae":"Lamp"}]}
                         ^~~~~~~~~~~~~~~~~~~~~~
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":1,"title":"Lamp"}]}"#,
            #"""
            data[0] (line 1, column 10): the key "name" is missing; there are "id" and "title"
                {"data":[{"id":1,"title":"Lamp"}]}
                         ^~~~~~~~~~~~~~~~~~~~~~~
            """#
        ),
        Case(
            List.self,
            #"{"data":[{}]}"#,
            #"""
            data[0] (line 1, column 10): the key "id" is missing; the object is empty
                {"data":[{}]}
                         ^~
            """#
        ),
        Case(
            List.self,
            #"{"error":"odd \"key\""}"#,
            #"""
            line 1, column 1: the key "data" is missing; there is only "error"
                {"error":"odd \"key\""}
                ^~~~~~~~~~~~~~~~~~~~~~~
            """#
        ),
        Case(
            List.self,
            #"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}"#,
            #"""
            line 1, column 1: the key "data" is missing; there are "a", "b", "c", "d", "e", "f", "g", "h" and 2 more
                {"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}
                ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            """#
        ),
    ]

    static let syntax: [Case] = [
        Case(List.self, "", "expected a value, found an empty document"),
        Case(List.self, "  \n", "line 1, column 1: expected a value, found the end of the text"),
        Case(
            List.self,
            "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>",
            """
            line 1, column 1: expected a value, found '<'; this looks like HTML or XML, not JSON
                <!DOCTYPE html>
                ^
            """
        ),
        Case(
            List.self,
            "Not found",
            """
            line 1, column 1: expected a value, found 'Not'
                Not found
                ^~~
            """
        ),
        Case(
            List.self,
            "{\"data\":[{\"id\":1,\n\"name\":\"La",
            #"""
            line 2, column 11: expected '"' at the end of the string, found the end of the text
                "name":"La
                          ^
            """#
        ),
        Case(
            List.self,
            "{\"data\":[{\"id\":1,\n\"name\":\n\n",
            #"""
            line 2, column 8: expected a value after ':', found the end of the text
                "name":
                       ^
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":1 "name":"Lamp"}]}"#,
            #"""
            line 1, column 18: expected ',' or '}', found '"'
                {"data":[{"id":1 "name":"Lamp"}]}
                                 ^
            """#
        ),
        Case(
            List.self,
            #"{"data":[{"id":NaN}]}"#,
            #"""
            line 1, column 16: expected a value after ':', found 'NaN'
                {"data":[{"id":NaN}]}
                               ^~~
            """#
        ),
        Case(
            String.self,
            #""\uD800""#,
            #"""
            line 1, column 2: found a lone surrogate, half of a character
                "\uD800"
                 ^~~~~~
            """#
        ),
    ]

    /// Nested arrays.
    private struct Nest: Decodable {
        let inner: [Nest]

        init(from decoder: any Decoder) throws { inner = try [Nest](from: decoder) }
    }

    @Test("The diagnosis of an error without a location suggests a cause")
    func rejected() throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        #expect(
            try Self.diagnosis(Nest.self, deep).summary
                == "the document is valid JSON, but the decoder rejected it without reporting a location; "
                + "it is nested 600 levels deep"
        )
        let error = DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "The given data was not valid JSON.")
        )
        #expect(
            DecodingDiagnosis(error: error, document: Data("{\"stock\":300}".utf8)).description
                == "the document is valid JSON, but the decoder rejected it without reporting a location; "
                + "a number may not fit its type"
        )
    }

    @Test("The diagnosis of an out-of-range number shows it if the error has its path")
    func numberOutOfRange() {
        let error = DecodingError.dataCorrupted(
            .init(
                codingPath: [JSONTextTests.Key("stock")],
                debugDescription: "Parsed JSON number <300> does not fit in Int8."
            )
        )
        #expect(
            DecodingDiagnosis(error: error, document: Data("{\"stock\":300}".utf8)).description == #"""
                stock (line 1, column 10): cannot decode the number 300: Parsed JSON number <300> does not fit in Int8
                    {"stock":300}
                             ^~~
                """#
        )
    }

    @Test("The diagnosis of a path missing from the document contains the decoder's text")
    func pathNotInDocument() {
        let context = DecodingError.Context(
            codingPath: [JSONTextTests.Key("a"), JSONTextTests.Key(3)],
            debugDescription: "Odd\nwords."
        )
        let texts = [
            (DecodingError.typeMismatch(Int.self, context), "a[3]: expected an integer (Int): Odd␊words"),
            (.valueNotFound(Date.self, context), "a[3]: expected a date: Odd␊words"),
            (.keyNotFound(JSONTextTests.Key("b"), context), "a[3]: the key \"b\" is missing"),
            (.dataCorrupted(context), "a[3]: cannot decode the value: Odd␊words"),
        ]
        for (error, text) in texts {
            #expect(DecodingDiagnosis(error: error, document: Data("{}".utf8)).description == text)
        }
    }

    @Test("The parts of a diagnosis are available separately")
    func parts() throws {
        let diagnosis = try Self.diagnosis(List.self, "{\"data\":[\n{\"id\":1,\"nmae\":\"é\"}]}")
        #expect(diagnosis.path == "data[0]")
        #expect(diagnosis.position == TextPosition(line: 2, column: 1))
        #expect(diagnosis.nearestKey == "nmae")
        #expect(diagnosis.excerpt == ["{\"id\":1,\"nmae\":\"é\"}]}", "^~~~~~~~~~~~~~~~~~~"])
    }

    @Test("A decoder's text in a diagnosis is truncated after 200 characters")
    func longReason() {
        let reason = String(repeating: "x", count: 10_000)
        let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: reason))
        #expect(
            DecodingDiagnosis(error: error, document: Data("1".utf8)).summary
                == "cannot decode the number 1: \(reason.prefix(200))…"
        )
    }

    @Test(
        "Paths in a diagnosis are written as in code",
        arguments: [
            ([], ""), (["data", 3, "price"], "data[3].price"), ([0, 1], "[0][1]"), (["odd key"], "[\"odd key\"]"),
            (["data", "odd key", "x"], "data[\"odd key\"].x"), (["a\"b\\"], "[\"a\\\"b\\\\\"]"), ([""], "[\"\"]"),
            (["1st"], "[\"1st\"]"), (["$ref", "_id", "größe"], "$ref._id.größe"),
            (["content-type"], "[\"content-type\"]"),
            (["a\nb"], "[\"a␊b\"]"),
            (
                [JSONTextTests.Key(stringValue: String(repeating: "k", count: 40))],
                "\(String(repeating: "k", count: 32))…"
            ),
        ] as [([JSONTextTests.Key], String)]
    )
    func paths(path: [JSONTextTests.Key], text: String) {
        #expect(CodingPathText.text(of: path) == text)
    }

    // MARK: Secrets

    @Test(
        "A diagnosis does not contain the value of a redacted key",
        arguments: [
            (
                #"{"data":[{"id":1,"name":"a","password":5550199}]}"#,
                #"""
                data[0].password (line 1, column 40): expected a string, found a number
                    {"data":[{"id":1,"name":"a","password":‹redacted›}]}
                                                           ^~~~~~~~~~
                """#
            ),
            (
                #"{"data":[{"id":1,"name":5,"pass_word":{"x":["5550199"]}}]}"#,
                #"""
                data[0].name (line 1, column 25): expected a string, found the number 5
                    {"data":[{"id":1,"name":5,"pass_word":‹redacted›}]}
                                            ^
                """#
            ),
            (
                #"{"data":[{"id":1,"password":"5550199"}"#,
                #"""
                line 1, column 39: expected ',' or ']', found the end of the text
                    {"data":[{"id":1,"password":‹redacted›}
                                                           ^
                """#
            ),
            (
                #"{"data":[{"id":1,"password":"5550199"#,
                #"""
                line 1, column 37: expected '"' at the end of the string, found the end of the text
                    {"data":[{"id":1,"password"‹redacted›
                                                         ^
                """#
            ),
            (
                #"{"password":"x"5550199"}"#,
                #"""
                line 1, column 16: expected ',' or '}', found ‹redacted›
                    {"password":‹redacted›
                                ^~~~~~~~~~
                """#
            ),
            (
                #"{password:"5550199"}"#,
                #"""
                line 1, column 2: expected a key in double quotes or '}', found 'password'
                    {password‹redacted›
                     ^~~~~~~~
                """#
            ),
            (
                #"{"a":1 "Pass_Word":"5550199"}"#,
                #"""
                line 1, column 8: expected ',' or '}', found '"'
                    {"a":1 "‹redacted›
                           ^
                """#
            ),
            (
                #"{"password" = "5550199"}"#,
                #"""
                line 1, column 13: expected ':' after the key, found ‹redacted›
                    {"password"‹redacted›
                               ^~~~~~~~~~
                """#
            ),
            (
                #"{"password": x5550199}"#,
                #"""
                line 1, column 14: expected a value after ':', found ‹redacted›
                    {"password"‹redacted›
                               ^~~~~~~~~~
                """#
            ),
            (
                #"{"password":{"a":"5550199","b":x}}"#,
                #"""
                line 1, column 32: expected a value after ':', found ‹redacted›
                    {"password":‹redacted›
                                ^~~~~~~~~~
                """#
            ),
            (
                #"{"password":["5550199", x, {"password":1}]}"#,
                #"""
                line 1, column 25: expected a value after ',', found ‹redacted›
                    {"password":‹redacted›
                                ^~~~~~~~~~
                """#
            ),
            (
                #"{"a":x,"pass\u0077ord":"5550199"}"#,
                #"""
                line 1, column 6: expected a value after ':', found 'x'
                    {"a":x‹redacted›
                         ^
                """#
            ),
            (
                "<input name=password value=5550199>",
                """
                line 1, column 1: expected a value, found '<'; this looks like HTML or XML, not JSON
                    <‹redacted›
                    ^
                """
            ),
        ]
    )
    func redaction(document: String, text: String) throws {
        let diagnosis = try Self.diagnosis(List.self, document, redacting: ["PASSWORD", "token"])
        #expect(diagnosis.description == text)
        #expect(!"\(diagnosis)".contains("5550199"))
    }

    @Test("A diagnosis omits a decoder's text that repeats a secret")
    func redactedReason() throws {
        struct Login: Decodable { var token: Color }
        let diagnosis = try Self.diagnosis(Login.self, #"{"token":"s3cret"}"#, redacting: ["token"])
        #expect(
            diagnosis.description == #"""
                token (line 1, column 10): cannot decode a string
                    {"token":‹redacted›}
                             ^~~~~~~~~~
                """#
        )
        let nested = DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "Number 4711 is in the way.")
        )
        #expect(
            DecodingDiagnosis(
                error: nested,
                document: Data(#"{"token":{"a":[true,4711]}}"#.utf8),
                redacting: ["token"]
            ).summary == "cannot decode an object with 1 key"
        )
    }

    @Test("The diagnosis of a truncated or corrupted document does not contain the secret")
    func mutilatedSecrets() async throws {
        let document = Array(#"{"data":[{"id":1,"name":"Lamp","password":"5550199","tags":["a"]}]}"#.utf8)
        var random = SplitMix64(seed: 1)
        let spares = Array(#"{}[]":, x"#.utf8)
        for _ in 0..<3000 {
            await Task.yield()
            var bytes = document
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                // The secret's key is preserved: without it, nothing identifies the secret.
                let index = Int.random(in: bytes.indices, using: &random)
                let spare = spares.randomElement(using: &random) ?? 0
                let cut = Int.random(in: 0..<4, using: &random)
                var mutilated = bytes
                switch cut {
                case 0: mutilated.remove(at: index)
                case 1: mutilated[index] = spare
                case 2: mutilated.insert(spare, at: index)
                default: mutilated.removeSubrange(index...)
                }
                let string = String(decoding: mutilated, as: UTF8.self)
                if string.contains("password") || !string.contains("550") { bytes = mutilated }
                if bytes.isEmpty { break }
            }
            let string = String(decoding: bytes, as: UTF8.self)
            // In valid JSON, "passwordx" is another key.
            if JSONText(Data(bytes)).syntaxError() == nil, !string.contains("\"password\":") { continue }
            guard let diagnosis = try? Self.diagnosis(List.self, string, redacting: ["password"]) else { continue }
            #expect(!diagnosis.description.contains("550"), "\(string)\n\(diagnosis)")
        }
    }
}
