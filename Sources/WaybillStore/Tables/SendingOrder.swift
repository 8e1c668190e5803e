import Waybill
import WaybillSystem

/// The order of pending writes: sequential for the same item, parallel for different items.
struct SendingOrder {
    /// The properties of a write that determine when it can be sent.
    struct Entry: Sendable {
        let number: Int64
        let row: Int64
        let operation: OutboxWrite.Operation
        let phase: DeliveryState.Phase
        let notBefore: Date?
        let isDelayedByServer: Bool

        /// The number of the collection.
        let collection: Int64

        /// The URL of the collection, without its query.
        let url: String

        /// The id of the user, followed by the segments of the item's path.
        let path: [String]

        /// The temporary ids of other items in the path or the content of the write.
        let references: Set<String>

        /// The number of the write's request, from the first attempt until a conclusive response; nil otherwise.
        let request: Int64?

        /// Whether to send the write in a separate request, even if its collection supports batches.
        let isAlone: Bool

        init(
            number: Int64,
            row: Int64,
            operation: OutboxWrite.Operation,
            phase: DeliveryState.Phase = .waiting,
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

    /// The identity of a request: one to repeat, or a new batch.
    private enum Group: Hashable {
        case repetition(Int64)
        case new(collection: Int64, url: String, OutboxWrite.Operation)
    }

    /// The entries, ordered by number.
    let entries: [Entry]

    /// Groups writes into requests.
    ///
    /// Writes of a request that may have reached the server stay in one request, because the server recognizes only
    /// unchanged repetitions.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the writes to send.
    ///   - size: the maximum number of writes in a new batch.
    ///   - isBatched: whether a write can be sent in a batch.
    /// - Returns: the numbers of the writes in each request.
    func requests(of numbers: [Int64], size: Int, isBatched: (Entry) -> Bool) -> [[Int64]] {
        let ready = Set(numbers)
        var requests: [[Int64]] = []
        // The index of the request to which to add further writes of a group.
        var open: [Group: Int] = [:]
        for entry in entries where ready.contains(entry.number) {
            var group: Group?
            if let request = entry.request {
                group = .repetition(request)
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

    /// Returns the numbers of the writes that can be sent now, in ascending order.
    ///
    /// The complexity is O(n) in the number of entries for flat paths, and O(n · depth) for nested paths.
    ///
    /// - Parameters:
    ///   - now: the current date.
    ///   - ignoresBackoff: whether to ignore delays other than those requested by servers.
    /// - Returns: the numbers.
    func ready(at now: Date, ignoringBackoff ignoresBackoff: Bool = false) -> [Int64] {
        var ready: [Int64] = []
        var busyRows: Set<Int64> = []
        // The paths of items created or deleted by earlier writes, and the parents of the items of all earlier writes.
        var createdOrDeleted: Set<[String]> = []
        var parentsInUse: Set<[String]> = []
        for entry in entries {
            let isBlocked =
                busyRows.contains(entry.row) || !entry.references.isEmpty
                || entry.parents.contains(where: createdOrDeleted.contains)
                || (entry.operation == .delete && parentsInUse.contains(entry.path))
            if !isBlocked, entry.isSendable, entry.isDue(at: now, ignoringBackoff: ignoresBackoff) {
                ready.append(entry.number)
            }
            busyRows.insert(entry.row)
            if entry.operation == .create || entry.operation == .delete { createdOrDeleted.insert(entry.path) }
            // Delete a parent only after the writes below it.
            for parent in entry.parents { parentsInUse.insert(parent) }
        }
        return ready
    }

    /// Returns the earliest due date of a delayed write; nil if no write is delayed.
    func nextDate(after now: Date) -> Date? {
        entries.filter(\.isSendable).compactMap(\.notBefore).filter { $0 > now }.min()
    }
}

extension SendingOrder.Entry {
    /// The proper prefixes of the item's path.
    fileprivate var parents: [[String]] { path.indices.dropFirst().map { Array(path[..<$0]) } }

    fileprivate var isSendable: Bool { phase == .waiting }

    fileprivate func isDue(at now: Date, ignoringBackoff ignoresBackoff: Bool) -> Bool {
        guard let notBefore, notBefore > now else { return true }
        return ignoresBackoff && !isDelayedByServer
    }
}

extension Connection {
    /// Returns the sending order of the pending writes of given users.
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
            let phase = row.text(3).flatMap(DeliveryState.Phase.init)
        else { throw .corrupt("an outbox entry has an unknown operation or state") }
        self.init(
            number: row.integer(0) ?? 0,
            row: row.integer(1) ?? 0,
            operation: operation,
            phase: phase,
            notBefore: row.real(4).map { Date(timeIntervalSince1970: $0) },
            isDelayedByServer: row.integer(5) == 1,
            user: row.text(11) ?? "",
            collection: row.integer(12) ?? 0,
            url: CollectionRecord.url(of: row.text(7) ?? ""),
            id: row.text(8) ?? "",
            references: try Set(stored: row.text(6) ?? "[]"),
            request: row.integer(9),
            isAlone: row.integer(10) == 1
        )
    }
}
