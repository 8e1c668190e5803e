/// The life of an entry of the outbox: every state, every event, and what the event makes of the state.
///
/// The outbox acts by this table alone, the tests search all states that it can reach, and `Architecture.md` prints it.
struct EntryLife: Hashable, Sendable {
    enum Phase: String, Sendable, CaseIterable {
        /// It is sent as soon as nothing holds it back.
        case waiting
        /// It is under way.
        case sending
        /// It may have been applied, and a person decides whether it is sent again.
        case unknown
        /// The server rejected it, and has not applied it.
        case parked
        /// The server has another version, and a person decides.
        case conflict
    }

    var phase: Phase

    /// Whether an attempt has no known result: the server may have applied it, whatever it has answered since.
    var isPossiblyApplied = false
}

extension EntryLife {
    /// The facts about a request that decide whether it can be sent again.
    struct Request: Hashable, Sendable {
        /// Whether a repetition takes effect once: by its method, a key or a condition.
        var isRepeatable: Bool

        /// Whether the server recognizes a repetition by an idempotency key.
        var hasKey: Bool

        /// Whether it creates an item.
        var isCreation: Bool

        /// Whether the server has answered so often without a result that a person has to know.
        var isExhausted = false
    }

    /// The server's answer to a request, or the lack of one.
    enum Reply: String, Sendable, CaseIterable {
        /// It was applied.
        case applied
        /// The item to delete is not there.
        case gone
        /// It did not reach the server.
        case notSent
        /// No response came.
        case lost
        /// A success whose content cannot be used.
        case unreadable
        /// 408, 425, 429, 503, 507: the server wants it later.
        case later
        /// 401, or no credential.
        case unauthorized
        /// 409: another version, or the same key is being processed.
        case conflicting
        /// 412 and 428, and 404 or 410 of a change: the server has another version, or none.
        case stale
        /// Any other 4xx, and a 5xx by which the server says that it cannot do this at all.
        case rejected
        /// Any other 5xx.
        case failed

        /// Whether the server answered without a result that an earlier attempt could have.
        var isInconclusive: Bool {
            switch self {
            case .conflicting, .rejected, .failed: true
            default: false
            }
        }
    }

    /// The consequence of a reply.
    enum Consequence: Hashable, Sendable {
        /// The entry leaves the outbox.
        case done
        /// The server's version is read, and the rule for conflicts decides.
        case compares
        /// The entry stays, in this state.
        case becomes(EntryLife)
    }

    /// Returns the consequence of a reply to an entry that is under way.
    ///
    /// As long as an attempt may have been applied, only a definite answer changes that. A key's repetition has the
    /// result of the first attempt (draft-ietf-httpapi-idempotency-key-header-07, section 2.6), but what rejects it
    /// before the server looks at the key (a firewall, a missing right, a limit) is not that result.
    ///
    /// - Parameters:
    ///   - reply: the server's answer, or the lack of one.
    ///   - request: the facts about the request.
    /// - Returns: the consequence.
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

    /// Returns the state of an entry whose turn it is: under way, or unknown if a repetition could take effect twice.
    func claimed(_ request: Request) -> EntryLife {
        guard isPossiblyApplied, !request.isRepeatable else {
            return EntryLife(phase: .sending, isPossiblyApplied: isPossiblyApplied)
        }
        return EntryLife(phase: .unknown, isPossiblyApplied: true)
    }

    /// The state after the program has ended: a request that was under way may have been applied.
    var restarted: EntryLife { phase == .sending ? EntryLife(phase: .waiting, isPossiblyApplied: true) : self }

    /// The state after a person has asked for another attempt; nil if it is under way.
    ///
    /// An attempt that may have been applied is repeated as it was if the server recognizes that. Otherwise it is the
    /// person's decision to send it once more.
    func retried(_ request: Request) -> EntryLife? {
        guard phase != .sending else { return nil }
        return EntryLife(phase: .waiting, isPossiblyApplied: isPossiblyApplied && request.isRepeatable)
    }

    /// Whether a further change of its item may become part of it: no request can have been applied.
    var isChangeable: Bool { !isPossiblyApplied && (phase == .waiting || phase == .parked) }

    /// Whether another version of its item on the server is compared with it now.
    ///
    /// While an attempt may have been applied, the server's version may be the result of that attempt.
    var meetsOtherVersions: Bool { !isPossiblyApplied && phase != .sending }

    /// Whether it ends if the server's version of its item shows its effect.
    var endsIfShown: Bool { isPossiblyApplied && phase != .sending }

    /// Whether a response to it can still arrive or be repeated without a person.
    var awaitsResult: Bool { phase == .sending || (phase == .waiting && isPossiblyApplied) }

    /// Whether a person decides what becomes of it.
    var needsAttention: Bool { phase == .unknown || phase == .parked || phase == .conflict }
}
