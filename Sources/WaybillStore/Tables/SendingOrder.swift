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

        /// The segments of the item's path; those of its parents come first.
        let path: [String]

        /// The temporary ids that it refers to.
        let references: Set<String>
    }

    /// The entries, in the order of their numbers.
    let entries: [Entry]

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
