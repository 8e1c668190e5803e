import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Text values")
struct TextValueTests {
    private func get(_ body: Data, _ type: String?, @Scope.Builder _ clauses: () -> Scope = { Scope() }) async throws
        -> String
    {
        var response = StubResponse(body: body)
        response.headerFields[.contentType] = type
        return try await Shop(responses: ["GET a": .response(response)]).client.get("a", as: String.self, clauses)
    }

    @Test(
        "A String is decoded from a text response using its character set",
        arguments: [
            ("text/plain", Data("wörd".utf8)), ("text/csv; charset=utf-8", Data("wörd".utf8)),
            ("text/plain; charset=\"ISO-8859-1\"", Data([0x77, 0xF6, 0x72, 0x64])),
            ("text/plain;format=flowed; Charset=latin1", Data([0x77, 0xF6, 0x72, 0x64])),
            ("text/html;charset=utf-16be", Data([0, 0x77, 0, 0xF6, 0, 0x72, 0, 0x64])),
        ]
    )
    func text(type: String, body: Data) async throws {
        #expect(try await get(body, type) == "wörd")
    }

    @Test("A String is decoded from JSON")
    func json() async throws {
        #expect(try await get(Data(#""a""#.utf8), "application/json") == "a")
        #expect(try await get(Data(#""a""#.utf8), "text/json") == "a")
        #expect(try await get(Data(#""a""#.utf8), nil) == "a")
        #expect(try await get(Data(#"{"data":"a"}"#.utf8), "application/json") { Envelope("data") } == "a")
    }

    @Test("An empty text response is an empty String, and an optional String is nil without a body")
    func empty() async throws {
        #expect(try await get(Data(), "text/plain") == "")
        let shop = Shop(responses: ["GET a": .status(204), "GET b": .text("x")])
        #expect(try await shop.client.get("a", as: String?.self) == nil)
        #expect(try await shop.client.get("b", as: String?.self) == "x")
    }

    @Test(
        "A text response with an unreadable character set is an error that explains why",
        arguments: [
            ("text/plain", "its bytes are not utf-8"),
            ("text/plain; charset=klingon", "its character set is unknown"),
        ]
    )
    func unreadable(type: String, reason: String) async {
        await #expect {
            try await get(Data([0xFF, 0xFE, 0xFF]), type)
        } throws: { error in
            "\(error)".contains("the body is text, and \(reason); declare `Data` for the bytes")
        }
    }
}
