import Testing

/// Lets other tasks run until a condition holds, and records an issue if it does not hold within three minutes.
package func waitUntil(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(180)
    while !condition() {
        guard clock.now < end, !Task.isCancelled else {
            Issue.record("what is waited for has not come", sourceLocation: sourceLocation)
            return
        }
        // The condition is checked only now and then: the task that changes it may need the lock that the check
        // acquires.
        for _ in 0..<50 { await Task.yield() }
    }
}
