import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Lost updates")
struct LostUpdateTests {
    static func lost(_ response: StubResponse) async -> APIError.LostUpdate? {
        let shop = Shop(responses: ["PUT products/{}": .response(response)]) { Decode(keys: .convertFromSnakeCase) }
        let error = await failure {
            try await shop.products.update(Product(id: 7, name: "Lamp"))
        }
        return error?.lostUpdate
    }

    static let fields: HTTPFields = [
        HTTPField(name: .eTag, value: #""v2""#),
        HTTPField(name: .lastModified, value: "Sun, 06 Nov 1994 08:49:37 GMT"),
    ]

    @Test("The lost update of a 412 has the server's version: entity tag, date, and entity")
    func version() async throws {
        let body = #"{"details":{"existing":{"id":7,"name":"Theirs"}}}"#
        let lost = try #require(await Self.lost(.json(body, status: 412, headers: Self.fields)))
        #expect(!lost.isConditionMissing)
        #expect(lost.entityTag == HTTPField.EntityTag(#""v2""#))
        #expect(lost.lastModified == Date(timeIntervalSince1970: 784_111_777))
        #expect(lost.version(as: Product.self, at: "details", "existing") == Product(id: 7, name: "Theirs"))
        #expect(lost.version(as: Product.self) == nil)
        #expect(lost.version(as: Product.self, at: "details") == nil)
    }

    @Test("The description of a lost update shows the server's version, but not the body or decoder")
    func text() async throws {
        let lost = try #require(await Self.lost(.json(#"{"id":7}"#, status: 412, headers: Self.fields)))
        #expect(
            "\(lost)" == #"the server has another version: entity tag "v2", last modified 1994-11-06T08:49:37Z"#
        )
        var dumped = ""
        dump(lost, to: &dumped)
        #expect(!dumped.lowercased().contains("decoder") && dumped.contains("8 bytes"))
        #expect("\(try #require(await Self.lost(.status(428))))" == "the server requires a condition")
    }

    @Test("The version of a lost update is decoded with the call's decoder")
    func decoder() async throws {
        struct Theirs: Decodable, Equatable { let fullName: String }
        let lost = try #require(await Self.lost(.json(#"{"full_name":"T"}"#, status: 412)))
        #expect(lost.version() == Theirs(fullName: "T"))
    }

    @Test("A problem equivalent to a 428 is reported as a missing condition")
    func equivalent() async throws {
        let shop = Shop(responses: ["PUT products/{}": .response(.json(#"{"error":"no tag"}"#, status: 409))]) {
            Problem(JSONValue.self, equivalentTo: { _ in 428 })
        }
        let error = await failure { try await shop.products.update(Product(id: 7, name: "Lamp")) }
        #expect(try #require(error?.lostUpdate).isConditionMissing)
    }

    @Test("A 428 is reported as a missing condition, and a 412 without a body has no version")
    func others() async throws {
        let missing = try #require(await Self.lost(.status(428)))
        #expect(missing.isConditionMissing)
        let empty = try #require(await Self.lost(.status(412)))
        #expect(empty.entityTag == nil)
        #expect(empty.version(as: Product.self) == nil)
        #expect(empty.version(as: Data.self) == nil)
    }

    @Test("A failed status other than 412 or 428 is not a lost update", arguments: [400, 404, 409, 417, 500])
    func strangers(code: Int) async {
        #expect(await Self.lost(.status(HTTPResponse.Status(code: code), headers: Self.fields)) == nil)
    }
}
