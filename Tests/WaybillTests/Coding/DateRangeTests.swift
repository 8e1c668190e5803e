import CallSupport
import Foundation
import Testing
import WaybillTesting

@testable import Waybill

/// Dates at the ends of the range of years that RFC 3339 can represent: any date that can be read can be written.
@Suite("Dates at the ends of the range")
struct DateRangeTests {
    struct Event: Codable, Sendable, Equatable {
        var at: Date
    }

    /// Texts from servers, and the texts sent back.
    static let texts = [
        ("9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59.9999999+00:00", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59.999999999999999999Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59.9995Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"), ("9999-12-31T23:59:60Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T18:59:59.9999999-05:00", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59.5-05:00", "9999-12-31T23:59:59.500-05:00"),
        ("9999-12-31T23:59:59-00:30", "9999-12-31T23:29:59-01:00"),
        ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59-23:59"),
        ("0001-01-01T00:00:00.0000000Z", "0001-01-01T00:00:00Z"), ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
        ("0000-01-01T00:00:00.0000001Z", "0000-01-01T00:00:00Z"),
        ("0000-01-01T00:00:00+05:00", "0000-01-01T00:00:00+05:00"),
        ("0000-01-01T00:00:00.250+23:59", "0000-01-01T00:00:00.250+23:59"),
    ]

    @Test("A decoded date can be written in every ISO 8601 format and decodes to the same date", arguments: texts)
    func roundTrips(text: String, written: String) async throws {
        let date = try #require(ISO8601.date(from: text))
        let event = Event(at: date)
        let bytes = try JSONDefaults.encoder.encode(event)
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"at\":\"\(written)\"}")
        #expect(ISO8601.zonedText(from: date) == written)
        #expect(WaybillJSONEncoder.DateEncodingStrategy.iso8601WithMilliseconds.text(of: date) == written)
        let again = try JSONDefaults.decoder.decode(Event.self, from: bytes)
        #expect(abs(again.at.timeIntervalSince(date)) <= 0.001)
        #expect(try JSONDefaults.encoder.encode(again) == bytes)
        let seconds = try #require(ISO8601.zonedText(from: date, withMilliseconds: false))
        #expect(seconds.prefix(19) == written.prefix(19))
        // Foundation's strategy uses the Julian calendar for early years.
        let strategies: [JSONEncoder.DateEncodingStrategy] =
            text.hasPrefix("9") ? [.waybillISO8601, .iso8601] : [.waybillISO8601]
        for strategy in strategies {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = strategy
            let text = String(decoding: try encoder.rejectingUnwritableDates.encode(event), as: UTF8.self)
            #expect(text.contains(written.prefix(17)), "\(text)")
        }
    }

    @Test("An entity with such a date can be updated, and the date is valid in JSON and queries", arguments: texts)
    func requests(text: String, written: String) async throws {
        struct Task: Entity, Equatable {
            var id: Int
            var due: Date
            var name: String
        }
        let stub = StubTransport { request in
            request.method == .get ? .json("{\"id\":1,\"due\":\"\(text)\",\"name\":\"a\"}") : .json(request.text)
        }
        for isForm in [false, true] {
            let client = Client(Shop.url, transport: stub) { if isForm { Body.Format(as: .form) } }
            let tasks: Resource<Task, ReadWrite> = client.resource("tasks")
            let task = try await tasks.read(1)
            var changed = task
            changed.name = "b"
            if !isForm {
                #expect(try await tasks.update(changed).name == "b")
                #expect(stub.requests.last?.text.contains("\"\(written)\"") == true)
            }
            let endpoint: Endpoint<Void> = client.endpoint {
                PUT("tasks")
                Query("due", task.due)
                Body(changed)
            }
            #expect(try endpoint.plan().url.query() == "due=" + QueryItem(name: "", value: written).encoded.dropFirst())
        }
    }

    @Test("Encoding a date that is out of range in every time zone throws")
    func beyond() {
        for interval: Double in [253_402_387_140, -62_167_305_540.001, 1e15] {
            let event = Event(at: Date(timeIntervalSince1970: interval))
            #expect(throws: EncodingError.self) { try JSONDefaults.encoder.encode(event) }
            #expect(ISO8601.zonedText(from: event.at) == nil)
        }
    }

    @Test("HTTP dates round-trip, and a leap second at the end of 9999 becomes the second before it")
    func httpDates() throws {
        for second in ["59", "60"] {
            let date = try #require(HTTPDate.date(from: "Fri, 31 Dec 9999 23:59:\(second) GMT"))
            #expect(HTTPDate.text(from: date) == "Fri, 31 Dec 9999 23:59:59 GMT")
        }
        let last = try #require(ISO8601.date(from: "9999-12-31T23:59:59.9999999Z"))
        #expect(WaybillJSONEncoder.DateEncodingStrategy.day.text(of: last) == "9999-12-31")
    }
}
