import Foundation
import Testing
import WaybillHTTP

@Suite("Query and form items")
struct EncodedItemTests {
    struct Row: CustomTestStringConvertible {
        let text: String
        let items: [[String?]]

        var testDescription: String { text }

        init(_ text: String, _ items: [String?]...) {
            self.text = text
            self.items = items
        }
    }

    @Test(
        "A query is parsed into decoded names and values",
        arguments: [
            Row(""), Row("&&"), Row("a", ["a", nil]), Row("a=", ["a", ""]), Row("=b", ["", "b"]),
            Row("a=b=c&a=d", ["a", "b=c"], ["a", "d"]), Row("&a=1&&b=2&", ["a", "1"], ["b", "2"]),
            Row("a%5B%5D=%26&b=%3D+1", ["a[]", "&"], ["b", "=+1"]), Row("%zz=%C3&%=%2", ["%zz", "%C3"], ["%", "%2"]),
            Row("a=\u{301}1&\u{301}b=2", ["a", "\u{301}1"], ["\u{301}b", "2"]),
        ]
    )
    func items(row: Row) {
        let items = EncodedItem.all(in: row.text)
        #expect(items.map { [$0.name, $0.value] } == row.items)
        for item in items {
            #expect(item.text == item.encodedName + (item.encodedValue.map { "=" + $0 } ?? ""))
        }
    }

    @Test("Items with empty ones join to the original query", arguments: ["", "&", "a&&b=&", "=&=", "a=%26"])
    func joining(text: String) {
        #expect(EncodedItem.all(in: text, keepingEmpty: true).encodedText == text)
    }

    @Test("Items are sorted by decoded name, and items with the same name keep their order")
    func sorted() {
        #expect(EncodedItem.all(in: "b=1&%61=2&b=0&a=1").sortedByName.encodedText == "%61=2&a=1&b=1&b=0")
    }

    @Test("An item encodes its name and value")
    func encoding() {
        #expect(EncodedItem(name: "a[]", value: "x&y=ü").text == "a%5B%5D=x%26y%3D%C3%BC")
    }

    @Test(
        "Changing a URL's query keeps the other items and drops the fragment",
        arguments: [
            ("http://h/a?x=1&y=2#f", "http://h/a?y=2&z=3"), ("http://h/a#f", "http://h/a?z=3"),
            ("http://h/a?", "http://h/a?z=3"), ("http://h/a?&%78=1&", "http://h/a?&&z=3"),
        ]
    )
    func changed(url: String, expected: String) throws {
        let changed = try #require(URL(string: url)).changingQuery { items in
            items.removeAll { $0.name == "x" }
            items.append(EncodedItem(name: "z", value: "3"))
        }
        #expect(changed?.absoluteString == expected)
    }

    @Test("Removing all query items from a URL removes its query")
    func removed() throws {
        let url = try #require(URL(string: "http://h/a?x=1&x=2"))
        #expect(url.changingQuery { $0.removeAll { $0.name == "x" } }?.absoluteString == "http://h/a")
    }
}
