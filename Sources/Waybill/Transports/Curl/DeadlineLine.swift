#if os(Linux)
    /// Elements that may all stay for the same time, so that the time of the one that came first is over first.
    ///
    /// Adding one, taking one out and looking whose time is over costs the same however many there are.
    struct DeadlineLine<Element> {
        /// A place in the line.
        typealias Ticket = WaitingLine<(end: ContinuousTime, element: Element)>.Ticket

        private let time: Duration?
        private var line = WaitingLine<(end: ContinuousTime, element: Element)>()

        /// Creates an empty line.
        ///
        /// - Parameter time: how long elements may stay; nil where they may for any time, and none is kept.
        init(_ time: Duration?) { self.time = time }

        /// When the next time is over; never where there is none.
        var next: ContinuousTime { line.first?.end ?? .never }

        /// Adds an element, whose time begins now.
        ///
        /// - Returns: its place; nil where its time is never over.
        mutating func append(_ element: Element, at now: ContinuousTime) -> Ticket? {
            let end = now.after(time)
            guard end != .never else { return nil }
            return line.append((end, element))
        }

        /// Takes out the one at a place, if it is still there.
        mutating func remove(_ ticket: Ticket) { line.remove(ticket) }

        /// Takes out the one that came first of those whose time is over; nil where there is none.
        mutating func popOverdue(at now: ContinuousTime) -> Element? { next <= now ? line.popFirst()?.element : nil }
    }
#endif
