import Testing

extension Trait where Self == TimeLimitTrait {
    /// A time limit for tests that could wait without end.
    ///
    /// It must never decide the result of a test that does not: it includes the time for which the test waits for the
    /// processors, on the slowest machine.
    public static var safetyNet: Self { .timeLimit(.minutes(30)) }
}
