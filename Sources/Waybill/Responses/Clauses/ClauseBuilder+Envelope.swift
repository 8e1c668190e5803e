extension Scope._ClauseBuilder {
    /// Takes an envelope.
    public static func buildExpression(_ envelope: Envelope) -> Envelope { envelope }

    /// Begins with an envelope.
    public static func buildPartialBlock(first: Envelope)
        -> Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Declared, Scope._Undeclared>
    {
        Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>().adding(first)
    }

    /// Adds the first envelope.
    public static func buildPartialBlock<R, B, P>(
        accumulated: Scope._Clauses<R, B, Scope._Undeclared, P>,
        next: Envelope
    ) -> Scope._Clauses<R, B, Scope._Declared, P> { accumulated.adding(next) }

    /// Does not compile: the value is in one place.
    @available(*, unavailable, message: "a second Envelope: give all its keys in one, Envelope(\"data\", \"items\")")
    public static func buildPartialBlock<R, B, P>(
        accumulated: Scope._Clauses<R, B, Scope._Declared, P>,
        next: Envelope
    ) -> Scope._Clauses<R, B, Scope._Declared, P> { accumulated }
}
