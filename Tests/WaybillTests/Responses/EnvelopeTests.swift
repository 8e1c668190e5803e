import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Envelopes")
struct EnvelopeTests {
    struct Enveloped: CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let envelope: Envelope
    }

    @Test(
        "An envelope of any depth is decoded by every JSON decoder",
        arguments: [
            Enveloped(testDescription: "a key", body: #"{"data":{"id":1,"name":"L"}}"#, envelope: Envelope("data")),
            Enveloped(
                testDescription: "keys",
                body: #"{"a":{"b":{"id":1,"name":"L"}},"c":1}"#,
                envelope: Envelope("a", "b")
            ),
            Enveloped(
                testDescription: "a place",
                body: #"{"a":[0,{"id":1,"name":"L"}]}"#,
                envelope: Envelope("a", 1)
            ),
            Enveloped(
                testDescription: "a place from the end",
                body: #"[5,6,{"id":1,"name":"L"}]"#,
                envelope: Envelope(-1)
            ),
            Enveloped(
                testDescription: "an item's key",
                body: #"{"product":{"id":1,"name":"L"}}"#,
                envelope: Envelope(item: "product", list: "products")
            ),
            Enveloped(
                testDescription: "a key that the decoder converts",
                body: #"{"the_data":{"id":1,"name":"L"}}"#,
                envelope: Envelope("the_data")
            ),
            Enveloped(
                testDescription: "another spelling of a key",
                body: #"{"the_data":{"id":1,"name":"L"},"The":0}"#,
                envelope: Envelope("theData")
            ),
            Enveloped(testDescription: "none", body: #"{"id":1,"name":"L"}"#, envelope: .none),
        ]
    )
    func envelopes(_ row: Enveloped) async throws {
        let shop = Shop(responses: ["GET a": .json(row.body)])
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        let decodes = [
            Decode(), Decode(keys: .convertFromSnakeCase), Decode(keys: .custom { $0[$0.count - 1] }),
            Decode(with: JSONDecoder()), Decode(with: foundation),
        ]
        for decode in decodes {
            let endpoint: Endpoint<Product> = shop.endpoint {
                GET("a")
                row.envelope
                decode
            }
            #expect(try await endpoint.send() == Product(id: 1, name: "L"))
        }
    }

    @Test("An envelope is decoded by a decoder for another format")
    func propertyList() async throws {
        let plist = try PropertyListEncoder().encode(["data": [Product(id: 1, name: "L")]])
        let shop = Shop(responses: ["GET a": .response(.bytes(plist))])
        let endpoint: Endpoint<[Product]> = shop.endpoint {
            GET("a")
            Envelope("data")
            Decode(with: PropertyListDecoder())
        }
        #expect(try await endpoint.send() == [Product(id: 1, name: "L")])
    }

    @Test(
        "An exact envelope key takes precedence over a similar one, and two similar keys match nothing",
        arguments: [
            (#"{"the_data":1,"theData":2}"#, Envelope("theData"), 2),
            (#"{"the_data":1,"thedata":2}"#, Envelope("theData"), nil),
            (#"{"data":null}"#, Envelope("data", "x"), nil), (#"{"data":[1]}"#, Envelope("data", -2), nil),
        ] as [(String, Envelope, Int?)]
    )
    func similarKeys(body: String, envelope: Envelope, value: Int?) async {
        let shop = Shop(responses: ["GET a": .json(body)])
        for decode in [Decode(), Decode(with: JSONDecoder())] {
            let endpoint: Endpoint<Int> = shop.endpoint {
                GET("a")
                envelope
                decode
            }
            let found = try? await endpoint.send()
            #expect(found == value)
        }
    }
}
