import Foundation
import Testing
import WaybillJSON

/// Each test keeps a decoder or a container after a call, and nothing else.
@Suite("Decoders kept after decoding")
struct KeptAloneTests {
    static let document = Data(
        #"{"name":"é\n","list":[1,{"name":"x","list":[]},[2,3]],"super":{"name":"y","n":300},"n":-1}"#.utf8
    )

    enum Keys: String, CodingKey { case name, list, n, missing, `super` }

    typealias Use = @Sendable (inout Script.Log) throws -> Void

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A function that keeps part of a decoder, and returns a closure that uses it later.
        let keep: @Sendable (any Decoder) throws -> (inout Script.Log) throws -> Void
    }

    static let cases: [Case] = [
        Case(testDescription: "a decoder") { decoder in { log in try use(decoder, &log) } },
        Case(testDescription: "a keyed container") { decoder in
            let container = try decoder.container(keyedBy: Keys.self)
            return { log in try use(container, &log) }
        },
        Case(testDescription: "a keyed container that was used") { decoder in
            let container = try decoder.container(keyedBy: Keys.self)
            _ = try container.decode(Int.self, forKey: .n)
            _ = try container.decode(String.self, forKey: .name)
            return { log in try use(container, &log) }
        },
        Case(testDescription: "a keyed container with string keys") { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            return { log in
                log.attempt { try container.decode(Int.self, forKey: "n") }
                log.attempt { try container.superDecoder().container(keyedBy: Keys.self).decode(Bool.self, forKey: .n) }
            }
        },
        Case(testDescription: "a nested keyed container") { decoder in
            let container = try decoder.container(keyedBy: Keys.self).nestedContainer(
                keyedBy: Keys.self,
                forKey: .super
            )
            return { log in try use(container, &log) }
        },
        Case(testDescription: "one keyed container of many with the same keys") { decoder in
            let containers = try (0..<20).map { _ in try decoder.container(keyedBy: Keys.self) }
            let container = containers[13]
            return { log in try use(container, &log) }
        },
        Case(testDescription: "many keyed containers") { decoder in
            let outer = try decoder.container(keyedBy: Keys.self)
            let containers = try (0..<20).map { index in
                index.isMultiple(of: 2) ? outer : try outer.nestedContainer(keyedBy: Keys.self, forKey: .super)
            }
            return { log in for container in containers { try use(container, &log) } }
        },
        Case(testDescription: "an unkeyed container") { decoder in
            var container = try decoder.container(keyedBy: Keys.self).nestedUnkeyedContainer(forKey: .list)
            _ = try container.decode(Int.self)
            let kept = container
            return { log in
                var container = kept
                log.attempt { try container.decode(Int.self) }
                let nested = try container.nestedContainer(keyedBy: Keys.self)
                try use(nested, &log)
                log.attempt { try container.decode([Int].self) }
                log.attempt { try container.decode(Int.self) }
            }
        },
        Case(testDescription: "a single value container") { decoder in
            let container = try decoder.singleValueContainer()
            return { log in
                log.attempt { try container.decode(EnumProbes.Union.self) }
                log.attempt { try container.decode(Int.self) }
                log.note(container.codingPath)
            }
        },
        Case(testDescription: "a super decoder") { decoder in
            let kept = try decoder.container(keyedBy: Keys.self).superDecoder()
            return { log in try use(kept, &log) }
        },
        Case(testDescription: "a super decoder for a missing key") { decoder in
            let kept = try decoder.container(keyedBy: Keys.self).superDecoder(forKey: .missing)
            return { log in
                log.note(kept.codingPath)
                log.attempt { try kept.singleValueContainer().decodeNil() }
                log.attempt { try Int(from: kept) }
            }
        },
        Case(testDescription: "a super decoder for an element") { decoder in
            var container = try decoder.container(keyedBy: Keys.self).nestedUnkeyedContainer(forKey: .list)
            _ = try container.decode(Int.self)
            let kept = try container.superDecoder()
            return { log in try use(kept, &log) }
        },
    ]

    private static func use(_ decoder: any Decoder, _ log: inout Script.Log) throws {
        log.note(decoder.codingPath)
        log.attempt { try EnumProbes.Union(from: decoder) }
        try use(try decoder.container(keyedBy: Keys.self), &log)
    }

    private static func use(_ container: KeyedDecodingContainer<Keys>, _ log: inout Script.Log) throws {
        log.note(container.codingPath)
        log.note(container.allKeys.map(\.stringValue))
        log.attempt { try container.decode(String.self, forKey: .name) }
        log.attempt { try container.decode(UInt8.self, forKey: .name) }
        log.attempt { try container.decodeIfPresent(Int.self, forKey: .n) }
        log.attempt { try container.decode(Int.self, forKey: .missing) }
        log.attempt { try container.nestedUnkeyedContainer(forKey: .list).count }
        for _ in 0..<100 { _ = try container.superDecoder(forKey: .missing) }
        log.attempt { try container.superDecoder(forKey: .missing).singleValueContainer().decodeNil() }
        log.attempt { try Int(from: try container.superDecoder(forKey: .missing)) }
        let again = try container.superDecoder().singleValueContainer()
        log.attempt { try again.decode(EnumProbes.Union.self) }
    }

    private final class Holder {
        var use: ((inout Script.Log) throws -> Void)?
    }

    /// Decodes a document and then others, so that the memory of the first is overwritten.
    private static func lines(_ side: DecoderSide, _ kept: Case) throws -> [String] {
        nonisolated(unsafe) let holder = Holder()
        var settings = DecoderSettings()
        let keep: Script.Body = { decoder, _ in holder.use = try kept.keep(decoder) }
        if let key = Script.key { settings.userInfo[key] = keep }
        _ = try side.decode(Script.self, from: Data(document), settings)
        for round in 0..<20 {
            let other = #"{"n":\#(round),"name":"\#(round)","list":[],"super":{"n":1,"name":"z","list":[true]}}"#
            _ = try side.decode([String: EnumProbes.Union].self, from: Data(other.utf8))
            _ = try? side.decode(Reader.self, from: Data(other.utf8))
        }
        var log = Script.Log()
        try holder.use?(&log)
        try holder.use?(&log)
        // The kept object retains the user info, which retains the object.
        holder.use = nil
        return log.lines.map { $0.replacing("\", \"", with: "\",\"") }
    }

    /// A type that uses the same keys for other objects.
    struct Reader: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            _ = try container.decode(Int.self, forKey: .n)
            _ = try container.nestedContainer(keyedBy: Keys.self, forKey: .super).decode(String.self, forKey: .name)
            _ = try container.decode(Int.self, forKey: .name)
        }
    }

    @Test("A kept decoder remains usable after other documents are decoded", arguments: cases)
    func use(kept: Case) throws {
        let ours = try Self.lines(.waybill, kept)
        let foundations = try Self.lines(.foundation, kept)
        #expect(ours.map(Self.sorted) == foundations.map(Self.sorted))
    }

    /// Returns the line with the keys of an object sorted, because their order is unspecified.
    private static func sorted(_ line: String) -> String {
        guard line.hasPrefix("[\"") else { return line }
        return line.dropFirst().dropLast().split(separator: ",").sorted().joined(separator: ",")
    }

    @Test("A decoder's settings are not retained after decoding")
    func letGo() throws {
        final class Witness: Sendable {}
        weak var inUserInfo: Witness?
        weak var inStrategy: Witness?
        do {
            let witnesses = (Witness(), Witness())
            (inUserInfo, inStrategy) = witnesses
            var decoder = WaybillJSONDecoder()
            if let key = CodingUserInfoKey(rawValue: "witness") { decoder.userInfo[key] = witnesses.0 }
            let captured = witnesses.1
            decoder.keyDecodingStrategy = .custom { path in
                withExtendedLifetime(captured) { path.last ?? AnyKey(stringValue: "") }
            }
            _ = try decoder.decode(EnumProbes.A.self, from: Data(#"{"a":1}"#.utf8))
        }
        #expect(inUserInfo == nil)
        #expect(inStrategy == nil)
    }
}
