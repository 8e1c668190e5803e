extension Limit {
    /// The declaration errors of a limit.
    var declarationErrors: [DeclarationError] {
        guard !isNone else { return [] }
        var declarationErrors: [DeclarationError] = []
        func reject(_ value: String, _ reason: String) {
            declarationErrors.append(DeclarationError(clause: "Limit", value: value, reason: reason))
        }
        switch kind {
        case .concurrent(let count) where count < 1:
            reject("concurrent: \(count)", "no call could ever be sent; give 1 or more, or Limit.none")
        case .rate(let count, let interval) where count < 1 || interval <= .zero:
            reject(
                "\(count), per: \(interval.shown)",
                "a rate needs at least 1 call and a positive time; give both, or Limit.none"
            )
        case .rate(let count, let interval) where interval > Self.longestInterval:
            reject(
                "\(count), per: \(interval.shown)",
                "the time is too long; give one of up to \(Self.longestInterval.shown)"
            )
        default: break
        }
        if waiting < 0 { reject("waiting: \(waiting)", "give the number of calls that may wait, zero or more") }
        if longestWait < .zero {
            reject("longestWait: \(longestWait.shown)", "give a time, or .zero for no wait at all")
        }
        return declarationErrors
    }

    /// A year: more would not be a rate, and this keeps sums of such times far below the limits of `Duration`.
    static var longestInterval: Duration { .seconds(365 * 86_400) }
}
