import Foundation
import Testing
import Waybill

@testable import WaybillStore

@Suite("Members changed on both sides")
struct ClashTests {
    /// Changes to the base version, the server's version, the clashing members, and the changes without them.
    struct Row: Sendable {
        let changes: JSONValue
        let theirs: JSONValue
        let clashes: [[String]]
        let rest: JSONValue
    }

    static let base: JSONValue = ["a": 1, "b": 1, "o": ["x": 1, "y": 1], "l": [1]]

    static let rows: [Row] = [
        Row(changes: ["a": 2], theirs: base, clashes: [], rest: ["a": 2]),
        Row(
            changes: ["a": 2],
            theirs: ["a": 1, "b": 9, "o": ["x": 1, "y": 1], "l": [1]],
            clashes: [],
            rest: ["a": 2]
        ),
        Row(
            changes: ["a": 2, "b": 3],
            theirs: ["a": 5, "b": 1, "o": ["x": 1, "y": 1], "l": [1]],
            clashes: [["a"]],
            rest: ["b": 3]
        ),
        Row(
            changes: ["a": 2],
            theirs: ["a": 2, "b": 1, "o": ["x": 1, "y": 1], "l": [1]],
            clashes: [],
            rest: ["a": 2]
        ),
        Row(
            changes: ["o": ["x": 2]],
            theirs: ["a": 1, "b": 1, "o": ["x": 1, "y": 9], "l": [1]],
            clashes: [],
            rest: ["o": ["x": 2]]
        ),
        Row(
            changes: ["o": ["x": 2]],
            theirs: ["a": 1, "b": 1, "o": ["x": 9, "y": 1], "l": [1]],
            clashes: [["o", "x"]],
            rest: [:]
        ),
        Row(changes: ["o": ["x": 2]], theirs: ["a": 1, "b": 1, "l": [1]], clashes: [["o", "x"]], rest: [:]),
        Row(changes: ["a": nil], theirs: ["b": 1, "o": ["x": 1, "y": 1], "l": [1]], clashes: [], rest: ["a": nil]),
        Row(
            changes: ["l": [1, 2]],
            theirs: ["a": 1, "b": 1, "o": ["x": 1, "y": 1], "l": [1, 3]],
            clashes: [["l"]],
            rest: [:]
        ),
    ]

    @Test("A member clashes if both sides changed it to different values", arguments: rows)
    func clashes(_ row: Row) {
        let clashes = Clashes(of: row.changes, base: Self.base, theirs: row.theirs)
        #expect(clashes.paths == row.clashes)
        #expect(clashes.removed(from: row.changes) == row.rest)
    }

    /// Two times, the later of them, and the text of the first one minus one second.
    @Test(
        "Server times are compared as numbers or dates, and keep their format",
        arguments: [
            (JSONValue.integer(5), JSONValue.integer(40), JSONValue.integer(40), "4"),
            ("2026-01-02T00:00:00Z", "2026-01-01T23:59:59+00:00", "2026-01-02T00:00:00Z", "2026-01-01T23:59:59Z"),
            ("b", "a", "b", "b"),
        ]
    )
    func times(first: JSONValue, second: JSONValue, later: JSONValue, earlier: String) throws {
        let (left, right) = (try #require(ServerTime(first)), try #require(ServerTime(second)))
        #expect(left.later(right).value == later)
        #expect(right.later(left).value == later)
        #expect(left.text == first.stringValue ?? first.description)
        #expect(left.shifted(by: .seconds(-1)).text == earlier)
    }
}
