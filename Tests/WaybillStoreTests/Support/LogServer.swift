import Foundation
import Waybill
import WaybillTesting

/// A product server whose list changes between pages, with tombstones, late timestamps, and faults.
final class LogServer: Sendable {
    /// The order of the list.
    ///
    /// The next page starts after the last item of the previous one.
    enum Order: CaseIterable, Sendable {
        case byID, byTime, newestFirst
        /// A feed, whose last page contains a cursor for later changes.
        case feed
    }

    /// The fault of a page.
    enum Fault: Sendable {
        case status(Int)
        /// One item of the page has no ID: the one at this index, or else the last one.
        case itemWithoutID(Int)
    }

    struct Item: Sendable {
        var version: Int
        var time: Int
        var isDeleted = false
        /// The position in the log.
        var place: Int
    }

    struct State: Sendable {
        var items: [Int: Item] = [:]
        var order = Order.byID
        var pageSize = 3
        /// The latest time of an item.
        var latest = 1_000
        /// The number of changes.
        var changes = 0
        /// The number of list requests.
        var requests = 0
        /// Changes the state before a page is returned, and returns the page's fault.
        var beforePage: (@Sendable (inout State) -> Fault?)?
    }

    private let lock = NSLock()
    private nonisolated(unsafe) var state = State()

    init(_ order: Order, products: Int = 0) {
        change { state in
            state.order = order
            for id in 0..<products { state.put(id + 1) }
        }
    }

    @discardableResult
    func change<Value>(_ body: (inout State) -> Value) -> Value { lock.withLock { body(&state) } }

    /// The products that are not deleted.
    var products: [Product] {
        change { state in
            state.items.filter { !$0.value.isDeleted }.sorted { $0.key < $1.key }
                .map { Product(id: $0.key, name: "Item \($0.key)", price: $0.value.version) }
        }
    }

    var transport: StubTransport {
        StubTransport { request in self.change { $0.respond(to: request) } }
    }

    /// The shop with pages linked by a header field.
    var shop: Shop { Shop(transport) { Paginated(.next(field: "Next-Page")) } }

    /// The shop with a token for the next page.
    var shopWithTokens: Shop { Shop(transport) { Paginated(.cursor(field: "Next-Token", as: .query("after"))) } }
}

extension LogServer.State {
    /// Creates or changes an item.
    ///
    /// - Parameters:
    ///   - id: The ID.
    ///   - time: The item's timestamp, which may be earlier than others, or `nil` for a new one.
    mutating func put(_ id: Int, at time: Int? = nil) {
        let version = (items[id]?.version ?? 0) + 1
        place(LogServer.Item(version: version, time: 0, place: 0), at: id, time)
    }

    /// Deletes an item, and leaves a tombstone.
    mutating func delete(_ id: Int, at time: Int? = nil) {
        guard var item = items[id], !item.isDeleted else { return }
        item.isDeleted = true
        place(item, at: id, time)
    }

    private mutating func place(_ item: LogServer.Item, at id: Int, _ time: Int?) {
        var item = item
        item.time = time ?? latest + 1
        latest = max(latest, item.time)
        changes += 1
        item.place = changes
        items[id] = item
    }

    fileprivate mutating func respond(to request: ReceivedRequest) -> StubResponse {
        let segments = request.path.split(separator: "/")
        if segments.count == 2, let id = Int(segments[1]) {
            guard let item = items[id], !item.isDeleted else { return .status(404) }
            return .json(Self.json(id, item).description)
        }
        let fault = beforePage?(&self)
        requests += 1
        if case .status(let code) = fault { return .status(.init(code: code)) }
        let since = request.query("since").flatMap { Int($0) }
        var found = items.filter {
            order == .feed || (since == nil ? !$0.value.isDeleted : $0.value.time >= since ?? 0)
        }
        .map { (key: key($0.key, $0.value), id: $0.key, item: $0.value) }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        if let after = request.query("after") {
            let start = after.split(separator: ".").compactMap { Int($0) }
            found = found.filter { start.lexicographicallyPrecedes($0.key) }
        }
        let page = Array(found.prefix(pageSize))
        var documents = page.map { Self.json($0.id, $0.item) }
        if case .itemWithoutID(let number) = fault, !page.isEmpty {
            let place = min(number, page.count - 1)
            documents[place] = documents[place].applying(mergePatch: ["id": .null])
        }
        var response = StubResponse.json(JSONValue.array(documents).description)
        if let last = page.last, found.count > page.count || order == .feed {
            let token = last.key.map { "\($0)" }.joined(separator: ".")
            let link = request.path + "?" + (since.map { "since=\($0)&" } ?? "") + "after=\(token)"
            response = response.header("Next-Page", link).header("Next-Token", token)
        }
        return response
    }

    /// Returns an item's sort key in the list.
    private func key(_ id: Int, _ item: LogServer.Item) -> [Int] {
        switch order {
        case .byID: [id]
        case .byTime: [item.time, id]
        case .newestFirst: [-item.time, -id]
        case .feed: [item.place]
        }
    }

    private static func json(_ id: Int, _ item: LogServer.Item) -> JSONValue {
        .product(
            id,
            "Item \(id)",
            price: item.version,
            ["updated_at": .integer(item.time), "deleted": .bool(item.isDeleted)]
        )
    }
}
