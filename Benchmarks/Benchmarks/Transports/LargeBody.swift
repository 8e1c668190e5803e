import Foundation
import Waybill

/// The transfer of a body too large to buffer, to a consumer that discards each chunk.
struct LargeBody: Sendable {
    /// The size of the body, in bytes.
    static let length = 500_000_000

    /// The speed of the consumer: as fast as chunks arrive, or slower than the server.
    enum Consumer: String, Sendable {
        case fast
        case slow
    }

    /// The number of bytes between the slow consumer's pauses, and the length of a pause: 4 s in total.
    private static let pause = (bytes: 1_000_000, length: Duration.milliseconds(8))

    let transport: any Transport
    let server: URL

    /// Returns the declared length of the body, without reading it.
    func announcedLength() async throws -> Int? { try await response().body.length }

    /// Reads the whole body.
    ///
    /// - Throws: `TransportError`, or `Exchange.UnexpectedResponse` if bytes are missing.
    func callAsFunction(_ consumer: Consumer) async throws {
        var count = 0
        var nextPause = consumer == .slow ? Self.pause.bytes : .max
        for try await chunk in try await response().body {
            count += chunk.count
            while count >= nextPause {
                try await Task.sleep(for: Self.pause.length)
                nextPause += Self.pause.bytes
            }
        }
        guard count == Self.length else {
            throw Exchange.UnexpectedResponse(
                description: "the large body ended after \(count) of \(Self.length) bytes"
            )
        }
    }

    private func response() async throws -> HTTPResponse {
        let response = try await transport.send(
            HTTPRequest(method: .get, url: server.appendingPathComponent("large"))
        )
        guard response.status == 200 else {
            throw Exchange.UnexpectedResponse(description: "the large body came with \(response.status)")
        }
        return response
    }
}
