#if os(Linux)
    import WaybillHTTP

    /// A scheduler that limits the requests in flight to each origin and assigns them to the loops of a transport.
    ///
    /// A request is assigned to a loop with an idle connection to its origin, otherwise to the first loop that is not
    /// busy, or to the one with the fewest requests if all are busy. Few requests stay on one loop, whose turns then
    /// perform several commands at once: for 4 concurrent calls, two loops need a fifth more processor time than one,
    /// but for 32, they serve a third more calls. Requests to an origin over TLS stay on one loop until a response
    /// shows that its server does not support HTTP/2: over HTTP/2, they share a connection, which belongs to one loop.
    struct TransferScheduler<Element> {
        /// The position of an element in an origin's queue.
        typealias Ticket = FIFOQueue<Element>.Ticket

        /// An origin with requests or connections.
        final class Origin {
            fileprivate struct Load {
                var inFlight = 0
                /// The number of requests in flight that found no idle connection and have not opened one yet.
                var unconnected = 0
                var connections = 0

                var idle: Int { connections - (inFlight - unconnected) }
            }

            let name: String
            fileprivate var inFlight = 0
            fileprivate var queue = FIFOQueue<Element>()
            fileprivate var loads: [Load]
            /// Whether requests to the origin may share connections.
            fileprivate var isMultiplexed: Bool

            fileprivate init(name: String, isMultiplexed: Bool, loopCount: Int) {
                self.name = name
                self.isMultiplexed = isMultiplexed
                loads = Array(repeating: Load(), count: loopCount)
            }
        }

        /// The slot of an admitted element.
        struct Slot {
            let origin: Origin
            /// The index of the loop.
            let loop: Int
            /// Whether the element has neither found an idle connection nor opened one.
            var isUnconnected: Bool
        }

        /// The result of requesting a slot.
        enum Admission {
            case admitted(Slot)
            case queued(Origin, Ticket)
        }

        private let limit: Int
        private let busyLoad: Int
        private let idleConnections: Int
        private var origins: [String: Origin] = [:]
        /// The numbers of requests in flight and of open connections of each loop.
        private var loads: [(inFlight: Int, connections: Int)]

        /// Creates a scheduler.
        ///
        /// - Parameters:
        ///   - limit: the maximum number of elements in flight to an origin; at least one.
        ///   - loopCount: the number of loops; at least one.
        ///   - busyLoad: the number of elements in flight at which a loop is considered busy.
        ///   - idleConnections: the number of idle connections kept by each loop; a loop with this many open
        ///     connections is considered busy.
        init(limit: Int, loopCount: Int, busyLoad: Int, idleConnections: Int = .max) {
            self.limit = max(1, limit)
            self.busyLoad = busyLoad
            self.idleConnections = idleConnections
            loads = Array(repeating: (0, 0), count: max(1, loopCount))
        }

        /// Admits an element, or adds it to the queue of its origin.
        ///
        /// - Parameters:
        ///   - element: the element.
        ///   - name: the name of the origin.
        ///   - mayShareConnections: whether requests to the origin may share connections.
        /// - Returns: the slot of the element, or its position in the queue.
        mutating func enter(_ element: Element, at name: String, mayShareConnections: Bool) -> Admission {
            let origin = origins[name] ?? add(name, isMultiplexed: mayShareConnections)
            guard origin.inFlight < limit else { return .queued(origin, origin.queue.append(element)) }
            origin.inFlight += 1
            return .admitted(slot(at: origin))
        }

        /// Removes an admitted element.
        ///
        /// - Parameter slot: the slot of the element.
        /// - Returns: the queued element admitted in its place, with its slot; nil if the queue is empty.
        mutating func leave(_ slot: Slot) -> (Element, Slot)? {
            let origin = slot.origin
            loads[slot.loop].inFlight -= 1
            origin.loads[slot.loop].inFlight -= 1
            if slot.isUnconnected { origin.loads[slot.loop].unconnected -= 1 }
            if let next = origin.queue.popFirst() { return (next, self.slot(at: origin)) }
            origin.inFlight -= 1
            removeIfUnused(origin)
            return nil
        }

        /// Removes an element from an origin's queue.
        mutating func abandon(_ ticket: Ticket, at origin: Origin) { origin.queue.remove(ticket) }

        /// Records whether requests to an origin share connections, according to a response.
        mutating func setMultiplexed(_ isMultiplexed: Bool, at origin: Origin) { origin.isMultiplexed = isMultiplexed }

        /// Records that an admitted element has a connection.
        mutating func connect(_ slot: inout Slot) {
            guard slot.isUnconnected else { return }
            slot.isUnconnected = false
            slot.origin.loads[slot.loop].unconnected -= 1
        }

        /// Records a new connection from a loop to an origin.
        mutating func open(_ origin: Origin, loop: Int) {
            origin.loads[loop].connections += 1
            loads[loop].connections += 1
        }

        /// Records that a loop's connection to an origin has closed.
        mutating func close(_ origin: Origin, loop: Int) {
            origin.loads[loop].connections -= 1
            loads[loop].connections -= 1
            removeIfUnused(origin)
        }

        /// The number of origins that have requests or connections.
        var originCount: Int { origins.count }

        private mutating func add(_ name: String, isMultiplexed: Bool) -> Origin {
            let origin = Origin(name: name, isMultiplexed: isMultiplexed, loopCount: loads.count)
            origins[name] = origin
            return origin
        }

        private mutating func removeIfUnused(_ origin: Origin) {
            guard origin.inFlight == 0, origin.loads.allSatisfy({ $0.connections == 0 }) else { return }
            origins[origin.name] = nil
        }

        private mutating func slot(at origin: Origin) -> Slot {
            let loop = loads.count == 1 ? 0 : bestLoop(for: origin)
            let isUnconnected = origin.loads[loop].idle <= 0
            loads[loop].inFlight += 1
            origin.loads[loop].inFlight += 1
            if isUnconnected { origin.loads[loop].unconnected += 1 }
            return Slot(origin: origin, loop: loop, isUnconnected: isUnconnected)
        }

        private func isBusy(_ loop: Int) -> Bool {
            loads[loop].inFlight >= busyLoad || loads[loop].connections >= idleConnections
        }

        private func bestLoop(for origin: Origin) -> Int {
            let isPreferred: (Origin.Load) -> Bool =
                origin.isMultiplexed ? { $0.inFlight + $0.connections > 0 } : { $0.idle > 0 }
            var best = 0
            for index in loads.indices.dropFirst() {
                let (isBetter, isAsGood) = (isPreferred(origin.loads[index]), isPreferred(origin.loads[best]))
                if isBetter != isAsGood {
                    if isBetter { best = index }
                } else if isBusy(best), loads[index] < loads[best] {
                    best = index
                }
            }
            return best
        }
    }
#endif
