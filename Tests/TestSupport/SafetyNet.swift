import Testing

extension Trait where Self == TimeLimitTrait {
    /// A time limit for tests that could otherwise wait forever.
    ///
    /// It must not affect any other test: on the slowest machine, it includes the time that the test waits for a
    /// processor.
    public static var safetyNet: Self { .timeLimit(.minutes(30)) }
}
