import Foundation
import Testing

@testable import WaybillJSON

@Suite("Coding keys and types of every kind, compared with Foundation")
struct KeyTypeProbes {
    enum Only: String, CodingKey { case a }

    enum Boolean: CodingKey {
        case holds(Bool)

        var stringValue: String {
            switch self {
            case .holds(let value): value ? "yes" : "no"
            }
        }
        var intValue: Int? { nil }
        init?(stringValue: String) { self = .holds(stringValue == "yes") }
        init?(intValue: Int) { nil }
    }

    enum Mixed: CodingKey, Hashable {
        case a
        case other(String)

        var stringValue: String {
            switch self {
            case .a: "a"
            case .other(let name): name
            }
        }
        var intValue: Int? { nil }
        init(stringValue: String) { self = stringValue == "a" ? .a : .other(stringValue) }
        init?(intValue: Int) { nil }
    }

    struct Byte: CodingKey {
        let index: UInt8
        var stringValue: String { "key\(index)" }
        var intValue: Int? { Int(index) }
        init(index: UInt8) { self.index = index }
        init?(stringValue: String) {
            guard let index = UInt8(stringValue.dropFirst(3)) else { return nil }
            self.index = index
        }
        init?(intValue: Int) { nil }
    }

    final class Reference: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        required init(stringValue: String) { self.stringValue = stringValue }
        required init?(intValue: Int) { nil }
    }

    /// A key whose string value differs from its case name.
    enum Renamed: CodingKey {
        case first, second
        var stringValue: String { self == .first ? "b" : "a" }
        var intValue: Int? { self == .first ? 7 : nil }
        init?(stringValue: String) {
            switch stringValue {
            case "b": self = .first
            case "a": self = .second
            default: return nil
            }
        }
        init?(intValue: Int) { nil }
    }

    /// A key whose string value depends on the current version of an API.
    enum Versioned: CodingKey {
        case name

        @TaskLocal static var version = 1

        var stringValue: String { "\(Self.version == 1 ? "a" : "b")" }
        var intValue: Int? { nil }
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
    }

    enum Many: Int, CodingKey, CaseIterable {
        case c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22,
            c23
        case c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44,
            c45
        case c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, c64, c65, c66,
            c67
    }

    static let document = #"{"yes":1,"no":2,"a":3,"key0":4,"key255":5,"key64":6,"b":7,"c":8}"#

    /// Decodes the only key of an enumeration under two names.
    static let changingNames = Probe("keys whose names change", document) { decoder, log in
        for version in [1, 2, 1] {
            try Versioned.$version.withValue(version) {
                let container = try decoder.container(keyedBy: Versioned.self)
                log.attempt { try container.decode(Int.self, forKey: .name) }
            }
        }
    }

    static let makes: [Probe] = [
        Probe("keys of one case", document) { decoder, log in
            let container = try decoder.container(keyedBy: Only.self)
            log.attempt { try container.decode(Int.self, forKey: .a) }
            log.note(container.allKeys.count)
        },
        Probe("keys of two bits", document) { decoder, log in
            let container = try decoder.container(keyedBy: Boolean.self)
            for value in [true, false, true] { log.attempt { try container.decode(Int.self, forKey: .holds(value)) } }
        },
        Probe("keys with payloads", document) { decoder, log in
            let container = try decoder.container(keyedBy: Mixed.self)
            for key in [.a, .other("b"), .other("c"), .other("d"), .a] as [Mixed] {
                log.attempt { try container.decode(Int.self, forKey: key) }
            }
        },
        Probe("keys of a byte", document) { decoder, log in
            let container = try decoder.container(keyedBy: Byte.self)
            for index in [0, 255, 64, 1, 0] as [UInt8] {
                log.attempt { try container.decode(Int.self, forKey: Byte(index: index)) }
                log.attempt { try container.decode(String.self, forKey: Byte(index: index)) }
            }
            log.note(container.allKeys.count)
        },
        Probe("keys that are objects", document) { decoder, log in
            let container = try decoder.container(keyedBy: Reference.self)
            log.attempt { try container.decode(Int.self, forKey: Reference(stringValue: "c")) }
            log.attempt { try container.decode(Int.self, forKey: Reference(stringValue: "a")) }
            log.note(container.allKeys.count)
        },
        Probe("keys of other names", document) { decoder, log in
            let container = try decoder.container(keyedBy: Renamed.self)
            log.attempt { try container.decode(Int.self, forKey: .first) }
            log.attempt { try container.decode(Int.self, forKey: .second) }
            log.attempt { try container.decode(String.self, forKey: .first) }
        },
        Probe(
            "keys of more than 64 cases",
            "{" + Many.allCases.map { "\"\($0.stringValue)\":\($0.rawValue)" }.joined(separator: ",") + "}"
        ) { decoder, log in
            let container = try decoder.container(keyedBy: Many.self)
            for key in Many.allCases.reversed() + Many.allCases {
                log.attempt { try container.decode(Int.self, forKey: key) }
            }
            log.note(container.allKeys.count)
        },
        Probe("containers of the same keys, in turn", #"{"a":{"a":{"a":1,"b":2},"b":3},"b":4}"#) { decoder, log in
            let outer = try decoder.container(keyedBy: Renamed.self)
            let middle = try outer.nestedContainer(keyedBy: Renamed.self, forKey: .second)
            let inner = try middle.nestedContainer(keyedBy: Renamed.self, forKey: .second)
            log.attempt { try outer.decode(Int.self, forKey: .first) }
            log.attempt { try middle.decode(Int.self, forKey: .first) }
            log.attempt { try inner.decode(Int.self, forKey: .first) }
            let again = try decoder.container(keyedBy: Renamed.self)
            log.attempt { try inner.decode(Int.self, forKey: .second) }
            log.attempt { try again.decode(Int.self, forKey: .first) }
            log.attempt { try outer.decode(Int.self, forKey: .first) }
            log.note(middle.allKeys.count)
        },
    ]

    /// The keys in an error's path: instances of the requested key types, if the code specifies them.
    static let paths: [Probe] = [
        Probe("the keys in an error's path are those that were asked with", #"{"b":{"a":["x"]}}"#) { decoder, log in
            let outer = try decoder.container(keyedBy: Renamed.self)
            let inner = try outer.nestedContainer(keyedBy: Only.self, forKey: .first)
            log.note(inner.codingPath.map { "\(type(of: $0))" })
            do { _ = try inner.decode([Int].self, forKey: .a) } catch DecodingError.typeMismatch(_, let context) {
                log.note(context.codingPath.map { "\($0 is Renamed), \($0 is Only), \($0.intValue ?? -1)" })
            }
        },
        Probe("the keys in the path of many containers with the same key type", many(20)) { decoder, log in
            var containers = [try decoder.container(keyedBy: Renamed.self)]
            for _ in 0..<20 {
                guard let last = containers.last else { return }
                containers.append(try last.nestedContainer(keyedBy: Renamed.self, forKey: .first))
            }
            for container in containers { log.note(container.codingPath.map { "\($0 is Renamed)" }) }
            log.attempt { try containers.last?.decode(Bool.self, forKey: .second) }
        },
    ]

    /// Returns a document of nested objects.
    private static func many(_ depth: Int) -> String {
        String(repeating: #"{"b":"#, count: depth) + #"{"a":1}"# + String(repeating: "}", count: depth)
    }

    class Base: Decodable {
        let a: Int
    }

    final class Derived: Base {
        let b: Int

        enum CodingKeys: CodingKey { case b }

        required init(from decoder: any Decoder) throws {
            b = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .b)
            try super.init(from: decoder)
        }
    }

    /// Classes known only at run time.
    static let dynamic: [Probe] = [
        Probe("a class is the one that the value of the type says", #"{"k":{"a":1,"b":2},"l":[{"a":3,"b":4}]}"#) {
            decoder,
            log in
            let type: Base.Type = Derived.self
            let container = try decoder.container(keyedBy: AnyKey.self)
            log.attempt { "\(Swift.type(of: try container.decode(type, forKey: "k")))" }
            log.attempt {
                try "\(container.decodeIfPresent(type, forKey: "k").map { "\(Swift.type(of: $0))" } ?? "nil")"
            }
            var array = try container.nestedUnkeyedContainer(forKey: "l")
            log.attempt { "\(Swift.type(of: try array.decode(type)))" }
            let sup = try container.superDecoder(forKey: "k")
            log.attempt { "\(Swift.type(of: try sup.singleValueContainer().decode(type)))" }
        },
        Probe("an existential type is decoded as what it is", #"{"i":1,"s":"x","l":[1]}"#) { decoder, log in
            let container = try decoder.container(keyedBy: AnyKey.self)
            for (key, type) in [("i", Int.self), ("s", String.self), ("l", [Int].self), ("i", Double?.self)]
                as [(AnyKey, any Decodable.Type)]
            {
                log.attempt { try container.decode(type, forKey: key) }
            }
        },
    ]

    @Test("Decoding with coding keys of every type matches Foundation's decoder", arguments: makes)
    func readMakes(probe: Probe) { probe.check() }

    @Test("The name of a coding key is read once if the decoder recognizes the document's keys, except in safe mode")
    func readChangingNames() async {
        // The decoder remembers keys per thread, so the test needs a new thread.
        let outcomes = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: (0..<4).map { _ in Self.changingNames.outcome(.waybill) })
            }
        }
        let (once, each) = (Outcome.value("3; 3; 3"), Outcome.value("3; 7; 3"))
        #expect(outcomes.allSatisfy { [once, each].contains($0) })
        #expect(outcomes.last == (SafeMode.isOn ? each : once))
        #expect(Self.changingNames.outcome(.foundation) == each)
    }

    @Test("The keys in coding paths match those of Foundation's decoder", arguments: paths)
    func readPaths(probe: Probe) { probe.check() }

    @Test("Decoding types known only at run time matches Foundation's decoder", arguments: dynamic)
    func readDynamic(probe: Probe) { probe.check() }

    @Test(
        "A complete document can be decoded as a class known only at run time",
        arguments: [DecoderSide.waybill, .foundation]
    )
    func wholeDocument(side: DecoderSide) throws {
        let type: Base.Type = Derived.self
        #expect(try side.decode(type, from: Data(#"{"a":1,"b":2}"#.utf8)) is Derived)
    }
}
