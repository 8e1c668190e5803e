import Foundation
import Waybill
import WaybillBenchmarking
import WaybillStore
import WaybillTesting

extension Metric {
    /// The time for all writes to become durable, one after another, in seconds.
    fileprivate static let secondsToWrite = Metric(name: "seconds to write all", decimals: 2)

    /// The processor time of a synchronization per sent write, in milliseconds.
    fileprivate static let processorMillisecondsPerSending = Metric(name: "processor ms to send each", decimals: 3)
}

/// An API whose server creates notes but lists none.
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

    /// A counter for note ids.
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
    /// Pending creates: written one by one, then sent one by one.
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

    /// A counter that numbers the rounds' folders.
    private actor RunCount {
        private var count = 0

        func next() -> Int {
            count += 1
            return count
        }
    }
}
