import Foundation
import Testing

@testable import WaybillJSON

@Suite("Memory between documents")
struct KeptMemoryTests {
    /// A key type that no other test uses on the same thread.
    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A type that decodes members by name, the last one first.
    struct Backwards: Decodable {
        let sum: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            sum = try container.allKeys.reversed().reduce(0) { try $0 + container.decode(Int.self, forKey: $1) }
        }
    }

    @Test(
        "A decoder releases the member names and the memory of a large object before the next document",
        arguments: [10, 5000]
    )
    func members(count: Int) throws {
        let json = "{" + (1...count).map { "\"member\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try WaybillJSONDecoder().decode(Backwards.self, from: Data(json.utf8)).sum == count)

        let session = DecodingSession.pool.take()
        let keys = session.state.keyType(Name.self)
        // In safe mode, the memory of an object is freed with its container.
        try #require(keys.pointee.cursorCount == (SafeMode.isOn ? 0 : 1))
        #expect(session.state.pointee.owners.isEmpty)
        for place in 0..<keys.pointee.cursorCount {
            let members = keys.pointee.cursors[place].pointee.members
            #expect(members.positions.capacity < 5000)
            #expect((members.names?.count ?? 0) == 0)
        }
    }
}
