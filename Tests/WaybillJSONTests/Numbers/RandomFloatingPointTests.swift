import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Parsing of random floating-point values")
struct RandomFloatingPointTests {
    @Test("Random Doubles are parsed from their shortest text, bit for bit")
    func shortestDoubles() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<Thoroughness.repetitions(100_000, otherwise: 20_000) {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            let text = value.description
            if text.asDigits(ExactNumber.double(digits:)).bitPattern != value.bitPattern { Issue.record("\(text)") }
        }
    }

    @Test("Random Floats are parsed from their shortest text, bit for bit")
    func shortestFloats() {
        var generator = SplitMix64(seed: 2)
        for _ in 0..<Thoroughness.repetitions(100_000, otherwise: 20_000) {
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
            guard value.isFinite else { continue }
            let text = value.description
            if text.asDigits(ExactNumber.float(digits:)).bitPattern != value.bitPattern { Issue.record("\(text)") }
        }
    }

    @Test("Random numbers with 17 digits are parsed as Doubles exactly, and as Floats as by the C library")
    func seventeenDigits() throws {
        var generator = SplitMix64(seed: 3)
        for _ in 0..<Thoroughness.repetitions(40_000, otherwise: 8_000) {
            // Half of the values are within the range of a Float.
            let bits = generator.next()
            let value = bits % 2 == 0 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(bits >> 32))).nextUp
            guard value.isFinite else { continue }
            let text = String(format: "%.16e", value)
            let float = text.asDigits(ExactNumber.float(digits:))
            if try text.asDigits(ExactNumber.double(digits:)).bitPattern != value.bitPattern
                || float.bitPattern != #require(Oracle.float(text)).bitPattern
            {
                Issue.record("\(text)")
            }
        }
    }

    @Test("Random numbers with 1 to 40 digits and any exponent are parsed as by the C library")
    func mantissas() throws {
        var generator = SplitMix64(seed: 4)
        for index in 0..<Thoroughness.repetitions(60_000, otherwise: 12_000) {
            let range = index % 2 == 0 ? -345...310 : -70...40
            let text = NumberText.random(digits: 1...40, exponents: range, using: &generator)
            let (double, float) = try (#require(Oracle.double(text)), #require(Oracle.float(text)))
            if text.asDigits(ExactNumber.double(digits:)).bitPattern != double.bitPattern
                || text.asDigits(ExactNumber.float(digits:)).bitPattern != float.bitPattern
            {
                Issue.record("\(text)")
            }
        }
    }
}
