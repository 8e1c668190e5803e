import Waybill

/// The durations of the phases of an exchange (HAR 1.2, `timings`); nil for a phase that is unknown or did not happen.
struct RecordedTimings: Sendable, Hashable {
    /// The time before the request was sent, such as the wait for a permit, a credential or an earlier redirect.
    var blocked: Duration?
    var nameLookup: Duration?
    /// The time to connect, including TLS.
    var connect: Duration?
    var secure: Duration?
    /// The time from the request to the first byte of the response.
    var wait = Duration.zero
    var receive = Duration.zero

    /// The sum of the phases, excluding `secure`, which is part of `connect`.
    var total: Duration {
        [blocked, nameLookup, connect].reduce(wait + receive) { $0 + ($1 ?? .zero) }
    }

    /// Computes the phases of an exchange from its observed times, which are relative to the start of the call.
    ///
    /// - Parameters:
    ///   - start: the time at which the exchange began.
    ///   - head: the time at which the response head arrived; nil if there was no response.
    ///   - end: the time at which the exchange ended.
    ///   - transfers: the transfers of the exchange; nil if the call is not observed. The metrics of the last one take
    ///     precedence over the times, because they are more precise.
    init(from start: Duration, head: Duration?, to end: Duration, _ transfers: [RecordedCall.Transfer]?) {
        guard let transfer = transfers?.last else {
            let wait = max(.zero, (head ?? end) - start)
            // If an observed call has no transfer, no request was sent: a middleware responded or failed.
            if transfers == nil { self.wait = wait } else { blocked = wait }
            receive = max(.zero, end - (head ?? end))
            return
        }
        let metrics = transfer.metrics
        let sent = max(start, transfer.sent)
        blocked = sent - start
        nameLookup = metrics?.nameLookup
        let ready = metrics?.secure ?? metrics?.connect ?? metrics?.nameLookup ?? .zero
        if metrics?.connect != nil { connect = max(.zero, ready - (nameLookup ?? .zero)) }
        if let secure = metrics?.secure { self.secure = max(.zero, secure - (metrics?.connect ?? .zero)) }
        let firstByte = metrics?.firstByte ?? max(.zero, (transfer.head ?? head ?? end) - sent)
        wait = max(.zero, firstByte - ready)
        // Without a head, nothing was received.
        guard transfer.head ?? head != nil else { return }
        receive = max(.zero, (metrics?.total ?? (transfer.body ?? end) - sent) - firstByte)
    }

    /// The `timings` member: an unknown time is -1, and sending is not measured separately.
    var json: JSONValue {
        [
            "blocked": blocked?.milliseconds ?? -1,
            "dns": nameLookup?.milliseconds ?? -1,
            "connect": connect?.milliseconds ?? -1,
            "ssl": secure?.milliseconds ?? -1,
            "send": 0,
            "wait": wait.milliseconds,
            "receive": receive.milliseconds,
        ]
    }
}

extension Duration {
    /// The duration in milliseconds, as written to files: rounded to the microsecond.
    var milliseconds: JSONValue { JSONValue((self / .microseconds(1)).rounded() / 1000) }
}
