import Foundation
import Waybill
import WaybillStore

/// The entity of the suite `store`, of some 300 bytes of JSON.
struct StockItem: Entity, Hashable {
    let id: Int
    var name: String
    /// One of 20.
    var category: String
    /// A number that 10 items have.
    var shelf: Int
    var price: Int
    var note: String

    struct Draft: Codable, Sendable, RequestContent {
        var name: String
    }

    /// Returns the JSON of an item, in the form in which the store has it.
    static func json(_ id: Int) -> String {
        let note = String(repeating: "kept dry and cool, ", count: 10).prefix(190)
        return """
            {"category":"c\(id % 20)","id":\(id),"name":"item \(id &* 7919 % 100_003)","note":"\(note) \(id)",\
            "price":\(id &* 104_729 % 50_021),"shelf":\(id % 10_000)}
            """
    }
}

/// An API whose lists of items are those of the suite, in one response.
struct Stock: API {
    let client: Client

    init() throws {
        guard let url = URL(string: "https://stock.example") else { throw URLError(.badURL) }
        client = Client(url, transport: Server())
    }

    /// A transport with all items in each response; the body is made when it is needed.
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

/// The stores of the suite with 100,000 items, each filled when it is used for the first time.
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

    /// The file of the store on the disk.
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

    /// Opens the store on the disk.
    nonisolated func open() async throws -> Store {
        try await Store(at: folder.file("stock"), settings: Self.settings)
    }

    /// Returns the items of a store, with the indexes of the suite.
    nonisolated func items(of store: Store) -> StoredCollection<StockItem, ReadWrite> {
        store.collection(stock.items) {
            Store.Index(\.category)
            Store.Index(\.shelf)
            Store.Index(\.price)
        }
    }

    /// Returns a second collection of a store.
    nonisolated func others(of store: Store) -> StoredCollection<StockItem, ReadWrite> {
        store.collection(stock.others)
    }

    /// The store in memory, with the items and the other collection.
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
