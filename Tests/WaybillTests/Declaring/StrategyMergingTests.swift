import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillJSON
import WaybillTesting

@Suite("Merging coding strategies")
struct StrategyMergingTests {
    private struct Event: Codable, Sendable, Equatable {
        var startsAt: Date
    }

    private static let event = Event(startsAt: Date(timeIntervalSince1970: 60))

    private struct Lines: RequestEncoder, ResponseDecoder {
        let contentType = "text/x-lines"
        func encode<Value: Encodable>(_ value: Value) throws -> Data { Data() }
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            try JSONDecoder().decode(type, from: data)
        }
    }

    @Test("An endpoint that declares dates keeps the client's keys and media type")
    func encoding() throws {
        let shop = Shop { Encode(keys: .convertToSnakeCase, contentType: "application/vnd.shop+json") }
        let endpoint: Endpoint<Void> = shop.endpoint {
            POST("events")
            Body(Self.event)
            Encode(dates: .secondsSince1970)
        }
        #expect(try endpoint.body == Data(#"{"starts_at":60}"#.utf8))
        #expect(try endpoint.headerFields[.contentType] == "application/vnd.shop+json")
        let row = "Encode: keys convertToSnakeCase, dates secondsSince1970, application/vnd.shop+json"
        #expect(try endpoint.explanation.contains("Encode: dates secondsSince1970"))
        #expect(try endpoint.plan().settings[Encode.self]?.summary == String(row.dropFirst(8)))
    }

    @Test("Declaring strategies keeps JSON:API's media type")
    func style() throws {
        let shop = Shop {
            Style.jsonAPI
            Encode(keys: .convertToSnakeCase)
        }
        let endpoint: Endpoint<Void> = shop.endpoint {
            POST("events")
            Body(Self.event)
        }
        #expect(try endpoint.headerFields[.contentType] == "application/vnd.api+json")
        #expect(try endpoint.body == Data(#"{"data":{"starts_at":"1970-01-01T00:01:00Z"}}"#.utf8))
    }

    @Test("Strategies are merged into a Foundation encoder from an outer scope")
    func foundationEncoder() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let endpoint: Endpoint<Void> = Shop { Encode(with: encoder) }.endpoint {
            POST("events")
            Body(Self.event)
            Encode(dates: .secondsSince1970)
        }
        #expect(try endpoint.body == Data("{\n  \"starts_at\" : 60\n}".utf8))
    }

    @Test("A declared encoder keeps its strategies")
    func whole() throws {
        let endpoint: Endpoint<Void> = Shop { Encode(keys: .convertToSnakeCase) }.endpoint {
            POST("events")
            Body(Self.event)
            Encode(with: JSONEncoder())
        }
        #expect(try endpoint.body == Data(#"{"startsAt":-978307140}"#.utf8))
    }

    @Test("A call that declares dates keeps the client's keys with either decoder", arguments: [true, false])
    func decoding(isFoundation: Bool) async throws {
        let json = JSONDecoder()
        json.keyDecodingStrategy = .convertFromSnakeCase
        let outer = isFoundation ? Decode(with: json) : Decode(keys: .convertFromSnakeCase)
        let shop = Shop(responses: ["GET e": .json(#"{"starts_at":60}"#)]) { outer }
        let event = try await shop.client.get("e", as: Event.self) { Decode(dates: .secondsSince1970) }
        #expect(event == Self.event)
    }

    @Test("Foundation's decoder reads fractional seconds if ISO 8601 is declared for it")
    func fractions() async throws {
        let shop = Shop(responses: ["GET e": .json(#"{"startsAt":"1970-01-01T00:01:00.000Z"}"#)]) {
            Decode(with: JSONDecoder())
        }
        #expect(try await shop.client.get("e", as: Event.self) { Decode(dates: .iso8601) } == Self.event)
    }

    @Test("JSON strategies for a non-JSON coder are a declaration error that names both")
    func otherCoder() {
        let posted: Endpoint<Void> = Shop { Encode(with: Lines()) }.endpoint {
            POST("a")
            Body(1)
            Encode(keys: .convertToSnakeCase)
        }
        #expect { try posted.plan() } throws: { error in
            "\(error)".contains("Encode(keys convertToSnakeCase): strategies are for JSON")
                && "\(error)".contains("an outer scope encodes with Lines")
        }
        let fetched: Endpoint<Int> = Shop { Decode(with: Lines()) }.endpoint {
            GET("a")
            Decode(dates: .iso8601)
        }
        #expect { try fetched.plan() } throws: { error in
            "\(error)".contains("Decode(dates iso8601): strategies are for JSON")
                && "\(error)".contains("an outer scope decodes with Lines")
        }
    }

    @Test("An explanation shows the strategies of each scope")
    func explanation() throws {
        let endpoint: Endpoint<Event> = Shop { Decode(keys: .convertFromSnakeCase) }.endpoint {
            GET("a")
            Decode(dates: .secondsSince1970)
        }
        #expect(
            try endpoint.explanation.contains(
                /Decode: dates secondsSince1970 +endpoint, before client: keys convertFromSnakeCase/
            )
        )
    }
}
