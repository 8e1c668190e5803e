import Foundation
import Testing
@testable import WaybillTransfers

@testable import Waybill

@Suite("Resume decisions")
struct ResumeDecisionTests {
    /// A response to a request for the rest of a 100-byte file of which 40 bytes have been downloaded.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let status: HTTPResponse.Status
        let fields: HTTPFields
        let decision: ResumeDecision

        init(_ name: String, _ status: Int, _ fields: [(String, String)], _ decision: ResumeDecision) {
            self.name = name
            self.status = HTTPResponse.Status(code: status)
            self.fields = HTTPFields(
                fields.compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
            )
            self.decision = decision
        }

        var testDescription: String { name }
    }

    private static let tag = ("ETag", #""v1""#)

    static let rows = [
        Row("the rest", 206, [tag, ("Content-Range", "bytes 40-99/100")], .append(40..<100, complete: 100)),
        Row("an early start", 206, [tag, ("Content-Range", "bytes 10-99/100")], .append(10..<100, complete: 100)),
        Row("an early end", 206, [tag, ("Content-Range", "bytes 40-59/100")], .append(40..<60, complete: 100)),
        Row("an unknown length", 206, [tag, ("Content-Range", "bytes 40-99/*")], .append(40..<100, complete: 100)),
        Row("upper case", 206, [tag, ("Content-Range", "BYTES 40-99/100")], .append(40..<100, complete: 100)),
        Row("a late start", 206, [tag, ("Content-Range", "bytes 41-99/100")], .requestWhole(.unusableRange)),
        Row("nothing new", 206, [tag, ("Content-Range", "bytes 0-39/100")], .requestWhole(.unusableRange)),
        Row("another length", 206, [tag, ("Content-Range", "bytes 40-199/200")], .requestWhole(.changed)),
        Row("another unit", 206, [tag, ("Content-Range", "lines 40-99/100")], .requestWhole(.unusableRange)),
        Row("no range", 206, [tag], .requestWhole(.unusableRange)),
        Row(
            "several ranges",
            206,
            [tag, ("Content-Type", "multipart/byteranges; boundary=a")],
            .requestWhole(.unusableRange)
        ),
        Row(
            "two fields",
            206,
            [tag, ("Content-Range", "bytes 40-99/100"), ("Content-Range", "bytes 40-99/100")],
            .requestWhole(.unusableRange)
        ),
        Row(
            "an end before its start",
            206,
            [tag, ("Content-Range", "bytes 99-40/100")],
            .requestWhole(.unusableRange)
        ),
        Row("an end after the file", 206, [tag, ("Content-Range", "bytes 40-100/100")], .requestWhole(.unusableRange)),
        Row("another tag", 206, [("ETag", #""v2""#), ("Content-Range", "bytes 40-99/100")], .requestWhole(.changed)),
        Row("a weak tag", 206, [("ETag", #"W/"v1""#), ("Content-Range", "bytes 40-99/100")], .requestWhole(.changed)),
        Row("no tag", 206, [("Content-Range", "bytes 40-99/100")], .requestWhole(.changed)),
        Row(
            "a content coding",
            206,
            [tag, ("Content-Range", "bytes 40-99/100"), ("Content-Encoding", "compress")],
            .requestWhole(.unusableRange)
        ),
        Row("the whole file", 200, [tag], .startAgain(.rangeIgnored)),
        Row("another file", 200, [("ETag", #""v2""#)], .startAgain(.changed)),
        Row("416 with the size", 416, [tag, ("Content-Range", "bytes */40")], .requestWhole(.rangeRejected)),
        Row("416 of a shorter file", 416, [tag, ("Content-Range", "bytes */20")], .requestWhole(.rangeRejected)),
        Row("416 alone", 416, [], .requestWhole(.rangeRejected)),
        Row("404", 404, [], .fail),
        Row("503", 503, [tag], .fail),
    ]

    private static func state(have: Int = 40, length: Int? = 100, from offset: Int? = 40) -> ResumeState {
        ResumeState(
            length: have,
            record: PartRecord(
                endpoint: "GET files/{}",
                validator: .entityTag(#""v1""#),
                length: length,
                contentType: nil
            ),
            requestedOffset: offset
        )
    }

    private static func decision(_ state: ResumeState, _ status: Int, _ fields: HTTPFields) -> ResumeDecision {
        let response = HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
        return state.decision(after: response, isSuccess: (200..<300).contains(status))
    }

    @Test("The response to a range request determines how the download continues", arguments: rows)
    func table(_ row: Row) {
        #expect(Self.decision(Self.state(), row.status.code, row.fields) == row.decision)
    }

    @Test("A 416 completes a file of unknown length only if its size and validator match")
    func complete() {
        let state = Self.state(length: nil)
        let tag = HTTPField(name: .eTag, value: #""v1""#)
        let size = HTTPField(name: .contentRange, value: "bytes */40")
        let other = HTTPField(name: .contentRange, value: "bytes */39")
        #expect(Self.decision(state, 416, [tag, size]) == .complete)
        #expect(Self.decision(state, 416, [size]) == .requestWhole(.rangeRejected))
        #expect(Self.decision(state, 416, [tag, other]) == .requestWhole(.rangeRejected))
    }

    @Test("An unexpected partial response is rejected unless it is declared")
    func unexpectedPart() {
        var state = Self.state(have: 0, from: nil)
        let fields: HTTPFields = [HTTPField(name: .contentRange, value: "bytes 0-9/100")]
        let reason = "it is part of the file, but the whole file was requested"
        #expect(Self.decision(state, 206, fields) == .reject(reason))
        state.isPartDeclared = true
        #expect(Self.decision(state, 206, fields) == .startAgain(nil))
    }

    @Test(
        "The next request starts after the existing bytes, or at the last byte if none is missing",
        arguments: [(40, 100, 40), (100, 100, 99), (101, 100, nil), (40, nil, 40), (0, 100, nil)] as [(Int, Int?, Int?)]
    )
    func offset(_ have: Int, _ length: Int?, _ expected: Int?) {
        #expect(Self.state(have: have, length: length, from: nil).nextOffset == expected)
    }

    @Test("A Last-Modified date is strong if it precedes Date by a second and no weak entity tag is present")
    func dates() {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let changed = HTTPField(name: .lastModified, value: "Sun, 06 Nov 1994 08:49:37 GMT")
        let early = HTTPField(name: .date, value: "Sun, 06 Nov 1994 08:49:37 GMT")
        let late = HTTPField(name: .date, value: "Sun, 06 Nov 1994 08:49:38 GMT")
        let weak = HTTPField(name: .eTag, value: #"W/"v1""#)
        #expect(StrongValidator([changed, late], now: now) == .lastModified("Sun, 06 Nov 1994 08:49:37 GMT"))
        #expect(StrongValidator([changed, early], now: now) == nil)
        #expect(StrongValidator([changed], now: now) == nil)
        #expect(StrongValidator([changed, late, weak], now: now) == nil)
    }
}
