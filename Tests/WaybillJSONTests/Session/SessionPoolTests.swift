import Foundation
import Testing

@testable import WaybillJSON

@Suite("The sessions that a thread keeps")
struct SessionPoolTests {
    /// A document within a string of a document, as deep as it goes.
    struct Nested: Decodable {
        let depth: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let text = try? container.decode(String.self) else {
                depth = 0
                return
            }
            depth = try WaybillJSONDecoder().decode(Nested.self, from: Data(text.utf8)).depth + 1
        }

        static func document(depth: Int) throws -> Data {
            var text = "0"
            for _ in 0..<depth { text = String(decoding: try JSONEncoder().encode(text), as: UTF8.self) }
            return Data(text.utf8)
        }
    }

    /// Takes all sessions that the thread has, the next one first.
    static func takeAll() -> [DecodingSession] {
        var sessions: [DecodingSession] = []
        while true {
            let session = SessionPool.take()
            // A new one has not seen a document.
            if session.state.pointee.documentNumber == 0 { return sessions }
            sessions.append(session)
        }
    }

    @Test("Each call gets the session back that it had, those within others too", arguments: 0...3)
    func order(depth: Int) throws {
        _ = Self.takeAll()
        let document = try Nested.document(depth: depth)
        for _ in 1...3 { #expect(try WaybillJSONDecoder().decode(Nested.self, from: document).depth == depth) }
        let sessions = Self.takeAll()
        #expect(sessions.map(\.state.pointee.documentNumber) == Array(repeating: 3, count: depth + 1))
        // The outermost document is the longest.
        let sizes = sessions.map(\.state.pointee.count)
        #expect(sizes == sizes.sorted(by: >))
    }

    @Test("There are not more of them than a few, however deep calls are within each other")
    func limit() throws {
        _ = Self.takeAll()
        #expect(try WaybillJSONDecoder().decode(Nested.self, from: Nested.document(depth: 9)).depth == 9)
        #expect(Self.takeAll().count == SessionPool.maximumCount)
    }
}
