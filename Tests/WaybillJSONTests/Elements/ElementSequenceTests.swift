import Foundation
import Testing

@testable import WaybillJSON

@Suite("Elements of asynchronous chunks")
struct ElementSequenceTests {
    static let document = Array(#"{"data":[1,"x",3],"meta":9}"#.utf8)

    /// Returns the document in chunks, followed by the error if there is one.
    private func chunks(of size: Int, of document: [UInt8] = document, error: (any Error)? = nil)
        -> AsyncThrowingStream<
            [UInt8], any Error
        >
    {
        AsyncThrowingStream { continuation in
            for start in stride(from: 0, to: document.count, by: size) {
                continuation.yield(Array(document[start..<min(document.count, start + size)]))
            }
            continuation.finish(throwing: error)
        }
    }

    @Test("A loop reads elements from asynchronous chunks", arguments: [1, 4, 100])
    func loop(size: Int) async throws {
        var ids: [AnyJSON] = []
        for try await id in WaybillJSONDecoder().elements(AnyJSON.self, from: chunks(of: size), at: "data") {
            ids.append(id)
        }
        #expect(ids == [.number(1), .string("x"), .number(3)])
    }

    /// A type that is not `Sendable`.
    final class Node: Decodable {
        var next: Node?
    }

    @Test("Elements that are not Sendable can be read on an actor")
    @MainActor
    func actor() async throws {
        let document = Array(#"[{"next":{}},{}]"#.utf8)
        var nodes: [Node] = []
        for try await node in WaybillJSONDecoder().elements(Node.self, from: chunks(of: 3, of: document)) {
            nodes.append(node)
        }
        #expect(nodes.map { $0.next != nil } == [true, false])
    }

    @Test("Undecodable elements are reported, and metadata is available at the end", arguments: [1, 4, 100])
    func iterator(size: Int) async throws {
        let elements = WaybillJSONDecoder().elements(
            Int.self,
            from: chunks(of: size),
            at: ["data"],
            keeping: [["meta"]]
        )
        var iterator = elements.makeAsyncIterator()
        var results: [String] = []
        while let result = try await iterator.nextResult() {
            switch result {
            case .success(let element): results.append("\(element)")
            case .failure(let failure): results.append("failed at \(failure.index)")
            }
        }
        #expect(results == ["1", "failed at 1", "3"])
        #expect(try iterator.metadata(Int.self, at: "meta") == 9)
        #expect(try await iterator.next() == nil)
    }

    @Test("A truncated document or a failing chunk sequence ends the loop over elements with an error")
    func failing() async {
        let cut = WaybillJSONDecoder().elements(Int.self, from: chunks(of: 4, of: Array("[1,2".utf8)))
        await #expect(throws: DecodingError.self) { for try await _ in cut {} }
        let failing = WaybillJSONDecoder().elements(
            Int.self,
            from: chunks(of: 4, of: Array("[1,2".utf8), error: CancellationError())
        )
        await #expect(throws: CancellationError.self) { for try await _ in failing {} }
    }
}
