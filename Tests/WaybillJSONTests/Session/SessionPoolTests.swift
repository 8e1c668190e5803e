import Foundation
import Testing

@testable import WaybillJSON

@Suite("A thread's session pool")
struct SessionPoolTests {
    /// A document nested in a string of another document, at any depth.
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

    /// Takes all sessions of the thread, in the order in which the next calls would use them.
    static func takeAll() -> [DecodingSession] {
        var sessions: [DecodingSession] = []
        while true {
            let session = DecodingSession.pool.take()
            // A new session has not decoded a document.
            if session.state.pointee.documentNumber == 0 { return sessions }
            sessions.append(session)
        }
    }

    @Test("Each call reuses a session of its thread, even if calls are nested", arguments: 0...3)
    func order(depth: Int) throws {
        _ = Self.takeAll()
        let document = try Nested.document(depth: depth)
        for _ in 1...3 { #expect(try WaybillJSONDecoder().decode(Nested.self, from: document).depth == depth) }
        let sessions = Self.takeAll()
        #expect(sessions.map(\.state.pointee.documentNumber) == Array(repeating: 3, count: depth + 1))
        // The document of the outermost call is the longest.
        let sizes = sessions.map(\.state.pointee.count)
        #expect(sizes == sizes.sorted(by: >))
    }

    @Test("A thread keeps a limited number of sessions, however deeply calls are nested")
    func limit() throws {
        _ = Self.takeAll()
        #expect(try WaybillJSONDecoder().decode(Nested.self, from: Nested.document(depth: 9)).depth == 9)
        #expect(Self.takeAll().count == SessionPool<DecodingSession>.maximumCount)
    }
}
