extension Limit {
    /// What cannot be meant.
    var mistakes: [Mistake] {
        guard !isNone else { return [] }
        var mistakes: [Mistake] = []
        func refuse(_ value: String, _ reason: String) {
            mistakes.append(Mistake(clause: "Limit", value: value, reason: reason))
        }
        switch kind {
        case .concurrent(let count) where count < 1:
            refuse("concurrent: \(count)", "no call could ever be sent; give 1 or more, or Limit.none")
        case .rate(let count, let interval) where count < 1 || interval <= .zero:
            refuse(
                "\(count), per: \(interval)",
                "no such rate can be kept; give 1 call or more and a positive time, or Limit.none"
            )
        case .rate(let count, let interval) where interval > Self.longestInterval:
            refuse(
                "\(count), per: \(interval)",
                "no client runs for so long; give a time of up to \(Self.longestInterval)"
            )
        default: break
        }
        if waiting < 0 { refuse("waiting: \(waiting)", "give the number of calls that may wait, zero or more") }
        if longestWait < .zero { refuse("longestWait: \(longestWait)", "give a time, or .zero for no wait at all") }
        return mistakes
    }

    /// A year: more would not be a rate, and this leaves sums of such times far from where durations end.
    static var longestInterval: Duration { .seconds(365 * 86_400) }
}
