import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Types of sent values in OpenAPI documents")
struct SentTypeTests {
    @Test("A whole number has the type of its property") func wholeNumbers() throws {
        let schema = try schema("/lamps")
        let properties = schema?["properties"]
        #expect(properties?["price"]?["type"] == "number")
        #expect(properties?["width"]?["type"] == "number")
        #expect(properties?["height"]?["format"] == "float")
        #expect(properties?["count"] == ["type": "integer", "$comment": "Learned from a value."])
        #expect(properties?["small"]?["format"] == "uint8")
        #expect(properties?["sizes"]?["items"]?["type"] == "number")
        #expect(properties?["rates"]?["properties"]?["EUR"]?["type"] == "number")
        #expect(properties?["parts"]?["items"]?["properties"]?["unitWeight"]?["type"] == "number")
    }

    @Test("Types are found under the keys that the encoder writes") func otherKeys() throws {
        let properties = try schema("/snakes")?["properties"]
        #expect(properties?["total_price"]?["type"] == "number")
        #expect(properties?["inner_part"]?["properties"]?["unit_weight"]?["type"] == "number")
    }

    @Test("Dates, UUIDs, URLs and bytes have their string formats") func formats() throws {
        let properties = try schema("/texts")?["properties"]
        #expect(properties?["at"]?["format"] == "date-time")
        #expect(properties?["id"]?["format"] == "uuid")
        #expect(properties?["link"]?["format"] == "uri-reference")
        #expect(properties?["bytes"]?["contentEncoding"] == "base64")
    }

    @Test("Dictionary literals keep their inferred types") func literals() throws {
        #expect(try schema("/rates")?["properties"]?["EUR"]?["type"] == "number")
    }

    @Test("A member beside a decodable body leaves the type's schema unchanged") func besideMembers() throws {
        let schema = try schema("/offers")
        #expect(schema?["properties"]?["price"] == ["type": "number", "format": "double"])
        #expect(schema?["required"] == ["name", "price"])
        #expect(schema?["properties"]?["rate"]?["type"] == "number")
        #expect(schema?["properties"]?["nested"]?["properties"]?["limit"]?["type"] == "number")
    }

    @Test("Form items have the types of their values, and a nil item is absent") func formItems() throws {
        let content = try document()["paths"]?["/orders"]?["post"]?["requestBody"]?["content"]?[
            "application/x-www-form-urlencoded"
        ]
        let properties = content?["schema"]?["properties"]
        #expect(properties?["name"] == ["type": "string"])
        #expect(properties?["count"] == ["type": "integer"])
        #expect(properties?["price"] == ["type": "number"])
        #expect(properties?["isOpen"] == ["type": "boolean"])
        #expect(properties?["at"] == ["type": "string", "format": "date-time"])
        #expect(properties?["tag"] == ["type": "string"])
        #expect(properties?["note"] == nil)
        let example = content?["example"]
        #expect(example?["count"] == 3)
        #expect(example?["price"] == 20)
        #expect(example?["isOpen"] == true)
        #expect(example?["name"] == "Lamp")
    }

    @Test("A mock server accepts a form with numbers and dates") func mockForm() async throws {
        let server = try MockServer(Shelf(Client(URL(string: "https://shelf.example") ?? URL(filePath: "/"))))
        try await Shelf(Client(server.url)).order.send()
    }

    @Test("A mock server distinguishes forms by a number") func mockForms() async throws {
        let server = try MockServer(Scale(Client(URL(string: "https://shelf.example") ?? URL(filePath: "/"))))
        let scale = Scale(Client(server.url))
        _ = try await scale.weight(Scale.Gross.self, 2).send()
        _ = try await scale.weight(Scale.Net.self, 2.5).send()
    }

    @Test("Members alone have their types") func membersAlone() throws {
        #expect(try schema("/members")?["properties"]?["rate"]?["type"] == "number")
    }

    @Test("A member beside a value under a key has its type") func besideKeys() throws {
        let properties = try schema("/wrapped")?["properties"]
        #expect(properties?["rate"]?["type"] == "number")
        #expect(properties?["lamp"]?["properties"]?["price"]?["type"] == "number")
    }

    @Test("A mock server accepts a fraction where the listed value is whole") func mock() async throws {
        let server = try MockServer(Shelf(Client(URL(string: "https://shelf.example") ?? URL(filePath: "/"))))
        let shelf = Shelf(Client(server.url))
        let created = try await shelf.stock.create(.init(name: "Lamp", price: 29.99))
        #expect(created.price == 29.99)
    }

    @Test("A mock server accepts dates without time zones and reads them in the declared one") func zones() async throws
    {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        func meetings(_ url: URL) -> Meetings { Meetings(url, zone) }
        let url = URL(string: "https://meetings.example") ?? URL(filePath: "/")
        let document = try meetings(url).openAPI(title: "Meetings", version: "1").json
        let at = document["components"]?["schemas"]?["Meetings.Meeting"]?["properties"]?["at"]
        #expect(at?["type"] == "string")
        #expect(at?["format"] == nil)
        #expect(at?["examples"] == ["2026-05-01T12:00:00"])
        let server = try MockServer(meetings(url))
        let date = Date(timeIntervalSince1970: 1_777_636_800)
        let created = try await meetings(server.url).meetings.create(.init(at: date))
        #expect(created.at == date)
        #expect(server.requests.last?.text == #"{"at":"2026-05-01T14:00:00"}"#)
    }

    @Test(
        "A date in a query has the schema of its text format",
        arguments: [
            ("day", ["type": "string", "format": "date"], "2026-05-01"),
            ("time", ["type": "string", "format": "date-time"], "2026-05-01T12:00:00Z"),
            ("http", ["type": "string"], "Fri, 01 May 2026 12:00:00 GMT"),
            ("zoneless", ["type": "string"], "2026-05-01T12:00:00"), ("seconds", ["type": "integer"], 1_777_636_800),
            ("flat[day]", ["type": "string", "format": "date"], "2026-05-01"),
        ] as [(String, JSONValue, JSONValue)]
    )
    func dates(name: String, schema: JSONValue, example: JSONValue) throws {
        #expect(try parameter(name) == ["name": .string(name), "in": "query", "schema": schema, "example": example])
    }

    @Test("Flattened query items have the types of their properties") func flattened() throws {
        #expect(try parameter("limit")?["schema"] == ["type": "integer"])
        #expect(try parameter("price")?["schema"] == ["type": "number"])
        #expect(try parameter("isOpen")?["schema"] == ["type": "boolean"])
        #expect(try parameter("tags")?["schema"] == ["type": "array", "items": ["type": "string"]])
        #expect(try parameter("tags")?["example"] == ["a", "b"])
    }

    private func parameter(_ name: String) throws -> JSONValue? {
        try document()["paths"]?["/dates"]?["get"]?["parameters"]?.arrayValue?.first { $0["name"] == .string(name) }
    }

    private func schema(_ path: String) throws -> JSONValue? {
        let document = try document()
        return document["paths"]?[path]?["post"]?["requestBody"]?["content"]?["application/json"]?["schema"]
    }

    private func document() throws -> JSONValue {
        try Shelf(Client(URL(string: "https://shelf.example") ?? URL(filePath: "/")))
            .openAPI(title: "Shelf", version: "1").json
    }
}

/// An API whose server omits the time zone of dates.
private struct Meetings: DescribedAPI {
    struct Meeting: Entity {
        let id: Int
        var at: Date

        struct Draft: RequestContent { var at: Date }
    }

    let client: Client

    init(_ url: URL, _ zone: TimeZone) {
        client = Client(url) {
            Decode(dates: .iso8601(assuming: zone))
            Encode(dates: .iso8601WithoutZone(in: zone))
        }
    }

    var meetings: Resource<Meeting, ReadWrite> { resource("meetings") }

    var calls: APIDescription {
        meetings
        meetings.endpoints.create(.init(at: Date(timeIntervalSince1970: 1_777_636_800)))
    }
}

/// An API whose calls differ in a number in a form.
private struct Scale: DescribedAPI {
    struct Gross: ResponseContent { let gross: Double }
    struct Net: ResponseContent { let net: Double }

    let client: Client

    init(_ client: Client) { self.client = client }

    func weight<Weight: ResponseContent>(_ type: Weight.Type, _ mode: Double) -> Endpoint<Weight> {
        endpoint {
            POST("scale")
            Call.Name("\(type)")
            Body(form: ["mode": mode])
        }
    }

    var calls: APIDescription {
        weight(Gross.self, 2)
        weight(Net.self, 2.5)
    }
}

/// An API with encode-only bodies.
private struct Shelf: DescribedAPI {
    struct Part: Encodable, Sendable { var unitWeight: Double }

    struct Lamp: Encodable, Sendable {
        var price: Decimal = 30
        var width: Double = 20
        var height: Float = 10
        var count = 3
        var small: UInt8 = 3
        var sizes: [Double] = [1, 2.5]
        var rates: [String: Double] = ["EUR": 1]
        var parts = [Part(unitWeight: 2)]
    }

    struct Snake: Encodable, Sendable {
        var totalPrice: Decimal = 30
        var innerPart = Part(unitWeight: 2)
    }

    struct Texts: Encodable, Sendable {
        var at = Date(timeIntervalSince1970: 1_777_636_800)
        var id = UUID()
        var link = URL(string: "https://shelf.example/a")
        var bytes = Data([1, 2, 3])
    }

    struct Offer: Codable, Sendable {
        var name: String
        var price: Double
    }

    struct Filter: Encodable, Sendable {
        var limit = 10
        var price = 20.0
        var isOpen = true
        var tags = ["a", "b"]
    }

    struct Item: Entity {
        let id: Int
        var name: String
        var price: Decimal

        struct Draft: RequestContent {
            var name: String
            var price: Decimal
        }
    }

    let client: Client

    init(_ client: Client) { self.client = client }

    var stock: Resource<Item, ReadWrite> { resource("stock") }

    private static let date = Date(timeIntervalSince1970: 1_777_636_800)

    private var dates: Endpoint<Void> {
        endpoint {
            GET("dates")
            Query("day", Self.date, as: .day)
            Query("time", Self.date, as: .iso8601)
            Query("http", Self.date, as: .httpDate)
            Query("zoneless", Self.date, as: .iso8601WithoutZone(in: .gmt))
            Query("seconds", Self.date, as: .secondsSince1970)
            Query(["flat": ["day": Self.date]], dates: .day)
            Query(Filter())
        }
    }

    var order: Endpoint<Void> {
        let note: String? = nil
        return endpoint {
            POST("orders")
            Body(form: [
                "name": "Lamp", "count": 3, "price": 20.0, "isOpen": true, "at": Self.date, "tag": 1, "tag": "b",
                "note": note,
            ])
        }
    }

    var calls: APIDescription {
        stock
        stock.endpoints.create(.init(name: "Lamp", price: 30))
        dates
        order
        endpoint {
            POST("lamps")
            Body(Lamp())
        } as Endpoint<Void>
        endpoint {
            POST("snakes")
            Encode(keys: .convertToSnakeCase)
            Body(Snake())
        } as Endpoint<Void>
        endpoint {
            POST("texts")
            Body(Texts())
        } as Endpoint<Void>
        endpoint {
            POST("rates")
            Body(["EUR": 30.0])
        } as Endpoint<Void>
        endpoint {
            POST("offers")
            Body(Offer(name: "Lamp", price: 30))
            Body.Member("rate", 3.0)
            Body.Member(["nested", "limit"], 4.0)
        } as Endpoint<Void>
        endpoint {
            POST("members")
            Body.Member("rate", 3.0)
        } as Endpoint<Void>
        endpoint {
            POST("wrapped")
            Body(Lamp(), under: "lamp")
            Body.Member("rate", 3.0)
        } as Endpoint<Void>
    }
}
