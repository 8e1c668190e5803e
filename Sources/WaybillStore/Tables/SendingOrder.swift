import Waybill
import WaybillSystem

/// The order in which pending writes can be sent: sequentially for one item, in parallel for different items.
struct SendingOrder {
    /// The properties of a write that determine its order.
    struct Entry: Sendable {
        let number: Int64
        let row: Int64
        let operation: OutboxWrite.Operation
        let phase: EntryLife.Phase
        let notBefore: Date?
        let isDelayedByServer: Bool

        /// The number of the collection.
        let collection: Int64

        /// The URL of the collection without its query.
        let url: String

        /// The user, followed by the segments of the item's path, parents first.
        let path: [String]

        /// The temporary ids that the write refers to.
        let references: Set<String>

        /// The number of the write's request, from the first attempt until the server's definite answer.
        let request: Int64?

        /// Whether to send the write alone, even if its collection sends batches.
        let isAlone: Bool

        init(
            number: Int64,
            row: Int64,
            operation: OutboxWrite.Operation,
            phase: EntryLife.Phase = .waiting,
            notBefore: Date? = nil,
            isDelayedByServer: Bool = false,
            user: String = "",
            collection: Int64 = 0,
            url: String,
            id: String,
            references: Set<String> = [],
            request: Int64? = nil,
            isAlone: Bool = false
        ) {
            (self.number, self.row, self.operation, self.phase) = (number, row, operation, phase)
            (self.notBefore, self.isDelayedByServer) = (notBefore, isDelayedByServer)
            (self.collection, self.url) = (collection, url)
            (self.references, self.request, self.isAlone) = (references, request, isAlone)
            path = [user] + url.split(separator: "/").map(String.init) + [PercentEncoding.encode(id)]
        }
    }

    /// The writes to send in one request: those of a request to repeat, or those that can form a new batch.
    private enum Group: Hashable {
        case known(Int64)
        case new(collection: Int64, url: String, OutboxWrite.Operation)
    }

    /// The entries, ordered by number.
    let entries: [Entry]

    /// Returns the numbers of the writes that can be sent, grouped by request.
    ///
    /// Writes of a request that may have reached the server stay in one request, because the server only recognizes an
    /// unchanged repetition.
    ///
    /// - Parameters:
    ///   - numbers: the writes that can be sent.
    ///   - size: the maximum number of writes in a new batch.
    ///   - isBatched: whether a write can be sent in a batch.
    /// - Returns: the numbers for each request.
    func requests(of numbers: [Int64], size: Int, isBatched: (Entry) -> Bool) -> [[Int64]] {
        let ready = Set(numbers)
        var requests: [[Int64]] = []
        // The requests that further writes can join.
        var open: [Group: Int] = [:]
        for entry in entries where ready.contains(entry.number) {
            var group: Group?
            if let request = entry.request {
                group = .known(request)
            } else if !entry.isAlone, isBatched(entry) {
                group = .new(collection: entry.collection, url: entry.url, entry.operation)
            }
            if let group, let index = open[group], entry.request != nil || requests[index].count < size {
                requests[index].append(entry.number)
                continue
            }
            if let group { open[group] = requests.count }
            requests.append([entry.number])
        }
        return requests
    }

    /// Returns the numbers of the writes that can be sent, in order.
    ///
    /// O(n) in the number of entries for flat paths; O(n · depth) for nested paths.
    ///
    /// - Parameters:
    ///   - now: the current date.
    ///   - isUrgent: whether to ignore delays that the server did not request.
    /// - Returns: the numbers, ascending.
    func ready(at now: Date, isUrgent: Bool = false) -> [Int64] {
        var ready: [Int64] = []
        var busyRows: Set<Int64> = []
        // The paths of items that earlier writes create or delete, and the parent paths of the items of all earlier
        // writes.
        var opened: Set<[String]> = []
        var touched: Set<[String]> = []
        for entry in entries {
            let isFree =
                !busyRows.contains(entry.row) && entry.references.isEmpty
                && !entry.parents.contains(where: opened.contains)
                && !(entry.operation == .delete && touched.contains(entry.path))
            if isFree, entry.isSendable, entry.isDue(at: now, isUrgent: isUrgent) { ready.append(entry.number) }
            busyRows.insert(entry.row)
            if entry.operation == .create || entry.operation == .delete { opened.insert(entry.path) }
            // A parent is deleted only after the writes below it.
            for parent in entry.parents { touched.insert(parent) }
        }
        return ready
    }

    /// Returns the earliest date at which a delayed write is due; nil if no write is delayed.
    func nextDate(after now: Date) -> Date? {
        entries.filter(\.isSendable).compactMap(\.notBefore).filter { $0 > now }.min()
    }
}

extension SendingOrder.Entry {
    /// The prefixes of the item's path.
    fileprivate var parents: [[String]] { path.indices.dropFirst().map { Array(path[..<$0]) } }

    fileprivate var isSendable: Bool { phase == .waiting }

    fileprivate func isDue(at now: Date, isUrgent: Bool) -> Bool {
        guard let notBefore, notBefore > now else { return true }
        return isUrgent && !isDelayedByServer
    }
}

extension Connection {
    /// Returns the sending order of the given users' pending writes.
    func sendingOrder(of users: Set<String>) throws(StoreError) -> SendingOrder {
        let entries = try query(
            """
            SELECT outbox.number, outbox.row, operation, state, not_before, is_delayed_by_server, "references", address,
                id, request, is_alone, user, outbox.collection, outbox.checksum IS \(try checksum(of: .outbox))
            FROM outbox JOIN collections ON collections.number = outbox.collection
                JOIN rows ON rows.number = outbox.row
            ORDER BY outbox.number
            """,
            []
        ) { (row) throws(StoreError) -> SendingOrder.Entry? in
            let entry = readIntact(.outbox, row) { (row) throws(StoreError) -> SendingOrder.Entry in
                try SendingOrder.Entry(row)
            }
            return users.contains(row.text(11) ?? "") ? entry : nil
        }
        return SendingOrder(entries: entries)
    }
}

extension SendingOrder.Entry {
    fileprivate init(_ row: borrowing Row) throws(StoreError) {
        guard let operation = row.text(2).flatMap(OutboxWrite.Operation.init),
            let phase = row.text(3).flatMap(EntryLife.Phase.init)
        else { throw .corrupt("the outbox has an unknown operation or state") }
        self.init(
            number: row.integer(0) ?? 0,
            row: row.integer(1) ?? 0,
            operation: operation,
            phase: phase,
            notBefore: row.real(4).map { Date(timeIntervalSince1970: $0) },
            isDelayedByServer: row.integer(5) == 1,
            user: row.text(11) ?? "",
            collection: row.integer(12) ?? 0,
            url: CollectionPlace.url(of: row.text(7) ?? ""),
            id: row.text(8) ?? "",
            references: try Set(stored: row.text(6) ?? "[]"),
            request: row.integer(9),
            isAlone: row.integer(10) == 1
        )
    }
}
