import CallSupport
import Foundation
import Testing
import WaybillTesting

@testable import Waybill

@Suite("Unwritable dates")
struct UnwritableDateTests {
    struct Event: Codable, Sendable { let at: Date }

    struct Moment: RawRepresentable, Sendable {
        let rawValue: Date
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let clauses: @Sendable (Date) -> Scope

        init(_ testDescription: String, @Scope.EndpointBuilder _ clauses: @escaping @Sendable (Date) -> Scope) {
            self.testDescription = testDescription
            self.clauses = clauses
        }
    }

    /// The queries; the first four write ISO 8601.
    static let queries = [
        Row("query") {
            GET("a")
            Query("at", $0)
        },
        Row("query, array") {
            GET("a")
            Query("at", [$0])
        },
        Row("query, raw value") {
            GET("a")
            Query("at", Moment(rawValue: $0))
        },
        Row("query, day") {
            GET("a")
            Query("at", $0, as: .day)
        },
        Row("query, seconds") {
            GET("a")
            Query("at", $0, as: .secondsSince1970)
        },
        Row("query, milliseconds") {
            GET("a")
            Query("at", $0, as: .millisecondsSince1970)
        },
        Row("query, a custom format") {
            GET("a")
            Query("at", $0, as: .formatted { "\($0.timeIntervalSince1970)" })
        },
        Row("query, flattened, seconds") {
            GET("a")
            Query(Event(at: $0), dates: .secondsSince1970)
        },
    ]

    /// The other values; the first five write ISO 8601 or the header field format.
    static let others = [
        Row("query, flattened") {
            GET("a")
            Query(Event(at: $0))
        },
        Row("condition") {
            GET("a")
            IfModifiedSince($0)
        },
        Row("JSON") {
            POST("a")
            Body(Event(at: $0))
        },
        Row("form") {
            POST("a")
            Body(formEncoding: Event(at: $0))
        },
        Row("JSON from an encoder for ISO 8601") {
            POST("a")
            Body(Event(at: $0))
            Encode(with: encoder(.iso8601))
        },
        Row("JSON from an encoder for seconds") {
            POST("a")
            Body(Event(at: $0))
            Encode(with: encoder(.secondsSince1970))
        },
        Row("JSON from an encoder without a strategy") {
            POST("a")
            Body(Event(at: $0))
            Encode(with: encoder(.deferredToDate))
        },
    ]

    private static func encoder(_ dates: JSONEncoder.DateEncodingStrategy) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = dates
        return encoder
    }

    /// Returns the declaration errors of an endpoint.
    private func errors(of row: Row, _ interval: Double) -> [String] {
        let endpoint = Endpoint(
            client: Client(Shop.url, transport: StubTransport([:])),
            scopes: row.clauses(Date(timeIntervalSince1970: interval)).flattened,
            target: RequestBuilder.Target(),
            reader: ValueReader<Void>.ignoring
        )
        do throws(APIError) {
            _ = try endpoint.plan()
            return []
        } catch {
            guard case .request(let failure) = error else { return [] }
            return failure.declarationErrors.map(\.description)
        }
    }

    @Test("A NaN or infinite date is a declaration error in its clause", arguments: queries + others)
    func nonFinite(_ row: Row) {
        for interval in [Double.nan, .infinity, -.infinity] {
            #expect(errors(of: row, interval).count == 1, "\(interval)")
        }
        #expect(errors(of: row, 0).isEmpty)
    }

    @Test(
        "A date outside the years 0 to 9999 is a declaration error wherever a calendar date is written",
        arguments: queries.prefix(4) + others.prefix(5)
    )
    func farOff(_ row: Row) {
        for interval in [-1e12, 1e12, 1e18, 1e300] {
            #expect(errors(of: row, interval).count == 1, "\(interval)")
        }
    }

    @Test("The error for an unwritable date names the clause and the interval")
    func text() {
        #expect(
            errors(of: Self.queries[0], .nan) == [
                "Query(\"at\", nan s since 1970): the value cannot be written in a query; give a finite number, "
                    + "a date in the years 0 to 9999, or nil"
            ]
        )
        #expect(
            errors(of: Self.others[2], .nan) == [
                "Body(Event): at: a date that is nan seconds from 1970 cannot be written"
            ]
        )
    }

    @Test("An encoder that rejects unwritable dates leaves all other output unchanged")
    func sameBytes() throws {
        struct Everything: Encodable {
            var dates = [-1.5, 0, 0.25, 1.999, 1_800_000_000.5].map { Date(timeIntervalSince1970: $0) }
            var keyToConvert = ["someKey": Data([1, 2])]
            var number = Double.infinity
        }
        let encoder = Self.encoder(.iso8601)
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dataEncodingStrategy = .deferredToData
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+",
            negativeInfinity: "-",
            nan: "?"
        )
        let bytes = try encoder.rejectingUnwritableDates.encode(Everything())
        let usual = try encoder.encode(Everything())
        #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: usual, as: UTF8.self))
    }
}
