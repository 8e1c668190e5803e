import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Deprecation notices")
struct DeprecationTests {
    private static let end = Date(timeIntervalSince1970: 1_767_139_199)
    private static let endText = "Tue, 30 Dec 2025 23:59:59 GMT"

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fields: [(String, String)]
        let deprecation: CallEvent.Deprecation?
        var text = ""
    }

    static let rows = [
        Row(testDescription: "neither field", fields: [("Link", "</a>; rel=\"deprecation\"")], deprecation: nil),
        Row(
            testDescription: "a structured date",
            fields: [("Deprecation", "@1688169599")],
            deprecation: .init(date: Date(timeIntervalSince1970: 1_688_169_599)),
            text: "deprecated from 2023-06-30T23:59:59Z"
        ),
        Row(
            testDescription: "both fields with parameters and links",
            fields: [
                ("deprecation", "@1688169599;a=1"), ("Sunset", endText),
                ("Link", "<https://api.example/a#b>; rel=\"deprecation\"; type=\"text/html\", </gone>; rel=sunset"),
            ],
            deprecation: .init(
                date: Date(timeIntervalSince1970: 1_688_169_599),
                sunset: end,
                link: "https://api.example/a#b",
                sunsetLink: "https://shop.example/gone"
            ),
            text: "deprecated from 2023-06-30T23:59:59Z, unavailable from 2025-12-30T23:59:59Z, see"
                + " https://api.example/a#b and https://shop.example/gone"
        ),
        Row(
            testDescription: "an end alone",
            fields: [("Sunset", endText)],
            deprecation: .init(sunset: end),
            text: "unavailable from 2025-12-30T23:59:59Z"
        ),
        Row(
            testDescription: "the value of an earlier draft",
            fields: [("Deprecation", "true"), ("Sunset", endText)],
            deprecation: .init(sunset: end, unreadableFields: ["Deprecation: true"]),
            text:
                "deprecated, unavailable from 2025-12-30T23:59:59Z, with a field that is not a date: Deprecation: true"
        ),
        Row(
            testDescription: "values that are no dates",
            fields: [("Deprecation", endText), ("Sunset", "@1688169599"), ("Sunset", "")],
            deprecation: .init(
                unreadableFields: ["Deprecation: \(endText)", "Sunset: @1688169599", "Sunset: "]
            ),
            text: "deprecated, with a field that is not a date: Deprecation: \(endText), with a field that is not a"
                + " date: Sunset: @1688169599, with a field that is not a date: Sunset: "
        ),
        Row(
            testDescription: "a date beyond any clock, and one before it",
            fields: [("Deprecation", "@999999999999999"), ("Deprecation", "@-1")],
            deprecation: .init(date: Date(timeIntervalSince1970: 999_999_999_999_999)),
            text: "deprecated from 4001-01-01T00:00:00Z"
        ),
        Row(
            testDescription: "a link about another resource, and a broken one",
            fields: [
                ("Deprecation", "@0"), ("Link", "</a>; rel=\"deprecation\"; anchor=\"/other\""), ("Link", "oops"),
            ],
            deprecation: .init(date: Date(timeIntervalSince1970: 0)),
            text: "deprecated from 1970-01-01T00:00:00Z"
        ),
    ]

    private static func event(_ kind: CallEvent.Kind, _ row: Row, template: String = "products/{}") -> CallEvent {
        let fields = row.fields.compactMap { name, value in
            HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
        }
        return CallEvent(
            number: 3,
            template: template,
            url: "https://shop.example/products/7",
            kind: kind,
            headerFields: HTTPFields(fields)
        )
    }

    @Test("The head event includes the deprecation notice from its fields; other events do not", arguments: rows)
    func table(_ row: Row) {
        let deprecation = Self.event(.head(200), row).deprecation
        #expect(deprecation == row.deprecation)
        #expect(deprecation.map { "\($0)" } ?? "" == row.text)
        #expect(Self.event(.sent(bodyBytes: 0), row).deprecation == nil)
        #expect(Self.event(.body(bytes: 0), row).deprecation == nil)
    }

    @Test("A log at any level of detail has one line for each deprecated method and template")
    func log() throws {
        let row = Self.rows[1]
        for detail in [RequestLog.Detail.calls, .attempts, .headers] {
            let lines = Locked<[String]>([])
            let log = RequestLog(detail) { line in lines.withLock { $0.append(line) } }
            for template in ["products/{}", "", "products/{}"] {
                log.observe(Self.event(.head(200), row, template: template))
            }
            #expect(
                lines.withLock { $0 }.filter { $0.hasPrefix("!") } == [
                    "! 3 GET products/{} is deprecated from 2023-06-30T23:59:59Z",
                    "! 3 GET / is deprecated from 2023-06-30T23:59:59Z",
                ]
            )
        }
    }

    @Test("Observers receive the deprecation notice without secrets, and the call is unaffected")
    func call() async throws {
        let headers: HTTPFields = [
            HTTPField(name: try #require(HTTPField.Name("Sunset")), value: Self.endText),
            HTTPField(name: .link, value: "<https://shop.example/gone?lang=en>; rel=\"sunset\""),
            HTTPField(name: .link, value: "<https://shop.example/old?token=hunter2>; rel=\"deprecation\""),
        ]
        let stub = StubTransport(["GET a": .text("a", headers: headers)])
        let recorder = Recorder()
        let client = Client(Shop.url, transport: stub, clock: ManualClock()) {
            Secret("token")
            Observe(recorder)
        }
        #expect(try await client.get("a", as: String.self) == "a")
        let found = recorder.events.compactMap(\.deprecation)
        #expect(found.map(\.sunset) == [Self.end])
        #expect(found.map(\.sunsetLink) == ["https://shop.example/gone?lang=en"])
        #expect(!"\(found)".contains("hunter2"))
    }
}
