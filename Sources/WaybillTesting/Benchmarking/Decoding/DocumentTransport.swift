import Foundation
import Waybill

/// A transport that responds with a document, in chunks as they come from a network.
struct DocumentTransport: Transport {
    private let chunks: [Data]

    init(_ document: Data) {
        // As many bytes as libcurl hands over at most.
        let size = 16_384
        chunks = stride(from: 0, to: document.count, by: size).map { document.dropFirst($0).prefix(size) }
    }

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headerFields: [HTTPField(name: .contentType, value: "application/json")],
            body: HTTPBody(Chunks(chunks: chunks)),
            url: nil
        )
    }

    private struct Chunks: AsyncSequence, Sendable {
        let chunks: [Data]

        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<Data>

            mutating func next() async -> Data? { rest.popFirst() }
        }

        func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...]) }
    }
}
