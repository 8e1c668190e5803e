import Foundation
import Testing
import Waybill
import WaybillJSON
import WaybillTesting

@Suite("Hostile texts in reports")
struct ReportEscapingTests {
    /// The elements and attributes of a report.
    private static let elements: Set = [
        "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "p", "svg", "defs", "pattern", "rect",
        "path", "circle", "ul", "li", "ol", "form", "label", "input", "select", "option", "output", "main", "div",
        "span", "text", "details", "summary", "b", "bdi", "i", "a", "section", "pre", "script",
    ]

    private static let attributes: Set = [
        "lang", "charset", "http-equiv", "content", "name", "class", "aria-hidden", "id", "patternUnits", "width",
        "height", "d", "cx", "cy", "r", "x", "y", "dx", "hidden", "type", "placeholder", "value", "data-time",
        "data-size", "href", "html",
    ]

    private func html(_ text: String) throws -> String {
        let value = JSONValue.string(text)
        let event: JSONValue = ["kind": value, "time": 1, "attempt": 1, "text": value, "use": value]
        let field: JSONValue = ["name": value, "value": value]
        let entry: JSONValue = [
            "startedDateTime": value, "time": 1, "_call": 1, "_fromCache": value, "_fault": ["message": value],
            "request": [
                "method": value, "url": value, "httpVersion": value,
                "headers": [field, ["name": "X-A", "value": value]],
                "postData": ["mimeType": value, "text": value],
            ],
            "response": [
                "status": 200, "statusText": value, "httpVersion": value, "headers": [field],
                "content": ["mimeType": "application/json", "text": .string(#"{"a": "\#(text)"}"#), "size": 5],
            ],
        ]
        var other = entry.objectValue ?? [:]
        other["_call"] = nil
        let call: JSONValue = [
            "number": 1, "parent": 2, "method": value, "template": value, "url": value, "startedDateTime": value,
            "time": 1, "events": [event, event, ["kind": "failed", "time": 2, "text": value]],
        ]
        let har: JSONValue = [
            "log": ["creator": ["name": value], "_calls": [call], "entries": [entry, .object(other)]]
        ]
        return try TrafficRecorder.Report(har: Data(har.description.utf8)).html
    }

    @Test(
        "Text from a HAR never becomes markup",
        arguments: [
            "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", #"" onmouseover="alert(1)"#,
            "' onfocus='alert(1)", "</pre></details></li></ol><h1>", "<!--", "--><b>", "]]>", "</style><style>*{}",
            "javascript:alert(1)", "https://a.example/\"><svg onload=alert(1)>", "&lt;script&gt;", "&#60;script&#62;",
            "https://<script>/", "<\u{0}script>", "\u{FEFF}<script>", "<scr\nipt>", "<bdi>/evil</bdi>",
        ]
    )
    func markup(text: String) throws {
        let document = try HTMLDocument(html(text))
        #expect(document.names.subtracting(Self.elements).isEmpty)
        #expect(document.attributeNames.subtracting(Self.attributes).isEmpty)
        #expect(document.count(of: "script") == 1)
        #expect(document.count(of: "style") == 1)
        #expect(document.count(of: "h1") == 1)
        #expect(document.attributes(named: "href").allSatisfy { $0.hasPrefix("#call-") })
    }

    @Test(
        "Invisible characters and characters that reorder a line are written out",
        arguments: [
            ("a\u{202E}b", "a⟦U+202E⟧b"), ("a\u{2066}b", "a⟦U+2066⟧b"), ("a\u{200B}b", "a⟦U+200B⟧b"),
            ("a\u{2028}b", "a⟦U+2028⟧b"), ("a\u{85}b", "a⟦U+0085⟧b"), ("a\u{E0041}b", "a⟦U+E0041⟧b"),
            ("a\u{7}b", "a␇b"), ("a\u{7F}b", "a␡b"), ("a\u{1B}[31mb", "a␛[31mb"), ("a\rb", "a␍b"),
            ("a\r\nb", "a\nb"), ("a\r", "a␍"), ("é 👩‍👩‍👧 שלום", "é 👩‍👩‍👧 שלום"),
        ]
    )
    func invisible(text: String, shown: String) throws {
        let html = try html(text)
        #expect(html.unicodeScalars.contains { $0 == "a" })
        #expect(html.contains(shown))
        if text != shown { #expect(!html.contains(text)) }
    }
}
