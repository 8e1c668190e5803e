/// The state of an outbox entry, with all transitions to the next states.
///
/// The tests search all reachable states, and `Architecture.md` lists them.
struct DeliveryState: Hashable, Sendable {
    enum Phase: String, Sendable, CaseIterable {
        /// Waiting for the first or next attempt.
        case waiting
        /// Being sent.
        case sending
        /// Possibly applied; the user must decide whether to send it again.
        case unknown
        /// Not applied, usually because the server rejected it.
        case parked
        /// In conflict with a different version on the server; the user must decide.
        case conflict
    }

    var phase: Phase

    /// Whether an attempt has an unknown outcome: the server may have applied it, even if it rejects later attempts.
    var isPossiblyApplied = false
}

extension DeliveryState {
    /// The traits of a request that determine whether it can be sent again.
    struct RequestTraits: Hashable, Sendable {
        /// Whether a repeated request takes effect only once, because of its method, an idempotency key or a condition.
        var isRepeatable: Bool

        /// Whether the server recognizes repetitions by an idempotency key.
        var hasKey: Bool

        /// Whether the request creates an item.
        var isCreation: Bool

        /// Whether so many responses were inconclusive that the user must decide.
        var isExhausted = false
    }

    /// The server's response to a request, or the lack of one.
    enum Reply: String, Sendable, CaseIterable {
        /// The write was applied.
        case applied
        /// The item to delete does not exist.
        case gone
        /// The request did not reach the server.
        case notSent
        /// There was no response.
        case lost
        /// The response is a success with unusable content.
        case unreadable
        /// 408, 425, 429, 503, 507: the request can be repeated later.
        case later
        /// 401, or a missing credential.
        case unauthorized
        /// 409: the server has a different version, or is still processing a request with the same key.
        case conflicting
        /// 412 or 428, or 404 or 410 for a change: the server has a different version, or no longer has the item.
        case stale
        /// Any other 4xx, or a 5xx for a request that the server can never handle.
        case rejected
        /// Any other 5xx.
        case failed

        /// Whether the response does not reveal the outcome of an earlier attempt.
        var isInconclusive: Bool {
            switch self {
            case .conflicting, .rejected, .failed: true
            default: false
            }
        }
    }

    /// The consequence of a reply for an entry.
    enum Consequence: Hashable, Sendable {
        /// The entry is removed from the outbox.
        case done
        /// The server's version is read, and the conflict rule is applied.
        case compares
        /// The entry stays in the outbox, in the given state.
        case becomes(DeliveryState)
    }

    /// Returns the consequence of a reply for an entry that is being sent.
    ///
    /// If an attempt may have been applied, only a conclusive response determines its outcome. A repetition with the
    /// same key yields the result of the first attempt (draft-ietf-httpapi-idempotency-key-header-07, section 2.6). A
    /// rejection before the server checks the key, for example by a firewall or a rate limiter, is not that result.
    ///
    /// - Parameters:
    ///   - reply: the server's response, or the lack of one.
    ///   - request: the traits of the request.
    /// - Returns: the consequence for the entry.
    func consequence(of reply: Reply, to request: RequestTraits) -> Consequence {
        let waits = Consequence.becomes(.init(phase: .waiting, isPossiblyApplied: isPossiblyApplied))
        let unknown = Consequence.becomes(.init(phase: .unknown, isPossiblyApplied: true))
        let mayRepeat = Consequence.becomes(.init(phase: .waiting, isPossiblyApplied: true))
        switch reply {
        case .applied, .gone: return .done
        case .notSent, .later, .unauthorized: return waits
        case .lost: return request.isRepeatable ? mayRepeat : unknown
        case .unreadable: return unknown
        case .stale: return .compares
        case .failed: return request.isRepeatable && !request.isExhausted ? mayRepeat : unknown
        case .conflicting where !isPossiblyApplied || !request.hasKey:
            return request.isCreation ? rejected(request) : .compares
        case .conflicting, .rejected: return rejected(request)
        }
    }

    private func rejected(_ request: RequestTraits) -> Consequence {
        guard isPossiblyApplied else { return .becomes(.init(phase: .parked)) }
        return .becomes(.init(phase: request.isExhausted ? .unknown : .waiting, isPossiblyApplied: true))
    }

    /// Returns the state after claiming an entry for sending: `sending`, or `unknown` if the write could take effect
    /// twice.
    func claimed(_ request: RequestTraits) -> DeliveryState {
        guard isPossiblyApplied, !request.isRepeatable else {
            return DeliveryState(phase: .sending, isPossiblyApplied: isPossiblyApplied)
        }
        return DeliveryState(phase: .unknown, isPossiblyApplied: true)
    }

    /// The state after a restart of the app; a request in flight may have been applied.
    var restarted: DeliveryState { phase == .sending ? DeliveryState(phase: .waiting, isPossiblyApplied: true) : self }

    /// Returns the state after the user requests another attempt; nil if the entry is being sent.
    ///
    /// An attempt that may have been applied is repeated unchanged if a repetition takes effect only once. Otherwise,
    /// the user has accepted that the write may take effect twice.
    ///
    /// - Parameter request: the traits of the request.
    /// - Returns: the state; nil if the entry is being sent.
    func retried(_ request: RequestTraits) -> DeliveryState? {
        guard phase != .sending else { return nil }
        return DeliveryState(phase: .waiting, isPossiblyApplied: isPossiblyApplied && request.isRepeatable)
    }

    /// Whether the entry can be combined with a later change to the item, because it cannot have been applied.
    var isCombinable: Bool { !isPossiblyApplied && (phase == .waiting || phase == .parked) }

    /// Whether a version fetched from the server is compared with the entry immediately.
    ///
    /// If an attempt may have been applied, that version may be the result of the attempt.
    var comparesServerVersions: Bool { !isPossiblyApplied && phase != .sending }

    /// Whether the entry is removed once the server's version of the item reflects it.
    var endsIfReflected: Bool { isPossiblyApplied && phase != .sending }

    /// Whether the outcome can still become known without a decision by the user.
    var awaitsResult: Bool { phase == .sending || (phase == .waiting && isPossiblyApplied) }

    /// Whether the user must decide about the entry.
    var needsAttention: Bool { phase == .unknown || phase == .parked || phase == .conflict }
}
