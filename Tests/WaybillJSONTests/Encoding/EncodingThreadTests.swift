import Foundation
import Testing
import WaybillJSON

@Suite("Encoding on several threads")
struct EncodingThreadTests {
    /// A value that keeps its container for other threads.
    private final class Keeper: Encodable, @unchecked Sendable {
        private let lock = NSLock()
        private var kept: [KeyedEncodingContainer<AnyKey>] = []

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "a")
            lock.withLock { kept.append(container) }
        }

        func keep(_ containers: [KeyedEncodingContainer<AnyKey>]) { lock.withLock { kept += containers } }

        var containers: [KeyedEncodingContainer<AnyKey>] { lock.withLock { kept } }
    }

    @Test("One encoder can be used on several threads, and kept containers throw on all of them")
    func threads() {
        let encoder = WaybillJSONEncoder { $0.keyEncodingStrategy = .convertToSnakeCase }
        let value = FuzzedModel.Kind.pair(1, second: [2, 3])
        let ended = Keeper()
        DispatchQueue.concurrentPerform(iterations: 32) { index in
            let text = try? encoder.text(of: ["n": value])
            #expect(text == #"{"n":{"pair":{"_0":1,"second":[2,3]}}}"#)
            let keeper = Keeper()
            #expect((try? WaybillJSONEncoder().text(of: [keeper])) == #"[{"a":1}]"#)
            // During the call, only one thread uses a container.
            ended.keep(keeper.containers)
            for var container in ended.containers {
                #expect(throws: EncodingError.self) { try container.encode(index, forKey: "b") }
                let path = container.nestedUnkeyedContainer(forKey: "c").codingPath
                #expect(path.isEmpty)
            }
        }
        #expect(ended.containers.count == 32)
    }
}
