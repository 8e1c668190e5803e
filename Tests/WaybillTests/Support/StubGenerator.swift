/// A random number generator whose numbers a test decides.
struct StubGenerator: RandomNumberGenerator, Sendable {
    let bits: @Sendable () -> UInt64

    init(_ bits: @escaping @Sendable () -> UInt64) { self.bits = bits }

    func next() -> UInt64 { bits() }
}

extension RandomNumberGenerator where Self == StubGenerator {
    /// A generator of which a fraction is always 0.5.
    static var half: StubGenerator { StubGenerator { 1 << 63 } }
}
