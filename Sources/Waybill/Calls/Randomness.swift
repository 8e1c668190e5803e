/// Where chance comes from: for the lengths of waits, and for keys.
public struct Randomness: Sendable {
    private let bits: @Sendable () -> UInt64

    /// A source of 64 random bits each time; for tests.
    public init(_ bits: @escaping @Sendable () -> UInt64) { self.bits = bits }

    /// The random numbers of the system, which nobody can guess.
    public static let system = Randomness { .random(in: .min ... .max) }

    /// 64 random bits.
    package func next() -> UInt64 { bits() }

    /// A random number from 0 up to, and not including, 1.
    package var fraction: Double { Double(next() >> 11) * 0x1p-53 }
}
