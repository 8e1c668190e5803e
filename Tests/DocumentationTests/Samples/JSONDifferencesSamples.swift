import Foundation
import Testing
import WaybillJSON

private struct A: Decodable { let a: Int }

/// A type that reads nothing, so only the document itself can be rejected.
private struct Unread: Decodable {
    init(from decoder: any Decoder) {}
}

@Suite("JSONDecoding.md, differences from Foundation's decoder")
struct JSONDifferencesSamples {
    private static let types: [String: any (Decodable & SendableMetatype).Type] = [
        "A": A.self, "[Int]": [Int].self, "[UInt8]": [UInt8].self, "[Decimal]": [Decimal].self, "[Bool]": [Bool].self,
        "[Double]": [Double].self, "[Date]": [Date].self,
    ]

    private static let foundation: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return decoder
    }()

    private static let waybill: WaybillJSONDecoder = {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return decoder
    }()

    @Test("The decoder differences in the table of JSONDecoding.md are accurate")
    func table() throws {
        let rows = try Repository.page("Documentation/Declare/JSONDecoding.md").rows(ofTableUnder: "JSON")
        #expect(rows.count > 10)
        for row in rows {
            let (json, name) = (row[0].filter { $0 != "`" }, row[1].filter { $0 != "`" })
            let type = try #require(Self.types[name], "\(name)")
            let data = Data(json.utf8)
            let found = [
                row[0], row[1], Self.outcome { try Self.foundation.decode(type, from: data) },
                Self.outcome { try Self.waybill.decode(type, from: data) },
            ]
            #expect(found == Array(row.prefix(4)))
            #expect(found[2] != found[3])
        }
    }

    @Test("The decoder differences outside the table of JSONDecoding.md are accurate")
    func furthermore() throws {
        let bytes = Data(#"{"a":1,"b":""#.utf8) + [0xFF] + Data("\"}".utf8)
        #expect(try Self.foundation.decode(A.self, from: bytes).a == 1)
        #expect(throws: DecodingError.self) { try Self.waybill.decode(A.self, from: bytes) }

        let wide = Data("\u{FEFF}[1]".unicodeScalars.flatMap { [UInt8($0.value & 0xFF), UInt8($0.value >> 8), 0, 0] })
        #expect(throws: DecodingError.self) { try Self.foundation.decode([Int].self, from: wide) }
        #expect(try Self.waybill.decode([Int].self, from: wide) == [1])

        let infinite = Data(#"["inf"]"#.utf8)
        let (foundation, waybill) = (JSONDecoder(), Self.waybill)
        foundation.nonConformingFloatDecodingStrategy = Self.foundation.nonConformingFloatDecodingStrategy
        var deferred = waybill
        deferred.dateDecodingStrategy = .deferredToDate
        #expect(try foundation.decode([Date].self, from: infinite)[0].timeIntervalSinceReferenceDate == .infinity)
        #expect(throws: DecodingError.self) { try deferred.decode([Date].self, from: infinite) }

        let again = Data(#"{"a":1,"a":"x"}"#.utf8)
        foundation.keyDecodingStrategy = .custom { $0[$0.count - 1] }
        deferred.keyDecodingStrategy = .custom { $0[$0.count - 1] }
        #expect(throws: DecodingError.self) { try foundation.decode([String: Int].self, from: again) }
        #expect(try deferred.decode([String: Int].self, from: again) == ["a": 1])
    }

    @Test(
        "The documents that JSONDecoding.md calls invalid are rejected",
        arguments: [
            "[1,]", "[1]//", "['a']", "{a:1}", "[NaN]", "[01]", "[.5]", "[5.]", "[\"\n\"]", #"["\x"]"#,
            "[1] 2", "",
            "\u{FEFF}\u{FEFF}[1]",
        ]
    )
    func rejected(text: String) {
        #expect(throws: DecodingError.self) { try Self.waybill.decode(Unread.self, from: Data(text.utf8)) }
    }

    @Test("Both decoders use the first of two equal keys")
    func alike() throws {
        let data = Data(#"{"a":1,"a":2}"#.utf8)
        #expect(try Self.foundation.decode(A.self, from: data).a == 1)
        #expect(try Self.waybill.decode(A.self, from: data).a == 1)
    }

    private static func outcome(_ decode: () throws -> Any) -> String {
        do {
            return "`\(try decode())`"
        } catch let error as DecodingError {
            switch error {
            case .typeMismatch(_, let context): return words("typeMismatch", context)
            case .valueNotFound(_, let context): return words("valueNotFound", context)
            case .keyNotFound(_, let context): return words("keyNotFound", context)
            case .dataCorrupted(let context): return words("dataCorrupted", context)
            @unknown default: return "\(error)"
            }
        } catch {
            return "\(error)"
        }
    }

    private static func words(_ name: String, _ context: DecodingError.Context) -> String {
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        return "`\(name)`" + (path.isEmpty ? "" : " at `\(path)`")
    }
}
