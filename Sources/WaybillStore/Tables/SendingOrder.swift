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
        let state: OutboxWrite.State
        let notBefore: Date?
        let isDelayedByServer: Bool

        /// The URL of the collection.
        let url: String

        /// The segments of the item's path; those of its parents come first.
        let path: [String]

        /// The temporary ids that it refers to.
        let references: Set<String>

        /// Whether it has not been sent.
        let isNew: Bool

        /// The batch in which it was sent, as `OutboxWrite` has it.
        let batch: Int64?

        init(
            number: Int64,
            row: Int64,
            operation: OutboxWrite.Operation,
            state: OutboxWrite.State = .waiting,
            notBefore: Date? = nil,
            isDelayedByServer: Bool = false,
            url: String,
            id: String,
            references: Set<String> = [],
            isNew: Bool = true,
            batch: Int64? = nil
        ) {
            (self.number, self.row, self.operation, self.state) = (number, row, operation, state)
            (self.notBefore, self.isDelayedByServer) = (notBefore, isDelayedByServer)
            (self.url, self.references, self.isNew, self.batch) = (url, references, isNew, batch)
            path = url.split(separator: "/").map(String.init) + [PercentEncoding.encode(id)]
        }
    }

    /// Writes that are sent in one request: those of one batch, or those that can become one.
    private enum Group: Hashable {
        case batch(Int64)
        case new(url: String, OutboxWrite.Operation)
    }

    /// The entries, in the order of their numbers.
    let entries: [Entry]

    /// Returns the numbers of the writes that may be sent, each with those that go with it in one request.
    ///
    /// Writes that were sent as a batch stay one: a server knows a repetition only as a whole.
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
            if let batch = entry.batch {
                group = batch > 0 ? .batch(batch) : nil
            } else if entry.isNew, isBatched(entry) {
                group = .new(url: entry.url, entry.operation)
            }
            if let group, let index = open[group], entry.batch != nil || requests[index].count < size {
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

    fileprivate var isSendable: Bool { state == .waiting || state == .interrupted }

    fileprivate func isDue(at now: Date, isUrgent: Bool) -> Bool {
        guard let notBefore, notBefore > now else { return true }
        return isUrgent && !isDelayedByServer
    }
}
