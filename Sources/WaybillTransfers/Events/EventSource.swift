import Waybill

/// The source of a stream's events across consecutive connections, used by one task at a time.
final class EventSource<Value: Decodable & Sendable>: Sendable {
    private struct State: Sendable {
        /// The connection; nil while a task is reading from it, and after the end of the stream.
        var connection: EventConnection?
        var isOver = false
        /// The number of events so far, including ignored ones.
        var count = 0
        var retry: Int?
        /// The most recent wait before reconnecting; nil before the first one.
        var fruitlessWait: Duration?
    }

    private static var maximumWait: Duration { .seconds(60) }
    /// The minimum wait after repeated failures, even if the server requests a shorter one.
    private static var shortestRepeatedWait: Duration { .seconds(1) }
    /// The minimum wait that a server can request; a shorter one would send the credential too often.
    private static var shortestTime: Duration { .milliseconds(100) }
    private static var longestTime: Duration { .seconds(300) }

    /// The number of bytes of data to decode ahead of the reader.
    private static var byteCountAhead: Int { 64 * 1024 }

    let decoded = DecodedElements<Events<Value>.Event>()
    let dropped = DroppedItemLog()
    private let endpoint: Endpoint<Events<Value>>
    private let plan: Call.Plan
    private let reader: EventReader<Value>
    private let state: Locked<State>

    init(endpoint: Endpoint<Events<Value>>, plan: Call.Plan, _ connection: EventConnection) {
        self.endpoint = endpoint
        self.plan = plan
        reader = EventReader(plan: plan)
        state = Locked(State(connection: connection))
    }

    /// Returns the next event; nil at the end of the stream.
    func next() async throws(APIError) -> Events<Value>.Event? {
        if let event = decoded.next() { return event }
        let (connection, isOver) = state.withLock { state in (state.connection.take(), state.isOver) }
        guard !isOver else { return nil }
        guard var connection else {
            throw .transport(
                APIError.TransportFailure(
                    call: plan.failedCall(),
                    error: TransportError(.other, "another task is reading the stream")
                )
            )
        }
        do throws(APIError) {
            while true {
                if let failure = connection.failure {
                    await connection.body?.fail(failure)
                    throw failure
                }
                guard !connection.isAtEnd else { break }
                if decode(connection) {
                    guard let event = decoded.next() else { continue }
                    state.withLock { $0.connection = connection }
                    return event
                }
                guard connection.failure == nil, !connection.isAtEnd else { continue }
                if try await read(connection) { continue }
                guard let wait = reconnectionTime else {
                    try await checkEnd(of: connection)
                    break
                }
                await connection.body?.finish()
                guard let next = try await reconnected(after: connection, wait) else { break }
                connection = next
            }
            await connection.body?.finish()
            state.withLock { $0.isOver = true }
            return nil
        } catch {
            state.withLock { $0.isOver = true }
            throw error
        }
    }

    /// Reads more bytes from a connection; returns false at its end, or after a failure that permits reconnecting.
    private func read(_ connection: EventConnection) async throws(APIError) -> Bool {
        do throws(APIError) {
            return try await connection.read()
        } catch {
            guard reconnectionTime != nil, isTransient(error) else { throw error }
            return false
        }
    }

    /// Whether a new connection may succeed after an error.
    private func isTransient(_ error: APIError) -> Bool {
        // No call can start after the enclosing deadline.
        guard TaskContext.current.deadline.map({ $0.remaining() > .zero }) ?? true else { return false }
        return error.allowsReconnection
    }

    /// Checks that the last connection did not end before the declared end event.
    ///
    /// - Throws: `APIError.decoding` if the end event is missing.
    private func checkEnd(of connection: EventConnection) async throws(APIError) {
        let isWithinEvent = connection.parser.isWithinEvent
        guard let body = connection.body,
            let failure = reader.missingEnd(of: connection.reply(of: plan), isWithinEvent: isWithinEvent)
        else { return }
        await body.fail(failure)
        throw failure
    }

    /// Decodes the received events, and returns whether there were any.
    ///
    /// Events are decoded in batches, because returning each one separately takes longer than decoding it.
    private func decode(_ connection: EventConnection) -> Bool {
        let first = state.withLock { $0.count }
        let (isFilled, index) = decoded.refill { events in
            var (index, byteCount) = (first, 0)
            while !connection.isAtEnd, events.isEmpty || byteCount < Self.byteCountAhead,
                let message = connection.parser.next()
            {
                connection.isAtEnd = reader.isEnd(message)
                guard reader.isReturned(message) else { continue }
                defer { index += 1 }
                byteCount += message.data.count
                do throws(APIError) {
                    switch try reader.event(message, at: index, of: connection.reply(of: plan)) {
                    case .success(let event)?: events.append(event)
                    case .failure(let item)?: dropped.add { item }
                    case nil: break
                    }
                } catch {
                    connection.failure = error
                    break
                }
            }
            return (!events.isEmpty, index)
        }
        state.withLock { $0.count = index }
        return isFilled
    }

    /// The declared time before reconnecting; nil if the stream does not reconnect.
    private var reconnectionTime: Duration? {
        if let declared = plan.settings[Events<Never>.Reconnection.self] { return declared.wait }
        return plan.method == .get ? Events<Never>.Reconnection.defaultWait : nil
    }

    /// Reconnects, repeatedly if necessary; returns nil if the server has no more events.
    private func reconnected(
        after connection: EventConnection,
        _ time: Duration
    ) async throws(APIError) -> EventConnection? {
        guard connection.body != nil else { return nil }
        let lastID = connection.parser.lastID
        let lasted = endpoint.client.context.time.now - connection.start
        var wait = state.withLock { state in
            state.retry = connection.parser.retry ?? state.retry
            let time = state.retry.map { min(max(.milliseconds($0), Self.shortestTime), Self.longestTime) } ?? time
            // A connection that lasted longer than the wait is not a failure: a proxy may have closed it as idle.
            let isFruitless = connection.parser.eventCount == 0 && lasted < max(time, Self.shortestRepeatedWait)
            return isFruitless ? state.fruitlessWait.map(Self.longer) ?? time : time
        }
        while true {
            state.withLock { $0.fruitlessWait = wait }
            try await sleep(wait)
            let again = endpoint.with { if !lastID.isEmpty { Header("Last-Event-ID", lastID) } }
            do throws(APIError) {
                let next = try await EventConnection(endpoint.client.open(again.planForCall()), lastID: lastID)
                return next.body == nil ? nil : next
            } catch {
                guard isTransient(error) else { throw error }
                wait = Self.longer(wait)
            }
        }
    }

    /// Returns the wait after a connection that failed or delivered no events, given the previous wait.
    private static func longer(_ wait: Duration) -> Duration {
        max(wait, min(max(wait * 2, shortestRepeatedWait), maximumWait))
    }

    private func sleep(_ time: Duration) async throws(APIError) {
        do {
            try await endpoint.client.context.time.sleep(for: time)
        } catch {
            throw .cancelled(APIError.CancelledFailure(call: plan.failedCall()))
        }
    }
}

extension EventConnection {
    /// Returns the head of the response, without its body.
    func reply(of plan: Call.Plan) -> Reply {
        guard let body else { return Reply(status: 204, headerFields: [], url: plan.url, body: .init()) }
        var response = body.response
        response.body = HTTPBody()
        return Reply(response, of: plan)
    }
}
