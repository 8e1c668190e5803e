/// The state of an outbox entry in its life cycle, and the transitions to the next states.
///
/// The outbox uses no other transitions, the tests search all reachable states, and `Architecture.md` lists them.
struct EntryLife: Hashable, Sendable {
    enum Phase: String, Sendable, CaseIterable {
        /// Waiting for its first or next attempt.
        case waiting
        /// Being sent.
        case sending
        /// Possibly applied; a person decides whether to send it again.
        case unknown
        /// Rejected by the server, and not applied.
        case parked
        /// In conflict with a different version on the server; a person decides.
        case conflict
    }

    var phase: Phase

    /// Whether an attempt has an unknown outcome: the server may have applied it, regardless of its later answers.
    var isPossiblyApplied = false
}

extension EntryLife {
    /// The facts about a request that determine whether it can be sent again.
    struct Request: Hashable, Sendable {
        /// Whether repeating the request takes effect only once, because of the method, an idempotency key or a
        /// condition.
        var isRepeatable: Bool

        /// Whether the server recognizes a repetition by an idempotency key.
        var hasKey: Bool

        /// Whether the request creates an item.
        var isCreation: Bool

        /// Whether the server has given so many inconclusive answers that a person must decide.
        var isExhausted = false
    }

    /// The server's answer to a request, or the lack of one.
    enum Reply: String, Sendable, CaseIterable {
        /// The write was applied.
        case applied
        /// The item to delete does not exist.
        case gone
        /// The request did not reach the server.
        case notSent
        /// There was no response.
        case lost
        /// The response is a success whose content cannot be used.
        case unreadable
        /// 408, 425, 429, 503, 507: the server asks for a later attempt.
        case later
        /// 401, or there is no credential.
        case unauthorized
        /// 409: the server has a different version, or is still processing the same key.
        case conflicting
        /// 412 or 428, or 404 or 410 for a change: the server has a different version, or no longer has the item.
        case stale
        /// Any other 4xx, or a 5xx that means that the server cannot handle the request at all.
        case rejected
        /// Any other 5xx.
        case failed

        /// Whether the server answered without revealing the outcome of an earlier attempt.
        var isInconclusive: Bool {
            switch self {
            case .conflicting, .rejected, .failed: true
            default: false
            }
        }
    }

    /// The consequence of a reply for an entry.
    enum Consequence: Hashable, Sendable {
        /// The entry leaves the outbox.
        case done
        /// The server's version is read, and the conflict rule is applied.
        case compares
        /// The entry stays in the outbox, in this state.
        case becomes(EntryLife)
    }

    /// Returns the consequence of a reply to an entry that is being sent.
    ///
    /// If an attempt may have been applied, only a definite answer resolves its outcome. A repetition with the same key
    /// yields the result of the first attempt (draft-ietf-httpapi-idempotency-key-header-07, section 2.6), but a
    /// rejection before the server checks the key, such as by a firewall, a missing permission or a limit, is not that
    /// result.
    ///
    /// - Parameters:
    ///   - reply: the server's answer, or the lack of one.
    ///   - request: the facts about the request.
    /// - Returns: the consequence for the entry.
    func after(_ reply: Reply, to request: Request) -> Consequence {
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
            return request.isCreation ? rejected(by: request) : .compares
        case .conflicting, .rejected: return rejected(by: request)
        }
    }

    private func rejected(by request: Request) -> Consequence {
        guard isPossiblyApplied else { return .becomes(.init(phase: .parked)) }
        return .becomes(.init(phase: request.isExhausted ? .unknown : .waiting, isPossiblyApplied: true))
    }

    /// Returns the state of an entry to be sent: `sending`, or `unknown` if a repetition could take effect twice.
    func claimed(_ request: Request) -> EntryLife {
        guard isPossiblyApplied, !request.isRepeatable else {
            return EntryLife(phase: .sending, isPossiblyApplied: isPossiblyApplied)
        }
        return EntryLife(phase: .unknown, isPossiblyApplied: true)
    }

    /// The state after a restart of the program: a request that was being sent may have been applied.
    var restarted: EntryLife { phase == .sending ? EntryLife(phase: .waiting, isPossiblyApplied: true) : self }

    /// Returns the state after a person has asked for another attempt; nil if the entry is being sent.
    ///
    /// An attempt that may have been applied is repeated unchanged if the server recognizes the repetition. Otherwise
    /// the person has decided to send it once more.
    ///
    /// - Parameter request: the facts about the request.
    /// - Returns: the state.
    func retried(_ request: Request) -> EntryLife? {
        guard phase != .sending else { return nil }
        return EntryLife(phase: .waiting, isPossiblyApplied: isPossiblyApplied && request.isRepeatable)
    }

    /// Whether a later change to the item can be combined with the entry, because no request can have been applied.
    var isChangeable: Bool { !isPossiblyApplied && (phase == .waiting || phase == .parked) }

    /// Whether a different version on the server is compared with the entry immediately.
    ///
    /// While an attempt may have been applied, the server's version may be the result of that attempt.
    var meetsOtherVersions: Bool { !isPossiblyApplied && phase != .sending }

    /// Whether the entry is removed if the server's version of the item shows its effect.
    var endsIfShown: Bool { isPossiblyApplied && phase != .sending }

    /// Whether a result can still arrive without a person's decision.
    var awaitsResult: Bool { phase == .sending || (phase == .waiting && isPossiblyApplied) }

    /// Whether a person must decide about the entry.
    var needsAttention: Bool { phase == .unknown || phase == .parked || phase == .conflict }
}
