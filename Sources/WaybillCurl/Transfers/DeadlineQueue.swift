#if os(Linux)
    import WaybillHTTP
    import WaybillTransports

    /// A queue of elements with the same time limit, in which elements expire in the order in which they were added.
    ///
    /// The cost of adding, removing and expiring an element is independent of the number of elements.
    struct DeadlineQueue<Element> {
        /// The position of an element in the queue.
        typealias Ticket = FIFOQueue<(end: ContinuousTime, element: Element)>.Ticket

        private let limit: Duration?
        private var queue = FIFOQueue<(end: ContinuousTime, element: Element)>()

        /// Creates an empty queue.
        ///
        /// - Parameter limit: the time limit; nil for none, in which case the queue stays empty.
        init(_ limit: Duration?) { self.limit = limit }

        /// The time at which the next element expires; `never` if the queue is empty.
        var next: ContinuousTime { queue.first?.end ?? .never }

        /// Adds an element whose time starts now.
        ///
        /// - Parameters:
        ///   - element: the element.
        ///   - now: the current time.
        /// - Returns: the element's position; nil if it never expires.
        mutating func append(_ element: Element, at now: ContinuousTime) -> Ticket? {
            let end = now.after(limit)
            guard end != .never else { return nil }
            return queue.append((end, element))
        }

        /// Removes the element at the given position, if it is still in the queue.
        mutating func remove(_ ticket: Ticket) { queue.remove(ticket) }

        /// Removes and returns the first expired element; returns nil if no element has expired.
        mutating func popExpired(at now: ContinuousTime) -> Element? { next <= now ? queue.popFirst()?.element : nil }
    }
#endif
