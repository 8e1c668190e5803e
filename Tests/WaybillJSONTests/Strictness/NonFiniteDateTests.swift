import Foundation
import Testing
import WaybillJSON

@Suite("Non-finite dates")
struct NonFiniteDateTests {
    static let strategies: [(String, WaybillJSONDecoder.DateDecodingStrategy)] = [
        ("deferred", .deferredToDate), ("in seconds", .secondsSince1970), ("in milliseconds", .millisecondsSince1970),
    ]

    private static func decoder(_ strategy: WaybillJSONDecoder.DateDecodingStrategy) -> WaybillJSONDecoder {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = strategy
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return decoder
    }

    @Test(
        "An infinite or NaN date is an error at its path under every strategy",
        arguments: ["\"inf\"", "\"-inf\"", "\"nan\"", "1e309", "-1e309"],
        0..<strategies.count
    )
    func reject(number: String, strategy: Int) {
        let decoder = Self.decoder(Self.strategies[strategy].1)
        let outcome = Outcome { try decoder.decode([Date?].self, from: Data("[null,\(number)]".utf8)) }
        #expect(outcome == .corrupted(at: "Index 1#1"), "\(Self.strategies[strategy].0)")
    }

    @Test("A date from a huge finite number is decoded under every strategy", arguments: 0..<strategies.count)
    func accept(strategy: Int) throws {
        let decoder = Self.decoder(Self.strategies[strategy].1)
        let dates = try decoder.decode([Date].self, from: Data("[1.7976931348623157e308,-1.7e308]".utf8))
        #expect(dates.allSatisfy { $0.timeIntervalSinceReferenceDate.isFinite })
    }
}
