import Foundation
import Testing

@testable import WaybillJSON

/// Key strategies whose closure uses the container or the decoder that calls it.
@Suite("Key strategies that use their container")
struct KeyStrategyReentryTests {
    /// The objects accessible to the closure; only one thread uses them.
    final class Reached: @unchecked Sendable {
        static let key = CodingUserInfoKey(rawValue: "reached")

        var decoder: (any Decoder)?
        var container: KeyedDecodingContainer<Name>?
        var isInside = false
        var count = 0
    }

    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    struct Reader: Decodable {
        let sum: Int

        init(from decoder: any Decoder) throws {
            let reached = Reached.key.flatMap { decoder.userInfo[$0] } as? Reached
            let container = try decoder.container(keyedBy: Name.self)
            reached?.decoder = decoder
            reached?.container = container
            defer {
                reached?.decoder = nil
                reached?.container = nil
            }
            sum = try (0..<20).reduce(0) { try $0 + container.decode(Int.self, forKey: Name(stringValue: "key \($1)")) }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let use: @Sendable (Reached) -> Void
    }

    static let cases = [
        Case(testDescription: "asks whether there is a key") { _ = $0.container?.contains(Name(stringValue: "key 1")) },
        Case(testDescription: "decodes a member") {
            _ = try? $0.container?.decode(Int.self, forKey: Name(stringValue: "key 2"))
        },
        Case(testDescription: "asks for a super decoder") { _ = try? $0.container?.superDecoder() },
        Case(testDescription: "asks for all keys") { _ = $0.container?.allKeys },
        Case(testDescription: "asks for the coding path") { _ = $0.container?.codingPath },
        Case(testDescription: "makes another container") {
            _ = try? $0.decoder?.container(keyedBy: Name.self).contains(Name(stringValue: "key 3"))
        },
        Case(testDescription: "decodes the object as a dictionary") {
            _ = try? $0.decoder?.singleValueContainer().decode([String: Int].self)
        },
    ]

    static let document = Data(("{" + (0..<20).map { "\"key \($0)\":\($0)" }.joined(separator: ",") + "}").utf8)

    private static func decode(
        _ reached: Reached,
        _ document: Data = document,
        _ use: @escaping @Sendable (Reached) -> Void
    ) throws -> Int {
        var decoder = WaybillJSONDecoder()
        if let key = Reached.key { decoder.userInfo[key] = reached }
        decoder.keyDecodingStrategy = .custom { path in
            if !reached.isInside {
                reached.isInside = true
                use(reached)
                reached.isInside = false
                reached.count += 1
            }
            return path.last ?? Name(stringValue: "")
        }
        return try decoder.decode(Reader.self, from: document).sum
    }

    // The leak of the inner call's memory occurred only in optimized code. `.ci/fuzz` is optimized, and measures the
    // memory that remains allocated after decoding.
    @Test("A key strategy that uses its container does not change the result, and is released", arguments: cases)
    func read(reentry: Case) throws {
        weak var witness: Reached?
        do {
            let reached = Reached()
            witness = reached
            #expect(try Self.decode(reached, Self.document, reentry.use) == 190)
            #expect(reached.count > 0)
        }
        #expect(witness == nil)
    }
}
