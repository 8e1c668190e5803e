import Testing

@testable import WaybillJSON

@Suite("Similar keys")
struct SimilarKeysTests {
    @Test(
        "The most similar key is found, if any is similar",
        arguments: [
            ("createdAt", ["id", "created_at"], "created_at"),
            ("created_at", ["CreatedAt", "created"], "CreatedAt"),
            ("name", ["nmae", "game"], "nmae"),
            ("name", ["naem"], "naem"),
            ("price", ["prize", "pirce"], "prize"),
            ("color", ["colour"], "colour"),
            ("id", ["_id"], "_id"), ("id", ["ID"], "ID"), ("id", ["to", "x"], nil), ("id", ["ids"], "ids"),
            ("id", [], nil),
            ("name", ["id", "title", "mean"], nil),
            ("description", ["descriptoin", "desc"], "descriptoin"),
            ("emailAddress", ["mail_adress"], "mail_adress"),
            ("internationalName", ["international_names_x"], "international_names_x"),
            ("a", ["b"], nil), ("", ["a"], nil), ("ab", ["", "_"], nil),
            ("größe", ["grösse", "Größe"], "Größe"),
            (String(repeating: "k", count: 101), [String(repeating: "k", count: 101)], nil),
        ] as [(String, [String], String?)]
    )
    func nearest(missing: String, keys: [String], expected: String?) {
        #expect(SimilarKeys.nearest(to: missing, among: keys) == expected)
    }

    @Test(
        "A misspelling differs by at most two edits, or is a prefix or an extension of the key",
        arguments: [
            ("nextt", ["self", "next"], ["next"]), ("next_page_tokn", ["next_page_token"], ["next_page_token"]),
            ("next", ["next_page", "nxet", "NEXT_"], ["NEXT_", "nxet", "next_page"]),
            ("total_count", ["total", "totals"], ["total"]), ("next", ["prev", "last", "ne", "extra"], []),
            ("end", ["end_time", "and"], ["and"]), ("id", ["if", "ids"], ["ids"]), ("", ["a"], []),
            ("nextPageToken", ["nextSyncToken", "newStartPageToken"], []),
            ("@odata.nextLink", ["@odata.deltaLink"], []),
        ]
    )
    func misspellings(missing: String, keys: [String], expected: [String]) {
        #expect(SimilarKeys.misspellings(of: missing, among: keys) == expected)
    }

    @Test("A key that extends the missing one is not a misspelling if extensions are excluded")
    func extensions() {
        #expect(
            SimilarKeys.misspellings(of: "next", among: ["next_page", "nexts"], includesExtensions: false) == ["nexts"]
        )
    }

    @Test(
        "The edit distance counts insertions, removals, replacements and swaps",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1),
            ("abc", "ab", 1), ("abc", "xabc", 1), ("ca", "abc", 3), ("kitten", "sitting", 3),
        ]
    )
    func distance(left: String, right: String, expected: Int) {
        #expect(SimilarKeys.editDistance(Array(left), Array(right)) == expected)
        #expect(SimilarKeys.editDistance(Array(right), Array(left)) == expected)
    }
}
