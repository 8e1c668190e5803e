import Waybill

/// The durations of the phases of an exchange (HAR 1.2, `timings`), nil for one that is unknown or did not happen.
struct RecordedTimings: Sendable, Hashable {
    /// The time before the request was sent: for a permit, a credential, an earlier redirect.
    var blocked: Duration?
    var nameLookup: Duration?
    /// The time for the connection, TLS included.
    var connect: Duration?
    var secure: Duration?
    /// The time from the request to the first byte of the response.
    var wait = Duration.zero
    var receive = Duration.zero

    /// The sum of the phases.
    var total: Duration {
        [blocked, nameLookup, connect].reduce(wait + receive) { $0 + ($1 ?? .zero) }
    }

    /// Determines the phases of an exchange from what was observed of it.
    ///
    /// - Parameters:
    ///   - start: the moment at which the exchange began; moments are counted from the beginning of the call.
    ///   - head: the moment at which the head of the response came; nil without a response.
    ///   - end: the moment at which the exchange ended.
    ///   - transfers: the transfers of the exchange; nil if the call is not observed. The metrics of the last one are
    ///     more exact than moments.
    init(from start: Duration, head: Duration?, to end: Duration, _ transfers: [RecordedCall.Transfer]?) {
        guard let transfer = transfers?.last else {
            let wait = max(.zero, (head ?? end) - start)
            // Of a call that is observed, a request was not sent: a middleware has answered or rejected it.
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
        // Without a head nothing was received.
        guard transfer.head ?? head != nil else { return }
        receive = max(.zero, (metrics?.total ?? (transfer.body ?? end) - sent) - firstByte)
    }

    /// The member of the file: an unknown time is -1, and the time of sending is not measured apart.
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
    /// The milliseconds as a file has them, down to the microsecond.
    var milliseconds: JSONValue { JSONValue((self / .microseconds(1)).rounded() / 1000) }
}
