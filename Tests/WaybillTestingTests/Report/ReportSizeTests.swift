import Foundation
import TestSupport
import Testing
import Waybill
import WaybillJSON
@testable import WaybillTesting

@Suite("Reports of heavy traffic", .largeInTurn)
struct ReportSizeTests {
    private func har(_ count: Int, _ entry: (Int) -> [String: JSONValue]) -> Data {
        let entries = (0..<count).map { JSONValue.object(entry($0)) }
        return Data(JSONValue.object(["log": ["entries": .array(entries)]]).description.utf8)
    }

    /// Returns an entry that starts at a number of seconds after a fixed date.
    private func entry(_ number: Int, text: String, fields: [JSONValue] = []) -> [String: JSONValue] {
        let time = Date(timeIntervalSince1970: 1_800_000_000 + Double(number)).formatted(.iso8601)
        return [
            "startedDateTime": .string(time), "time": 40, "timings": ["wait": 30, "receive": 10],
            "request": ["method": "GET", "url": .string("https://a.example/\(number)"), "headers": .array(fields)],
            "response": ["status": 200, "content": ["mimeType": "text/plain", "text": .string(text)]],
        ]
    }

    @Test("A report of many calls with different cookies has a row for each, in sections, and no cookie")
    func calls() throws {
        let count = Thoroughness.repetitions(5000, otherwise: 300)
        let har = har(count) { number in
            let cookie: JSONValue = ["name": "Cookie", "value": .string("sid=of-ann-\(10_000_000 + number)")]
            return entry(number, text: "after of-ann-\(10_000_000 + max(0, number - 1))", fields: [cookie])
        }
        let html = try TrafficRecorder.Report(har: har).html
        #expect(html.utf8.count < 2000 * count)
        #expect(html.components(separatedBy: " data-time=").count == count + 1)
        #expect(html.contains("Calls \(count - 49) to \(count)"))
        #expect(!html.contains("of-ann"))
    }

    @Test("A long body is cut at a character boundary and has a note")
    func longBody() throws {
        let text = String(repeating: "é", count: 30_000)
        let html = try TrafficRecorder.Report(har: har(1) { entry($0, text: text) }).html
        #expect(html.contains("The rest of the body is left out."))
        #expect(html.contains("<pre>é"))
        #expect(html.contains("é</pre>"))
        #expect(html.utf8.count < 60_000)
    }

    @Test("A long JSON body is cut between characters", arguments: 0...3)
    func longJSON(offset: Int) throws {
        let text = #"{"a":""# + String(repeating: "x", count: offset) + String(repeating: "€", count: 20_000) + #""}"#
        let html = try TrafficRecorder.Report(har: har(1) { entry($0, text: text) }).html
        #expect(html.contains("The rest of the body is left out."))
        #expect(!html.contains("\u{FFFD}"))
    }

    @Test(
        "The bodies of a report total at most 20 MB, and short ones leave their share to long ones",
        arguments: [
            ([], 20_000), ([5, 1_000_000], 20_000), (Array(repeating: 1_000_000, count: 2000), 10_000),
            (Array(repeating: 1_000_000, count: 1500) + Array(repeating: 1000, count: 5000), 10_000),
        ]
    )
    func manyBodies(sizes: [Int], limit: Int) { #expect(ReportPage.bodyLimit(of: sizes) == limit) }

    @Test("A body of brackets does not exceed the limit when indented")
    func brackets() throws {
        let text = String(repeating: "[", count: 200_000)
        #expect(try TrafficRecorder.Report(har: har(1) { entry($0, text: text) }).html.utf8.count < 60_000)
    }
}
