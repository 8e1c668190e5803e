import Foundation
import Waybill

/// The transfer of a body that is too large to be kept, to a consumer that drops each chunk.
struct LargeBody: Sendable {
    /// How many bytes there are.
    static let length = 500_000_000

    /// Whether the consumer takes what is there, or is slower than the server.
    enum Consumer: String, Sendable {
        case fast
        case slow
    }

    /// After how many bytes the slow consumer pauses, and how long: 4 s in all, beside the transfer itself.
    private static let pause = (bytes: 1_000_000, length: Duration.milliseconds(8))

    let transport: any Transport
    let server: URL

    /// What the server says about the body's length, without reading it.
    func announcedLength() async throws -> Int? { try await response().body.length }

    /// Reads the body to its end.
    ///
    /// - Throws: `TransportError`, or `Exchange.WrongAnswer` where bytes are missing.
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
            throw Exchange.WrongAnswer(description: "the large body ended after \(count) of \(Self.length) bytes")
        }
    }

    private func response() async throws -> HTTPResponse {
        let response = try await transport.send(
            HTTPRequest(method: .get, url: server.appendingPathComponent("large"))
        )
        guard response.status == 200 else {
            throw Exchange.WrongAnswer(description: "the large body was answered with \(response.status)")
        }
        return response
    }
}
