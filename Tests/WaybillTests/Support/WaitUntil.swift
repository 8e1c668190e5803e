import Testing

/// Lets other tasks run until something holds; where it does not within a minute, that is an issue of the test.
func waitUntil(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(60)
    while !condition() {
        guard clock.now < end, !Task.isCancelled else {
            Issue.record("what is waited for has not come", sourceLocation: sourceLocation)
            return
        }
        // Not asked all the time: who changes it may need the lock that asking takes.
        for _ in 0..<50 { await Task.yield() }
    }
}
