/// A random number generator that returns numbers from a closure.
package struct StubGenerator: RandomNumberGenerator, Sendable {
    package let bits: @Sendable () -> UInt64

    package init(_ bits: @escaping @Sendable () -> UInt64) { self.bits = bits }

    package func next() -> UInt64 { bits() }
}

extension RandomNumberGenerator where Self == StubGenerator {
    /// A generator that makes every random fraction 0.5.
    package static var half: StubGenerator { StubGenerator { 1 << 63 } }
}
