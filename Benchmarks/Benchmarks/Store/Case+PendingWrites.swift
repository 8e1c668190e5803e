import Foundation
import Waybill
import WaybillBenchmarking
import WaybillStore
import WaybillTesting

extension Metric {
    /// Seconds in which all writes became durable, one after the other.
    fileprivate static let secondsToWrite = Metric(name: "seconds to write all", decimals: 2)

    /// Processor time of a synchronization, for each write that it sends.
    fileprivate static let processorMillisecondsPerSending = Metric(name: "processor ms to send each", decimals: 3)
}

/// A server that creates notes, and has none in its list.
private struct Notes: API {
    struct Note: Entity, Hashable {
        let id: Int
        var text: String

        struct Draft: RequestContent { var text: String }
    }

    let client: Client

    init(_ url: URL) {
        let count = Counter()
        client = Client(
            url,
            transport: StubTransport { request in
                guard request.method == .post else { return .json("[]") }
                return .json(#"{"id":\#(count.next()),"text":"a note"}"#, status: 201)
            }
        )
    }

    var notes: Resource<Note, ReadWrite> { resource("notes") { IdempotencyKey() } }

    /// The ids of the notes.
    private final class Counter: Sendable {
        private let lock = NSLock()
        private nonisolated(unsafe) var count = 0

        func next() -> Int {
            lock.withLock {
                count += 1
                return count
            }
        }
    }
}

extension Case {
    /// Creations that wait for their server: written one by one, and then sent one by one.
    static func pendingWrites(in folder: StoreBenchmarkFolder) throws -> Case {
        guard let url = URL(string: "https://notes.example") else { throw URLError(.badURL) }
        let runs = RunCount()
        func subject(_ count: Int) -> Subject {
            Subject("\(count) pending writes", result: { true }) {
                let place = folder.file("pending-\(await runs.next())")
                let store = try await Store(at: place, settings: StoreSettings(sendsAutomatically: false))
                let notes = store.collection(Notes(url).notes)
                let start = TimeSpent.now
                for _ in 0..<count { try await notes.create(.init(text: "a note")) }
                let written = TimeSpent.now
                let report = try await store.synchronize()
                let sent = TimeSpent.now
                guard report.sent == count else { throw URLError(.badServerResponse) }
                await store.close()
                return [
                    Reading(metric: .secondsToWrite, value: (written - start).wall),
                    Reading(
                        metric: .processorMillisecondsPerSending,
                        value: (sent - written).processor * 1000 / Double(count)
                    ),
                ]
            }
        }
        return Case("pending writes", [subject(1_000), subject(10_000)], rounds: 3)
    }

    /// Numbers for the folders of the rounds.
    private actor RunCount {
        private var count = 0

        func next() -> Int {
            count += 1
            return count
        }
    }
}
