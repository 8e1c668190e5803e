import Foundation
import Waybill
import WaybillStore

/// The entity of the `store` suite: about 300 bytes of JSON.
struct StockItem: Entity, Hashable {
    let id: Int
    var name: String
    /// One of 20 categories.
    var category: String
    /// The number of a shelf, which holds 10 items.
    var shelf: Int
    var price: Int
    var note: String

    struct Draft: Codable, Sendable, RequestContent {
        var name: String
    }

    /// Returns the JSON of an item, as the store saves it.
    static func json(_ id: Int) -> String {
        let note = String(repeating: "kept dry and cool, ", count: 10).prefix(190)
        return """
            {"category":"c\(id % 20)","id":\(id),"name":"item \(id &* 7919 % 100_003)","note":"\(note) \(id)",\
            "price":\(id &* 104_729 % 50_021),"shelf":\(id % 10_000)}
            """
    }
}

/// An API whose list responses contain all items of the suite.
struct Stock: API {
    let client: Client

    init() throws {
        guard let url = URL(string: "https://stock.example") else { throw URLError(.badURL) }
        client = Client(url, transport: Server())
    }

    /// A transport that returns all items in each response; the body is created on first use.
    private struct Server: Transport {
        private static let items = PreparedTransport(
            Data(("[" + (1...StoreRows.count).map(StockItem.json).joined(separator: ",") + "]").utf8)
        )

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            try await Self.items.send(request, options: options)
        }
    }

    var items: Resource<StockItem, ReadWrite> { resource("items") }
    var others: Resource<StockItem, ReadWrite> { resource("others") }
}

/// The suite's stores of 100,000 items, each filled on first use.
actor StockStores {
    private let folder: StoreBenchmarkFolder
    private var isFilled = false
    private var inMemory: Task<Store, any Error>?
    private let stock: Stock

    private static let settings = StoreSettings(sendsAutomatically: false)

    init(in folder: StoreBenchmarkFolder) throws {
        self.folder = folder
        stock = try Stock()
    }

    /// The file of the on-disk store.
    var file: URL {
        get async throws {
            let file = folder.file("stock").appendingPathComponent("store.sqlite")
            if isFilled { return file }
            isFilled = true
            let store = try await open()
            _ = items(of: store)
            try await store.synchronize()
            await store.close()
            return file
        }
    }

    /// Opens the on-disk store.
    nonisolated func open() async throws -> Store {
        try await Store(at: folder.file("stock"), settings: Self.settings)
    }

    /// Returns a store's items, with the suite's indexes.
    nonisolated func items(of store: Store) -> StoredCollection<StockItem, ReadWrite> {
        store.collection(stock.items) {
            Store.Index(\.category)
            Store.Index(\.shelf)
            Store.Index(\.price)
        }
    }

    /// Returns a store's second collection.
    nonisolated func others(of store: Store) -> StoredCollection<StockItem, ReadWrite> {
        store.collection(stock.others)
    }

    /// Returns the in-memory store, filled with both collections.
    func filledInMemory() async throws -> Store {
        if let inMemory { return try await inMemory.value }
        let task = Task {
            let store = try await Store.inMemory(settings: Self.settings)
            _ = (items(of: store), others(of: store))
            try await store.synchronize()
            return store
        }
        inMemory = task
        return try await task.value
    }
}
