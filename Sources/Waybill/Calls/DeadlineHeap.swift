/// The moments of deadlines with their numbers, the earliest first: a binary heap.
struct DeadlineHeap: Sendable {
    /// A deadline.
    struct Element: Sendable {
        let moment: Duration
        let number: Int
    }

    private var elements: [Element] = []

    /// The number of deadlines.
    var count: Int { elements.count }

    /// The earliest deadline; nil if the heap is empty.
    var first: Element? { elements.first }

    /// Adds a deadline, in O(log n).
    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child].moment < elements[parent].moment else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the earliest deadline, in O(log n).
    mutating func removeFirst() {
        guard let last = elements.popLast(), !elements.isEmpty else { return }
        elements[0] = last
        var parent = 0
        while true {
            var earliest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < elements.count {
                if elements[child].moment < elements[earliest].moment { earliest = child }
            }
            guard earliest != parent else { return }
            elements.swapAt(parent, earliest)
            parent = earliest
        }
    }

    /// Removes the deadlines whose numbers are not wanted, in O(n log n).
    mutating func removeAll(except isWanted: (Int) -> Bool) {
        // A sorted array is a heap.
        elements = elements.filter { isWanted($0.number) }.sorted { $0.moment < $1.moment }
    }
}
