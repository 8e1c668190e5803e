import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill

/// A persistent connection is reset inside the body of a request.
@Suite("Transports: uploads that are reset on a persistent connection", .inTurn, .safetyNet)
struct TransportBrokenUploadTests {
    /// The source of a body's bytes.
    enum Source: String, CaseIterable, Sendable {
        case memory, file, stream

        func body(_ bytes: Data, in directory: TemporaryDirectory) throws -> HTTPBody {
            switch self {
            case .memory: HTTPBody(bytes)
            case .file: try HTTPBody(file: directory.file(bytes))
            case .stream: HTTPBody(Chunks(bytes, size: 70_001), length: bytes.count, isReplayable: true)
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let source: Source
        /// The number of bytes in the body, and the number that the server reads.
        let (length, read): (Int, Int)

        var testDescription: String { "\(method), \(read) of \(length) bytes, \(source)" }

        static let all = methods.flatMap { method in
            Source.allCases.flatMap { source in
                sizes.map { Row(method: method, source: source, length: $0.0, read: $0.1) }
            }
        }

        private static let methods: [HTTPRequest.Method] =
            Thoroughness.isWhole ? [.put, .post, .patch] : [.put, .post]

        private static let sizes =
            Thoroughness.isWhole
            ? [(13, 1), (16_384, 1), (16_385, 1), (70_000, 1), (300_000, 10_000), (8_000_000, 100_000)]
            : [(13, 1), (70_000, 1), (300_000, 10_000)]
    }

    @Test(
        "A body on a reset connection is sent again from its first byte, or not at all",
        arguments: Thoroughness.some(Row.all, oneIn: 3),
        Carrier.allCases
    )
    func sentFromItsBeginning(_ row: Row, _ carrier: Carrier) async throws {
        let directory = TemporaryDirectory()
        let bytes = Data.sample(count: row.length)
        let body = try row.source.body(bytes, in: directory)
        for _ in 0..<Thoroughness.repetitions(3, otherwise: 1) {
            let server = try ResettingServer(resettingAfter: row.read)
            let transport = try carrier.transport()
            #expect(try await transport.text(.get, server.url) == "fine")
            do {
                #expect(try await transport.text(row.method, server.url, body) == "fine")
                #expect(row.method == .put && !carrier.deviations.contains(.repeatsNothing))
                #expect(server.bodies.last == bytes)
            } catch let error as TransportError {
                #expect(error.kind == .connectionLost)
            }
            // The server reads the connection of this request after those of the upload.
            #expect(try await transport.text(.get, server.url) == "fine")
            let bodies = server.bodies
            #expect(bodies.first?.count ?? 0 >= row.read)
            #expect(bodies.allSatisfy { bytes.prefix($0.count) == $0 }, "\(bodies.map(\.count))")
        }
    }
}
