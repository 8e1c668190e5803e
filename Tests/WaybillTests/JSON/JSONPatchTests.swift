import Foundation
import TestSupport
import Testing
import Waybill

@Suite("JSON Patch")
struct JSONPatchTests {
    private static func value(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    private static func text(_ patch: JSONPatch) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(patch), as: UTF8.self)
    }

    @Test(
        "A JSON Patch between two values contains the operations that turn one into the other",
        arguments: [
            ("{}", "{}", "[]"),
            (#"{"a":1,"b":[1.0]}"#, #"{"b":[1],"a":1.0}"#, "[]"),
            (#"{"a":1}"#, #"{"b":2}"#, #"[{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":2}]"#),
            (#"{"a":{"b":1}}"#, #"{"a":{"b":null}}"#, #"[{"op":"replace","path":"/a/b","value":null}]"#),
            (
                #"{"a/b":1,"c~d":1}"#, #"{"a/b":2}"#,
                #"[{"op":"remove","path":"/c~0d"},{"op":"replace","path":"/a~1b","value":2}]"#
            ),
            (#"["a"]"#, "[]", #"[{"op":"remove","path":"/0"}]"#),
            ("[1,2,3,4]", "[1,4]", #"[{"op":"remove","path":"/2"},{"op":"remove","path":"/1"}]"#),
            ("[1,4]", "[1,2,3,4]", #"[{"op":"add","path":"/1","value":2},{"op":"add","path":"/2","value":3}]"#),
            (#"[{"a":1},2]"#, #"[{"a":2},2]"#, #"[{"op":"replace","path":"/0/a","value":2}]"#),
            ("1", "[1]", #"[{"op":"replace","path":"","value":[1]}]"#),
            (#"{"":{"0":1}}"#, #"{"":{"0":2}}"#, #"[{"op":"replace","path":"//0","value":2}]"#),
            ("\"\u{E9}\"", "\"e\u{301}\"", "[{\"op\":\"replace\",\"path\":\"\",\"value\":\"e\u{301}\"}]"),
        ]
    )
    func difference(old: String, new: String, operations: String) throws {
        let patch = JSONPatch(from: try Self.value(old), to: try Self.value(new))
        #expect(try Self.text(patch) == operations)
        #expect(try JSONDecoder().decode(JSONPatch.self, from: Data(operations.utf8)) == patch)
    }

    @Test("Applying the JSON Patch between two random values to the first yields the second")
    func property() async throws {
        var random = SplitMix64(seed: 6902)
        for _ in 0..<3000 {
            await Task.yield()
            let old = JSONMergePatchTests.randomValue(depth: 4, nulls: true, using: &random)
            let new =
                Bool.random(using: &random)
                ? JSONMergePatchTests.randomValue(depth: 4, nulls: true, using: &random)
                : JSONMergePatchTests.mutated(old, using: &random)
            let patch = JSONPatch(from: old, to: new)
            #expect(patch.operations.isEmpty == (old == new))
            // Encode and decode the patch, as when a server receives it.
            let read = try JSONDecoder().decode(JSONPatch.self, from: JSONEncoder().encode(patch))
            #expect(try old.applying(read) == new, "\(old) → \(new) by \(patch)")
        }
    }

    @Test(
        "An operation that does not apply to the document throws an error that identifies it",
        arguments: [
            ([.remove("/a/b")], .noValue("/a/b")), ([.replace("/c", 1)], .noValue("/c")),
            ([.test("/a", 2)], .valueMismatch("/a")), ([.add("/a/b", 1)], .invalidParent("/a/b")),
            ([.add("/l/01", 1)], .invalidIndex("/l/01")), ([.add("/l/3", 1)], .noValue("/l/3")),
            ([.replace("/l/-", 1)], .invalidIndex("/l/-")), ([.remove("")], .removedDocument),
            ([.move(from: "/l", to: "/l/0")], .movedIntoItself("/l")), ([.copy(from: "/c", to: "/d")], .noValue("/c")),
            ([.add("/x/y", 1)], .noValue("/x/y")),
        ] as [(JSONPatch, JSONPatch.Failure.Reason)]
    )
    func errors(_ row: (patch: JSONPatch, reason: JSONPatch.Failure.Reason)) throws {
        let document: JSONValue = ["a": 1, "l": [1, 2]]
        let failing = JSONPatch([.test("/a", 1)] + row.patch.operations)
        let error = #expect(throws: JSONPatch.Failure.self) { try document.applying(failing) }
        #expect(error?.index == 1)
        #expect(error?.reason == row.reason)
        #expect(error?.description.hasPrefix("operation 1, ") == true)
    }

    @Test("A JSON Pointer escapes ~ and /, and invalid text is rejected")
    func pointers() {
        #expect(JSONPatch.Pointer(["a/b", "c~d", "~1", ""]).description == "/a~1b/c~0d/~01/")
        let texts: [(String, [String])] = [
            ("/a~1b/c~0d/~01/", ["a/b", "c~d", "~1", ""]), ("", []), ("/a/\u{301}b", ["a", "\u{301}b"]),
        ]
        for (text, tokens) in texts { #expect(JSONPatch.Pointer(text)?.tokens == tokens) }
        for text in ["a", "/~", "/~2", "#/a"] { #expect(JSONPatch.Pointer(text) == nil) }
    }

    /// A record of the json-patch-tests suite.
    private struct Record: Decodable {
        let comment: String?
        let doc: JSONValue?
        let patch: JSONValue?
        let expected: JSONValue?
        let error: String?
        let disabled: Bool?
    }

    static let suite: URL = {
        // Five levels above this file: the directory that contains the repository and the shared suites.
        let parent = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let suites =
            ProcessInfo.processInfo.environment["WAYBILL_SUITES"].map { URL(fileURLWithPath: $0) }
            ?? parent.appendingPathComponent("shared/suites")
        return suites.appendingPathComponent("json-patch")
    }()

    @Test(
        "The records of the json-patch-tests suite produce the expected results",
        .enabled(
            if: FileManager.default.fileExists(atPath: JSONPatchTests.suite.path),
            "the suite json-patch is neither in WAYBILL_SUITES nor in shared/suites beside the repository"
        ),
        arguments: [("tests.json", 90), ("spec_tests.json", 16)]
    )
    func conformance(_ row: (file: String, least: Int)) throws {
        let records = try JSONDecoder().decode(
            [Record].self,
            from: Data(contentsOf: Self.suite.appendingPathComponent(row.file))
        )
        var count = 0
        // Disabled records that expect an error contain a repeated key, and a decoder keeps only one of its values.
        for record in records where record.disabled != true || record.error == nil {
            guard let document = record.doc, let operations = record.patch else { continue }
            count += 1
            let name = record.comment ?? "\(operations)"
            do {
                let patch = try JSONDecoder().decode(JSONPatch.self, from: JSONEncoder().encode(operations))
                let result = try document.applying(patch)
                #expect(record.error == nil, "\(name): gives \(result)")
                if let expected = record.expected { #expect(result == expected, "\(name)") }
            } catch {
                #expect(record.error != nil, "\(name): \(error)")
            }
        }
        #expect(count >= row.least)
    }
}
