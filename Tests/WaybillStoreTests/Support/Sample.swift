import Foundation
import Waybill
import WaybillStore

/// An entity with properties of all sortable kinds.
struct Sample: Entity, Equatable {
    /// An order different from the order of the raw values.
    enum Level: String, Codable, CaseIterable, Comparable, Indexable {
        case low
        case middle
        case high

        static func < (left: Self, right: Self) -> Bool {
            allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
        }
    }

    let id: Int
    var rank: Int
    var weight: Double
    var date: Date
    var name: String
    var level: Level
    var shelf: Int?

    struct Draft: RequestContent {
        var rank: Int
        var weight: Double
        var date: Date
        var name: String
        var level: Level
        var shelf: Int?
    }

    /// Counts decoded rows.
    static let decoded = DecodingCounter()

    init(from decoder: any Decoder) throws {
        Self.decoded.add()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        rank = try container.decode(Int.self, forKey: .rank)
        weight = try container.decode(Double.self, forKey: .weight)
        date = try container.decode(Date.self, forKey: .date)
        name = try container.decode(String.self, forKey: .name)
        level = try container.decode(Level.self, forKey: .level)
        shelf = try container.decodeIfPresent(Int.self, forKey: .shelf)
    }
}

extension Sample.Draft {
    /// Returns a random draft with many equal values.
    ///
    /// No name starts with `é` followed by more text, because Swift sorts an `e` with a combining accent after it.
    static func random(_ generator: inout StoreGenerator) -> Sample.Draft {
        let names = ["a", "b", "Z", "z", "é", "e\u{301}", "e", "ö", "f", "日本", "😀", "\u{1E69}", "s\u{323}\u{307}", ""]
        return Sample.Draft(
            rank: Int.random(in: -4...4, using: &generator),
            weight: [-0.0, 0, -1.5, 1e300, -1e300, 2.5].randomElement(using: &generator) ?? 0,
            date: Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -3...3, using: &generator))),
            name: names.randomElement(using: &generator) ?? "",
            level: Sample.Level.allCases.randomElement(using: &generator) ?? .low,
            shelf: [nil, 1, 2].randomElement(using: &generator) ?? nil
        )
    }
}

/// A counter of decoded rows.
final class DecodingCounter: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var number = 0

    func add() { lock.withLock { number += 1 } }

    var count: Int { lock.withLock { number } }
}

/// A store of samples with or without indexes.
struct SampleStore: Sendable {
    let store: Store
    let samples: StoredCollection<Sample, ReadWrite>

    init(isIndexed: Bool, _ server: ShopServer) async throws {
        store = try await Store.manual()
        samples = store.collection(SampleAPI(server).samples) {
            if isIndexed {
                Store.Index(\.rank)
                Store.Index(\.weight)
                Store.Index(\.date)
                Store.Index(\.name)
                Store.Index(\.level)
                Store.Index(\.shelf)
            }
        }
        try await store.synchronize()
    }
}

private struct SampleAPI: API {
    let client: Client

    init(_ server: ShopServer) { client = Shop(server.transport).client }

    var samples: Resource<Sample, ReadWrite> { resource("products") }
}
