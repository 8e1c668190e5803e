import TestSupport

@testable import WaybillJSON

extension String {
    /// Calls a closure with the characters of the text in a buffer.
    func asDigits<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        var text = self
        return text.withUTF8(body)
    }
}

extension NumberText {
    /// Returns a random number's text, with or without a sign, a decimal point, leading or trailing zeros, and an
    /// exponent.
    static func random(
        digits: ClosedRange<Int>,
        exponents: ClosedRange<Int>,
        using generator: inout SplitMix64
    ) -> String {
        var bytes: [UInt8] = generator.next() % 2 == 0 ? [UInt8(ascii: "-")] : []
        let count = Int.random(in: digits, using: &generator)
        let point = Int.random(in: 1...(count + 3), using: &generator)
        var random = generator.next()
        for place in 0..<count {
            if place % 16 == 15 { random = generator.next() }
            if place == point { bytes.append(UInt8(ascii: ".")) }
            // The first of several digits before the decimal point is not zero.
            let digit = place == 0 && point != 1 && count > 1 ? 1 + random % 9 : random % 10
            bytes.append(UInt8(ascii: "0") + UInt8(digit))
            random /= 10
        }
        let exponent = Int.random(in: exponents, using: &generator) - min(point, count)
        return String(decoding: bytes, as: UTF8.self) + (exponent == 0 ? "" : "e\(exponent)")
    }
}

extension ExactNumber {
    static func double(digits: UnsafeBufferPointer<UInt8>) -> Double { floatingPoint(Double.self, digits: digits) }

    static func float(digits: UnsafeBufferPointer<UInt8>) -> Float { floatingPoint(Float.self, digits: digits) }
}
