import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("64-bit integers as strings")
struct Int64TextTests {
    struct Account: Codable, Sendable, Hashable {
        struct Entry: Codable, Sendable, Hashable {
            var amount: Int64
            var place: Int
        }

        var accountID: UInt64
        var balance: Int64?
        var entries: [Entry] = []
        var byName: [String: Int64] = [:]
        var list: [Int64] = []
        var count: Int32 = 3
        var owner = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
        var opened = Date(timeIntervalSince1970: 0)
    }

    static let account = Account(
        accountID: .max,
        balance: .min,
        entries: [.init(amount: -1, place: 7)],
        byName: ["a_b": 9_007_199_254_740_993],
        list: [0, 1]
    )
    static let text =
        #"{"account_id":"18446744073709551615","balance":"-9223372036854775808","by_name":{"a_b":"#
        + #""9007199254740993"},"count":3,"entries":[{"amount":"-1","place":7}],"list":["0","1"],"opened":"#
        + #""1970-01-01T00:00:00Z","owner":"e621e1f8-c36c-495a-93fc-0c247a3e6e5f"}"#

    @Test("Int64 and UInt64 convert to and from strings at any depth, combined with a key strategy")
    func bothDirections() async throws {
        let stub = StubTransport { .json($0.text) }
        let client = Client(Shop.url, transport: stub) {
            Encode(keys: .convertToSnakeCase, int64: .convertToString)
            Decode(keys: .convertFromSnakeCase, int64: .convertFromString)
        }
        struct Read: Decodable, Sendable {
            var accountId: UInt64
            var balance: Int64?
            var entries: [Account.Entry]
            var byName: [String: Int64]
            var list: [Int64]
        }
        let read: Read = try await client.post("a", body: Self.account)
        #expect(stub.requests.first?.text == Self.text)
        #expect(read.accountId == .max)
        #expect(read.balance == .min)
        #expect(read.entries == Self.account.entries)
        #expect(read.byName == Self.account.byName)
        #expect(read.list == [0, 1])
    }

    struct Row: CustomTestStringConvertible {
        let json: String
        /// The value or the error's description.
        let result: Result<Int64, Rejected>
        var testDescription: String { json }
    }

    struct Rejected: Error, Hashable { let reason: String }

    @Test(
        "A string decodes as a 64-bit integer if it is a whole number in range; otherwise the error has its path",
        arguments: [
            Row(json: "\"12\"", result: .success(12)), Row(json: "12", result: .success(12)),
            Row(json: "\"-0\"", result: .success(0)), Row(json: "1e2", result: .success(100)),
            Row(json: "\"9223372036854775807\"", result: .success(.max)),
        ]
            + ["1.5", "1.0", "1e2", "", "-", "--1", "+1", " 1", "1 ", "01", "0x1", "١", "x", "null"].map {
                Row(json: "\"\($0)\"", result: .failure(Rejected(reason: "The string is not a whole number.")))
            }
            + ["9223372036854775808", "-9223372036854775809"].map {
                Row(
                    json: "\"\($0)\"",
                    result: .failure(Rejected(reason: "The number in the string does not fit into the type."))
                )
            }
    )
    func strings(_ row: Row) throws {
        var decoder = WaybillJSONDecoder()
        decoder.int64DecodingStrategy = .convertFromString
        let data = Data("{\"a\":[\(row.json)]}".utf8)
        let result = Result { try decoder.decode([String: [Int64]].self, from: data) }
        switch row.result {
        case .success(let value): #expect(try result.get() == ["a": [value]])
        case .failure(let rejected):
            let error = #expect(throws: DecodingError.self) { try result.get() }
            guard case .dataCorrupted(let context)? = error else { return #expect(Bool(false), "\(result)") }
            #expect(context.debugDescription == rejected.reason)
            #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
        }
    }

    @Test("Strings do not decode as integers without the strategy or for other types, and Int64 encodes as a number")
    func others() throws {
        var decoder = WaybillJSONDecoder()
        let text = Data("\"1\"".utf8)
        #expect(throws: DecodingError.self) { try decoder.decode(Int64.self, from: text) }
        decoder.int64DecodingStrategy = .convertFromString
        #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: text) }
        #expect(throws: DecodingError.self) { try decoder.decode(UInt32.self, from: text) }
        #expect(try decoder.decode(UInt64.self, from: text) == 1)
        #expect(throws: DecodingError.self) { try decoder.decode(UInt64.self, from: Data("\"-1\"".utf8)) }
        let endpoint: Endpoint<Int> = Client(Shop.url).endpoint {
            POST("a")
            Body([1 as Int64])
        }
        #expect(try endpoint.plan().body?.bytes == Data("[1]".utf8))
    }

    @Test("The strategy combines with outer scopes, applies to a custom encoder and can be reversed")
    func scopes() throws {
        let own = JSONEncoder()
        own.outputFormatting = .sortedKeys
        let client = Client(Shop.url) {
            Encode(with: own)
            Decode(int64: .convertFromString)
        }
        func sent(_ encode: Encode) throws -> String {
            let endpoint: Endpoint<Int> = client.endpoint {
                POST("a")
                Body(["id": 5 as Int64])
                encode
            }
            return String(decoding: try endpoint.plan().body?.bytes ?? Data(), as: UTF8.self)
        }
        #expect(try sent(Encode(int64: .convertToString)) == #"{"id":"5"}"#)
        #expect(try sent(Encode(int64: .convertToString).merged(over: Encode(int64: .number))) == #"{"id":"5"}"#)
        #expect(try sent(Encode(int64: .number).merged(over: Encode(int64: .convertToString))) == #"{"id":5}"#)
        #expect(Encode(int64: .convertToString).summary == "int64 convertToString")
        #expect(Decode(int64: .convertFromString).summary == "int64 convertFromString")
    }

    @Test("The strategy combined with Foundation's decoder is a declaration error that suggests a fix")
    func foundation() throws {
        let client = Client(Shop.url) { Decode(with: JSONDecoder()) }
        let endpoint: Endpoint<Int> = client.endpoint {
            GET("a")
            Decode(int64: .convertFromString)
        }
        let error = try #require(throws: APIError.self) { try endpoint.plan() }
        #expect("\(error)".contains("Decode(int64 convertFromString): the JSONDecoder of an outer scope has no"))
    }
}
