import Waybill
import WaybillSystem

/// The order in which pending writes may be sent: those of one item one after the other, those of different items at
/// the same time.
struct SendingOrder {
    /// A write as its order depends on it.
    struct Entry: Sendable {
        let number: Int64
        let row: Int64
        let operation: OutboxWrite.Operation
        let phase: EntryLife.Phase
        let notBefore: Date?
        let isDelayedByServer: Bool

        /// The number of the collection.
        let collection: Int64

        /// The URL of the collection, without its query.
        let url: String

        /// The user, and the segments of the item's path; those of its parents come first.
        let path: [String]

        /// The temporary ids that it refers to.
        let references: Set<String>

        /// The request that it is part of, from its first attempt until the server's definite answer.
        let request: Int64?

        /// Whether it is sent alone, although its collection has batches.
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

    /// Writes that are sent in one request: those of one that is repeated, or those that can become one.
    private enum Group: Hashable {
        case known(Int64)
        case new(collection: Int64, url: String, OutboxWrite.Operation)
    }

    /// The entries, in the order of their numbers.
    let entries: [Entry]

    /// Returns the numbers of the writes that may be sent, each with those that go with it in one request.
    ///
    /// Writes whose request may have reached the server stay one request: a server recognizes only the same one.
    ///
    /// - Parameters:
    ///   - numbers: the writes that may be sent.
    ///   - size: the most writes of a new batch.
    ///   - isBatched: whether a write can be sent with others.
    /// - Returns: the numbers of each request.
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

    /// Returns the numbers of the writes that may be sent, in their order.
    ///
    /// O(n) in the number of entries for flat paths; O(n · depth) for nested ones.
    ///
    /// - Parameters:
    ///   - now: the date.
    ///   - isUrgent: whether waits that the server has not asked for are passed over.
    /// - Returns: the numbers.
    func ready(at now: Date, isUrgent: Bool = false) -> [Int64] {
        var ready: [Int64] = []
        var busyRows: Set<Int64> = []
        // The paths of items that earlier writes create or delete, and of all that earlier writes concern.
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
            // A parent is deleted only after what was written below it.
            for parent in entry.parents { touched.insert(parent) }
        }
        return ready
    }

    /// The date of the next write that only time holds back; nil if there is no such write.
    func nextDate(after now: Date) -> Date? {
        entries.filter(\.isSendable).compactMap(\.notBefore).filter { $0 > now }.min()
    }
}

extension SendingOrder.Entry {
    /// The paths above the item's own.
    fileprivate var parents: [[String]] { path.indices.dropFirst().map { Array(path[..<$0]) } }

    fileprivate var isSendable: Bool { phase == .waiting }

    fileprivate func isDue(at now: Date, isUrgent: Bool) -> Bool {
        guard let notBefore, notBefore > now else { return true }
        return isUrgent && !isDelayedByServer
    }
}
