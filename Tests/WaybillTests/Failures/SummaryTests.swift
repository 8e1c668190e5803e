import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("APIError.summary")
struct SummaryTests {
    private let call = APIError.FailedCall(
        method: .get,
        template: "products/{}",
        url: "https://shop.example/products/7"
    )

    @Test("APIError.summary is the first line of the description")
    func firstLine() {
        let errors: [(APIError, String)] = [
            (.status(APIError.StatusFailure(call: call, status: 404)), "GET products/{} failed: 404 Not Found"),
            (
                .transport(APIError.TransportFailure(call: call, error: TransportError(.connectionLost))),
                "GET products/{} got no response: the connection was lost"
            ),
        ]
        for (error, summary) in errors {
            #expect(error.summary == summary)
            #expect(error.description.hasPrefix(summary + "\n"))
        }
    }

    @Test("APIError.summary has spaces for control characters, so that no text can forge a line")
    func controlCharacters() {
        let error = TransportError(.other, "\u{1B}[2Jover\u{0}written\u{7F}\r\nERROR forged")
        #expect(
            APIError.transport(APIError.TransportFailure(call: call, error: error)).summary
                == "GET products/{} got no response: the transport failed:  [2Jover written "
        )
    }

    @Test("APIError.summary of a body that does not decode has the place and the reason")
    func decoding() async throws {
        let rows = [
            (#"{"id":7,"name":null}"#, "name (line 1, column 16): expected a string, found null"),
            (#"{"id":"x"}"#, #"id (line 1, column 7): expected an integer (Int), found the string "x""#),
            ("", "the body is empty; declare `Void` or an optional where that is expected"),
        ]
        for (body, reason) in rows {
            let shop = Shop(responses: ["GET products/7": .json(body)])
            let error = await failure { () async throws(APIError) in try await shop.products.read(7) }
            let head = "GET products/{} returned 200 OK, but its body does not decode as Product: "
            #expect(try #require(error).summary == head + reason)
        }
    }

    @Test("APIError.summary has the first line of the error of an own decoder")
    func ownDecoder() async throws {
        let shop = Shop(responses: ["GET products/7": .json(#"{"password":"hunter2","id":"x"}"#)]) {
            Decode(with: Repeating())
        }
        let error = await failure { () async throws(APIError) in try await shop.products.read(7) }
        #expect(try #require(error).summary.hasSuffix("does not decode as Product: id: x"))
    }

    private struct Repeating: ResponseDecoder {
        struct Reason: Error, CustomStringConvertible { let description = "id: x\nmore" }

        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { throw Reason() }
    }
}
