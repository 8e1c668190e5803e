import CallSupport
import Foundation
import Testing
import Waybill

@Suite("Form and query styles")
struct FormStyleTests {
    struct Line: Encodable, Sendable {
        var sku: String
        var count: Int
    }

    struct Order: Encodable, Sendable {
        var placedOn = Date(timeIntervalSince1970: 60)
        var lineItems = [Line(sku: "a", count: 1), Line(sku: "b", count: 2)]
        var note: Nullable<String> = .null
        var coupon: String?
    }

    struct Tags: Encodable, Sendable {
        var tagNames = ["x", "y"]
        var labels = ["aB": 1]
    }

    enum Sort: String, QueryValue { case asc }

    struct Cents: QueryValue {
        let cents: Int

        static func queryText(of value: Cents) -> String? { "\(value.cents)" }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let items: String
        let endpoint: @Sendable () -> Endpoint<Void>

        init(_ name: String, _ items: String, @Scope.EndpointBuilder _ clauses: @escaping @Sendable () -> Scope) {
            testDescription = name
            self.items = items
            endpoint = { Shop().endpoint(clauses) }
        }
    }

    static let rows = [
        Row(
            "arrays of objects, by index",
            "placedOn=1970-01-01T00:01:00Z&lineItems[0][sku]=a&lineItems[0][count]=1"
                + "&lineItems[1][sku]=b&lineItems[1][count]=2&note="
        ) {
            POST("a")
            Body(formEncoding: Order(), arrays: .indexed)
        },
        Row("dates, keys and nulls", "placed_on=60&note=null") {
            POST("a")
            Body(
                formEncoding: Order(lineItems: []),
                dates: .secondsSince1970,
                keys: .convertToSnakeCase,
                nulls: .text("null")
            )
        },
        Row("empty arrays and objects, with an item", "tagNames=&labels=") {
            POST("a")
            Body(formEncoding: Tags(tagNames: [], labels: [:]), empties: .empty)
        },
        Row("empty arrays and objects, with a text", "tagNames=[]&labels=[]") {
            POST("a")
            Body(formEncoding: Tags(tagNames: [], labels: [:]), arrays: .brackets, empties: .text("[]"))
        },
        Row("an empty array in a PUT, in brackets", "tagNames[]=&labels[a]=1") {
            PUT("a")
            Body(formEncoding: Tags(tagNames: [], labels: ["a": 1]), arrays: .brackets)
        },
        Row("an empty array in a PUT, comma-separated", "tagNames=&labels[a]=1") {
            PUT("a")
            Body(formEncoding: Tags(tagNames: [], labels: ["a": 1]), arrays: .commaSeparated)
        },
        Row("an empty array in a PUT, with the item that the scope declares", "tagNames=&labels[a]=1") {
            PUT("a")
            Body(formEncoding: Tags(tagNames: [], labels: ["a": 1]))
            Body.Format(as: .form(empties: .empty))
        },
        Row("empty arrays and objects in a PUT, left out as declared", "") {
            PUT("a")
            Body(formEncoding: Tags(tagNames: [], labels: [:]), empties: .omitted)
        },
        Row("empty arrays and objects in a POST", "") {
            POST("a")
            Body(formEncoding: Tags(tagNames: [], labels: [:]))
        },
        Row("nulls left out", "placedOn=1970-01-01T00:01:00Z") {
            POST("a")
            Body(formEncoding: Order(lineItems: []), nulls: .omitted)
        },
        Row("keys of properties change, those of dictionaries do not", "tag_names[]=x&tag_names[]=y&labels[aB]=1") {
            POST("a")
            Body(formEncoding: Tags(), arrays: .brackets, keys: .convertToSnakeCase)
        },
        Row(
            "keys by a closure, which gets the path",
            "placedOn=1970-01-01T00:01:00Z&lineItems[0][lineItems.0.sku]=a&lineItems[0][lineItems.0.count]=1&note="
        ) {
            POST("a")
            Body(
                formEncoding: Order(lineItems: [Line(sku: "a", count: 1)]),
                arrays: .indexed,
                keys: .custom { path in
                    EnvelopeCodingKey(path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: "."))
                }
            )
        },
        Row("a format of every body, which the clause adds to", "tag_names=x,y") {
            POST("a")
            Body(formEncoding: Tags(labels: [:]), keys: .convertToSnakeCase)
            Body.Format(as: .form(arrays: .commaSeparated))
        },
        Row("a value as a form of the scope's style", "tag_names[]=x&tag_names[]=y") {
            POST("a")
            Body(Tags(labels: [:]))
            Body.Format(as: .form(arrays: .brackets, keys: .convertToSnakeCase))
        },
        Row(
            "an optional that is nil is sent if that is declared, and a null as its style says",
            "placedOn=1970-01-01T00:01:00Z&note=NULL&coupon=NULL"
        ) {
            POST("a")
            Body(Order(lineItems: []))
            Body.Format(as: .form(nulls: .text("NULL")), nils: .null)
        },
        Row("nil elements and values of dictionaries are left out", "a=1&a=2") {
            POST("a")
            Body(formEncoding: ["a": [1, nil, 2], "b": nil] as [String: [Int?]?])
        },
        Row("a list made at run time", "tag=x&tag=y") {
            POST("a")
            Body(form: ["x", "y"].map { (name: "tag", value: $0) })
        },
        Row("values of several types, as in a query", "n=-2&x=1.5&b=true&d=2026-05-01T08:00:00Z&s=asc&c=30&t=a b") {
            POST("a")
            Body(form: [
                "n": -2, "x": 1.5, "b": true, "d": Date(timeIntervalSince1970: 1_777_622_400), "s": Sort.asc,
                "c": Cents(cents: 30), "t": "a b"[...],
            ])
        },
        Row("a nil item is omitted", "a=1&a=&c=3") {
            POST("a")
            Body(form: ["a": Optional(1), "b": String?.none, "a": "", "c": 3, "d": nil])
        },
        Row("nothing but nil is an empty form", "") {
            POST("a")
            Body(form: ["a": Int?.none])
        },
        Row("a literal that is stored", "a=1&b=2") {
            POST("a")
            Body(form: ["a": "1", "b": "2"] as KeyValuePairs<String, String>)
        },
        Row("a list of optionals made at run time", "tag=1&tag=3") {
            POST("a")
            Body(form: [1, nil, 3].map { (name: "tag", value: $0) })
        },
        Row("query items of Foundation's", "a=1+1&flag") {
            POST("a")
            Body(form: [URLQueryItem(name: "a", value: "1+1"), URLQueryItem(name: "flag", value: nil)])
        },
    ]

    @Test("A form is encoded in its declared style", arguments: rows)
    func forms(_ row: Row) throws {
        let body = try #require(try row.endpoint().body)
        let items = String(decoding: body, as: UTF8.self).replacingOccurrences(of: "+", with: " ")
        #expect(items.removingPercentEncoding == row.items)
        #expect(try row.endpoint().headerFields[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test("Form styles of inner and outer scopes are merged")
    func merging() throws {
        let shop = Shop { Body.Format(as: .form(arrays: .brackets)) }
        let endpoint: Endpoint<Void> = shop.endpoint {
            POST("a")
            Body(Tags(labels: [:]))
            Body.Format(as: .form(keys: .convertToSnakeCase))
        }
        #expect(try endpoint.body == Data("tag_names%5B%5D=x&tag_names%5B%5D=y".utf8))
        #expect(try endpoint.explanation.contains("Body.Format: form (keys convertToSnakeCase)"))
    }

    @Test("A query supports the styles of forms")
    func queries() throws {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            GET("a")
            Query(Order(lineItems: []), dates: .day, keys: .convertToSnakeCase)
        }
        #expect(try endpoint.url.absoluteString == "https://shop.example/v1/a?placed_on=1970-01-01&note=")
        let plain: Endpoint<Void> = Shop().endpoint {
            GET("a")
            Query(["note": Nullable<Int>.null], nulls: .omitted)
        }
        #expect(try plain.url.absoluteString == "https://shop.example/v1/a")
    }

    @Test(
        "Snake-case form keys match those of Foundation's encoder",
        arguments: ["myURLProperty", "_aB_", "x", "aB2C"]
    )
    func snakeCase(_ key: String) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        struct Value: Encodable {
            let key: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: EnvelopeCodingKey.self)
                try container.encode(1, forKey: EnvelopeCodingKey(key))
            }
        }
        let expected = try JSONDecoder().decode([String: Int].self, from: encoder.encode(Value(key: key))).keys.first
        let endpoint: Endpoint<Void> = Shop().endpoint {
            GET("a")
            Query(Value(key: key), keys: .convertToSnakeCase)
        }
        #expect(try endpoint.url.query(percentEncoded: false) == expected.map { "\($0)=1" })
    }

    @Test("Query dates follow the declared strategy, and second counts are truncated")
    func queryDates() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let strategies: [(WaybillJSONEncoder.DateEncodingStrategy, String)] = [
            (.iso8601, "2026-05-01T12:00:00Z"), (.iso8601WithMilliseconds, "2026-05-01T12:00:00.750Z"),
            (.iso8601WithoutZone(in: zone), "2026-05-01T14:00:00.750"), (.day, "2026-05-01"),
            (.httpDate, "Fri, 01 May 2026 12:00:00 GMT"), (.secondsSince1970, "1777636800"),
            (.secondsSince1970Text, "1777636800"), (.millisecondsSince1970, "1777636800750"),
            (.millisecondsSince1970Text, "1777636800750"), (.deferredToDate, "799329600.75"),
            (.formatted { "\($0.timeIntervalSince1970)" }, "1777636800.75"),
            (.custom { try Int($0.timeIntervalSince1970).encode(to: $1) }, "1777636800"),
            (.custom { date, encoder in try date.encode(to: encoder) }, "799329600.75"),
        ]
        for (strategy, text) in strategies {
            let endpoint: Endpoint<Void> = Shop().endpoint {
                GET("a")
                Query("at", Date(timeIntervalSince1970: 1_777_636_800.75), as: strategy)
            }
            #expect(try endpoint.url.query()?.removingPercentEncoding == "at=\(text)")
        }
        let object: Endpoint<Void> = Shop().endpoint {
            GET("a")
            Query("at", Date(timeIntervalSince1970: 0), as: .custom { _, encoder in try ["a": 1].encode(to: encoder) })
        }
        #expect(throws: APIError.self) { try object.plan() }
    }

    @Test("JSON dates follow the declared strategy")
    func jsonDates() throws {
        let strategies: [(WaybillJSONEncoder.DateEncodingStrategy, String)] = [
            (.httpDate, "\"Fri, 01 May 2026 12:00:00 GMT\""), (.day, "\"2026-05-01\""),
            (.iso8601WithoutZone(in: .gmt), "\"2026-05-01T12:00:00.750\""),
            (.secondsSince1970Text, "\"1777636800\""), (.millisecondsSince1970Text, "\"1777636800750\""),
            (.secondsSince1970, "1777636800.75"), (.iso8601, "\"2026-05-01T12:00:00Z\""),
        ]
        for (strategy, text) in strategies {
            for encode in [Encode(), Encode(with: JSONEncoder())] {
                let endpoint: Endpoint<Void> = Shop { encode }.endpoint {
                    POST("a")
                    Body([Date(timeIntervalSince1970: 1_777_636_800.75)])
                    Encode(dates: strategy)
                }
                #expect(try endpoint.body == Data("[\(text)]".utf8), "\(encode)")
            }
        }
        for strategy in [WaybillJSONEncoder.DateEncodingStrategy.day, .iso8601WithoutZone(in: .gmt)] {
            let unwritable: Endpoint<Void> = Shop().endpoint {
                POST("a")
                Body([Date(timeIntervalSince1970: .nan)])
                Encode(dates: strategy)
            }
            #expect(throws: APIError.self) { try unwritable.plan() }
        }
    }
}
