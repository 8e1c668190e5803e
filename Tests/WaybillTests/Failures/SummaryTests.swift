import Testing
import Waybill

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
}
