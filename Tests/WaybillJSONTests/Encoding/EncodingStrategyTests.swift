import Foundation
import Testing
import WaybillJSON

@Suite("Encoding strategies")
struct EncodingStrategyTests {
    static let dates: [Double] = [
        0, 1, -1, 0.25, 1_777_636_800, 1_777_636_799.999, 253_402_300_799, -0.5, 1e9 + 0.0004,
        951_782_400, 68_169_600, -2_208_988_800, 4_107_542_399,
    ]

    @Test("A date is encoded as by Foundation with each of Foundation's strategies", arguments: dates)
    func foundationsDates(interval: Double) throws {
        let date = Date(timeIntervalSince1970: interval)
        let pairs: [(WaybillJSONEncoder.DateEncodingStrategy, JSONEncoder.DateEncodingStrategy)] = [
            (.deferredToDate, .deferredToDate), (.secondsSince1970, .secondsSince1970),
            (.millisecondsSince1970, .millisecondsSince1970), (.iso8601, .iso8601),
        ]
        for (strategy, foundations) in pairs {
            let foundation = JSONEncoder()
            foundation.dateEncodingStrategy = foundations
            let encoder = WaybillJSONEncoder { $0.dateEncodingStrategy = strategy }
            #expect(try encoder.text(of: [date]) == foundation.text(of: [date]))
        }
    }

    @Test("ISO 8601 with milliseconds includes them unless they are zero")
    func milliseconds() throws {
        let encoder = WaybillJSONEncoder { $0.dateEncodingStrategy = .iso8601WithMilliseconds }
        let texts = try [0.25, 1, 1.0004, 1.9996, -0.001, 253_402_300_799.999].map {
            try encoder.text(of: Date(timeIntervalSince1970: $0))
        }
        #expect(
            texts == [
                #""1970-01-01T00:00:00.250Z""#, #""1970-01-01T00:00:01Z""#, #""1970-01-01T00:00:01Z""#,
                #""1970-01-01T00:00:02Z""#, #""1969-12-31T23:59:59.999Z""#, #""9999-12-31T23:59:59.999Z""#,
            ]
        )
    }

    @Test("A closure for dates or data can encode any value, and encoding nothing yields an empty object")
    func closures() throws {
        let encoder = WaybillJSONEncoder {
            $0.dateEncodingStrategy = .custom { date, encoder in
                var object = encoder.container(keyedBy: AnyKey.self)
                try object.encode(date.timeIntervalSince1970, forKey: "at")
            }
            $0.dataEncodingStrategy = .custom { _, _ in }
        }
        #expect(try encoder.text(of: [Date(timeIntervalSince1970: 1)]) == #"[{"at":1}]"#)
        #expect(try encoder.text(of: [Data()]) == "[{}]")
        #expect(try encoder.text(of: Data()) == "{}")
        let deferred = WaybillJSONEncoder { $0.dataEncodingStrategy = .deferredToData }
        #expect(try deferred.text(of: Data([1, 2])) == "[1,2]")
        let formatted = WaybillJSONEncoder { $0.dateEncodingStrategy = .formatted { _ in "a/day" } }
        #expect(try formatted.text(of: Date()) == #""a\/day""#)
    }

    @Test(
        "Conversion of keys to snake case matches Foundation's encoder",
        arguments: [
            "", "a", "A", "simpleOneTwo", "myURL", "singleCharacterAtEndX", "thisIsAnXMLProperty", "single",
            "MyURLProperty",
            "a1b", "aBC1dE", "_oneTwoThree", "oneTwoThree_", "__oneTwo__", "snake_Case", "aÉb", "éCole", "HTTP",
            "fooBB1a",
            "x_Y_z", "m\u{349}yG\u{34D}reatU\u{347}R\u{359}LReq", "🐧🐟", "ǅungla", "aǅungla", "__", "URLSession2Go",
            "i18nText",
            "aB", "ABc", "oneTWO", "Iİi",
        ]
    )
    func snakeCase(key: String) throws {
        let encoder = WaybillJSONEncoder { $0.keyEncodingStrategy = .convertToSnakeCase }
        let foundation = JSONEncoder()
        foundation.keyEncodingStrategy = .convertToSnakeCase
        let value = ScriptedValue { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: AnyKey(stringValue: key))
        }
        #expect(try encoder.text(of: value) == foundation.text(of: value))
    }

    struct Named: Encodable {
        var firstName = "a"
        var byName = ["lastName": Inner()]

        struct Inner: Encodable { var itemCount = 1 }
    }

    @Test("The keys of a dictionary are not converted, but those of its values are")
    func dictionaries() throws {
        let snake = WaybillJSONEncoder { $0.keyEncodingStrategy = .convertToSnakeCase }
        #expect(try snake.text(of: Named()) == #"{"first_name":"a","by_name":{"lastName":{"item_count":1}}}"#)
        // The same types are encoded without the strategy, and then with it again.
        #expect(
            try WaybillJSONEncoder().text(of: Named())
                == #"{"firstName":"a","byName":{"lastName":{"itemCount":1}}}"#
        )
        #expect(try snake.text(of: Named.Inner()) == #"{"item_count":1}"#)
    }

    @Test("A closure for keys receives the path that includes the key")
    func customKeys() throws {
        let encoder = WaybillJSONEncoder {
            $0.keyEncodingStrategy = .custom { AnyKey(stringValue: $0.map(\.stringValue).joined(separator: ".")) }
        }
        #expect(
            try encoder.text(of: Named())
                == #"{"firstName":"a","byName":{"lastName":{"byName.lastName.itemCount":1}}}"#
        )
    }

    @Test("Infinities and NaN are encoded as strings if the strategy converts them")
    func nonConformingFloats() throws {
        let encoder = WaybillJSONEncoder {
            $0.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
        }
        #expect(try encoder.text(of: [1, .infinity, -.infinity, .nan] as [Double]) == #"[1,"inf","-inf","nan"]"#)
        #expect(try encoder.text(of: [Float.nan]) == #"["nan"]"#)
        #expect(try encoder.text(of: ["a": Double.nan]) == #"{"a":"nan"}"#)
    }

    @Test("Int64 and UInt64 are encoded as strings if the strategy converts them, and Int as a number")
    func int64() throws {
        struct Numbers: Codable, Equatable {
            var a: Int64 = -5
            var b: UInt64 = .max
            var c = 7
            var d: [Int64] = [1]
            var e: Int64? = 2
            var f: [UInt64] = [3]
        }
        let encoder = WaybillJSONEncoder { $0.int64EncodingStrategy = .convertToString }
        let data = try encoder.encode(Numbers())
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"{"a":"-5","b":"18446744073709551615","c":7,"d":["1"],"e":"2","f":["3"]}"#
        )
        var decoder = WaybillJSONDecoder()
        decoder.int64DecodingStrategy = .convertFromString
        #expect(try decoder.decode(Numbers.self, from: data) == Numbers())
    }

    @Test("UUIDs are encoded in lowercase if the strategy specifies it")
    func uuids() throws {
        let encoder = WaybillJSONEncoder { $0.uuidEncodingStrategy = .lowercase }
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try encoder.text(of: uuid) == #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#)
    }

    @Test("Types that encode themselves receive the user info")
    func userInfo() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "k"))
        let encoder = WaybillJSONEncoder { $0.userInfo = [key: 7] }
        let value = ScriptedValue { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(encoder.userInfo[key] as? Int)
        }
        #expect(try encoder.text(of: value) == "7")
        #expect(try WaybillJSONEncoder().text(of: value) == "null")
    }
}
