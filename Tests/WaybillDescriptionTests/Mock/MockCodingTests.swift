import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting
import WaybillTransfers

@Suite("Mock servers with declared coders")
struct MockCodingTests {
    @Test("Seeds, drafts and examples decode with the declared decoder", arguments: CodingRow.all)
    func strategies(_ row: CodingRow) async throws {
        let seed = Reading(id: 1, takenAt: row.date, rawBytes: Data([1, 250]))
        let server = try MockServer(Station(by: row)) { Seeds([seed]) }
        let station = Station(server.url, by: row)
        #expect(try await station.readings.read(1) == seed)
        let draft = Reading.Draft(takenAt: row.date, rawBytes: Data([2, 251]))
        let made = try await station.readings.create(draft)
        #expect(made.takenAt == row.date)
        #expect(made.rawBytes == Data([2, 251]))
        #expect(try await station.readings.list() == [seed, made])
        let changed = Reading(id: 2, takenAt: row.date + row.step, rawBytes: Data([3]))
        #expect(try await station.readings.update(changed) == changed)
        #expect(try await station.readings.patch(2, .init(takenAt: row.date)).takenAt == row.date)
        _ = try await station.latest.send()
    }

    @Test(
        "A form body is read with its types, lists and dates",
        arguments: Query.ArrayStyle.allCases
    )
    func forms(arrays: Query.ArrayStyle) async throws {
        let server = try MockServer(Forms(arrays: arrays))
        let forms = Forms(server.url, arrays: arrays)
        let draft = Customer.Draft(
            fullName: "ü & [x]=1,2",
            age: 7,
            isActive: true,
            tags: ["a", "b,c"],
            notes: ["a b": "1&2=3"],
            since: Date(timeIntervalSince1970: 1_777_636_800)
        )
        let made = try await forms.customers.create(draft)
        #expect(made.fullName == draft.fullName && made.age == 7 && made.isActive)
        #expect(made.tags == draft.tags && made.notes == draft.notes && made.since == draft.since)
        let changes = Customer.Patch(age: .null, fullName: "Ada")
        let patched = try await forms.customers.patch(made.id, changes)
        #expect(patched.fullName == "Ada" && patched.age == nil && patched.tags == draft.tags)
    }

    @Test("Drafts and patches of encode-only types are accepted in the sent media type")
    func mediaTypes() async throws {
        let server = try MockServer(Notebook(type: "application/scim+json"))
        let notebook = Notebook(server.url, type: "application/scim+json")
        let note = try await notebook.notes.create(.init(text: "Milk"))
        #expect(try await notebook.notes.patch(note.id, .init(text: "Tea")).text == "Tea")
    }

    @Test("Seeds that the declared decoder rejects throw an error with advice") func seeds() {
        let error = #expect(throws: Seeds.Failure.self) {
            try MockServer(Notebook(type: "application/json")) { Seeds([Note(id: 1, text: "Milk")], at: "strict") }
        }
        #expect(error?.description.hasPrefix("Seed 1 of Note encodes to a document that the declared decoder") ?? false)
        #expect(error?.description.hasSuffix("give it as JSON: Seeds(json: …, at: …).") ?? false)
    }

    @Test("A create whose content coding is rejected is retried without it, with the same idempotency key")
    func codings() async throws {
        let server = try MockServer(Archive())
        // Shorter texts are not compressed because they would grow.
        let text = String(repeating: "Milk ", count: 100)
        #expect(try await Archive(server.url).notes.create(.init(text: text)).text == text)
        #expect(server.requests.map { $0.headerFields[.contentEncoding] } == ["gzip", nil])
        #expect(Set(server.requests.map { $0.headerFields["Idempotency-Key"] }).count == 1)
    }

    @Test("A call with a non-JSON decoder gets 501 with the reason") func otherFormats() async throws {
        let server = try MockServer(Notebook(type: "application/json"))
        let notebook = Notebook(server.url, type: "application/json")
        let error = await #expect(throws: APIError.self) { try await notebook.list.send() }
        #expect(error?.status == 501)
        #expect("\(error.map { "\($0)" } ?? "")".contains("which the declared decoder does not read"))
    }
}

struct CodingRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let decode: Decode
    let encode: Encode
    var date = Date(timeIntervalSince1970: 1_777_636_800)
    var step: TimeInterval = 3600

    static let all = [
        CodingRow(testDescription: "the usual ones", decode: Decode(), encode: Encode()),
        CodingRow(
            testDescription: "dates of HTTP, sent as ISO 8601",
            decode: Decode(dates: .httpDate),
            encode: Encode()
        ),
        CodingRow(
            testDescription: "seconds, sent as milliseconds",
            decode: Decode(dates: .secondsSince1970),
            encode: Encode(dates: .millisecondsSince1970)
        ),
        CodingRow(
            testDescription: "milliseconds with a fraction, sent since 2001",
            decode: Decode(dates: .millisecondsSince1970),
            encode: Encode(dates: .deferredToDate),
            date: Date(timeIntervalSince1970: 1_777_636_800.25)
        ),
        CodingRow(
            testDescription: "days, sent as seconds",
            decode: Decode(dates: .formatted { $0.count == 10 ? ISO8601Parser.date($0 + "T00:00:00Z") : nil }),
            encode: Encode(dates: .secondsSince1970),
            date: Date(timeIntervalSince1970: 1_777_593_600),
            step: 86_400
        ),
        CodingRow(
            testDescription: "snake case, sent in camel case",
            decode: Decode(keys: .convertFromSnakeCase),
            encode: Encode()
        ),
        CodingRow(
            testDescription: "camel case, sent in snake case",
            decode: Decode(),
            encode: Encode(keys: .convertToSnakeCase)
        ),
        CodingRow(
            testDescription: "data as numbers, sent as Base64",
            decode: Decode(data: .deferredToData),
            encode: Encode()
        ),
    ]
}

private enum ISO8601Parser {
    static func date(_ text: String) -> Date? {
        try? Date(text, strategy: .iso8601)
    }
}

private struct Reading: Entity, Equatable {
    let id: Int
    var takenAt: Date
    var rawBytes: Data

    struct Draft: RequestContent {
        var takenAt: Date
        var rawBytes: Data
    }

    struct Patch: Codable, Sendable { var takenAt: Date? }
}

private struct Station: DescribedAPI {
    let client: Client

    init(_ url: URL = URL(filePath: "/"), by row: CodingRow) {
        client = Client(url.isFileURL ? URL(string: "https://station.example") ?? url : url) {
            row.decode
            row.encode
        }
    }

    var readings: Resource<Reading, ReadWrite> { resource("readings") }

    var latest: Endpoint<Reading> { endpoint { GET("latest") } }

    var calls: APIDescription {
        readings
        latest
    }
}

private struct Customer: Entity {
    let id: String
    var fullName: String
    var age: Int?
    var isActive: Bool
    var tags: [String]
    var notes: [String: String]
    var since: Date

    struct Draft: RequestContent {
        var fullName: String
        var age: Int?
        var isActive: Bool
        var tags: [String]
        var notes: [String: String]
        var since: Date
    }

    struct Patch: RequestContent {
        var age: Nullable<Int> = .absent
        var fullName: String?
    }
}

private struct Forms: DescribedAPI {
    let client: Client

    init(_ url: URL = URL(filePath: "/"), arrays: Query.ArrayStyle) {
        client = Client(url.isFileURL ? URL(string: "https://forms.example") ?? url : url) {
            Body.Format(as: .form(arrays: arrays, dates: .secondsSince1970, keys: .convertToSnakeCase))
            Decode(keys: .convertFromSnakeCase)
        }
    }

    var customers: Resource<Customer, ReadWrite> { resource("customers") }

    var calls: APIDescription { customers }
}

private struct Note: Entity {
    let id: Int
    var text: String

    struct Draft: RequestContent { var text: String }
    struct Patch: RequestContent { var text: String? }
}

private struct Strict: Entity { let id: Int, text: String, size: Int }

private struct Notebook: DescribedAPI {
    let client: Client

    init(_ url: URL = URL(filePath: "/"), type: String) {
        client = Client(url.isFileURL ? URL(string: "https://notes.example") ?? url : url) { Encode(contentType: type) }
    }

    var notes: Resource<Note, ReadWrite> { resource("notes") }

    var strict: Resource<Strict, ReadOnly> { resource("strict") }

    var list: Endpoint<[Note]> {
        endpoint {
            GET("list.plist")
            Decode(with: PropertyListDecoder())
        }
    }

    var calls: APIDescription {
        notes
        strict
        list
    }
}

private struct Archive: DescribedAPI {
    struct Note: Entity {
        let id: Int
        var text: String

        struct Draft: RequestContent { var text: String }
    }

    let client: Client

    init(_ url: URL = URL(filePath: "/")) {
        client = Client(url.isFileURL ? URL(string: "https://notes.example") ?? url : url) {
            Compressed(.gzip, minimumBytes: 0)
            IdempotencyKey()
        }
    }

    var notes: Resource<Note, ReadWrite> { resource("notes") }
    var calls: APIDescription { notes }
}
