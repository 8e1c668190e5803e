import Foundation
import Testing

@Suite("Nested containers and super decoders, compared with Foundation")
struct NestedContainerProbes {
    static let values = ["null", "true", "1", #""x""#, "[]", "[1]", "{}", #"{"a":1}"#, #"{"super":{"a":1}}"#]

    /// Requests every kind of container in an object, for every kind of value.
    static let inObjects: [Probe] =
        values.map { value in
            Probe("nested in an object: \(value)", #"{"v":\#(value)}"#) { decoder, log in
                try nestInObject(try decoder.container(keyedBy: AnyKey.self), &log)
            }
        }
        + [
            Probe("nested in an object: nothing", "{}") { decoder, log in
                try nestInObject(try decoder.container(keyedBy: AnyKey.self), &log)
            },
            Probe("nested in an object in an array in an object", #"{"x":[0,{"v":[1]}]}"#) { decoder, log in
                let outer = try decoder.container(keyedBy: AnyKey.self)
                var array = try outer.nestedUnkeyedContainer(forKey: "x")
                log.attempt { try array.decode(Int.self) }
                try nestInObject(try array.nestedContainer(keyedBy: AnyKey.self), &log)
            },
        ]

    private static func nestInObject(_ container: KeyedDecodingContainer<AnyKey>, _ log: inout Script.Log) throws {
        log.attempt { try container.nestedContainer(keyedBy: AnyKey.self, forKey: "v").allKeys.count }
        log.attempt {
            try container.nestedContainer(keyedBy: AnyKey.self, forKey: "v").decode(String.self, forKey: "a")
        }
        log.attempt { try container.nestedUnkeyedContainer(forKey: "v").count }
        log.attempt {
            var nested = try container.nestedUnkeyedContainer(forKey: "v")
            return try nested.decode(String.self)
        }
        log.attempt {
            try container.nestedContainer(keyedBy: AnyKey.self, forKey: "v")
                .nestedContainer(keyedBy: AnyKey.self, forKey: "super").decode(String.self, forKey: "a")
        }
        log.attempt {
            let nested = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "v")
            return Outcome.words(for: nested.codingPath)
        }
        log.attempt {
            let nested = try container.nestedUnkeyedContainer(forKey: "v")
            return Outcome.words(for: nested.codingPath) + " at \(nested.currentIndex)"
        }
        for name in ["v", "super", "missing"] {
            log.attempt {
                let decoder = try container.superDecoder(forKey: AnyKey(stringValue: name))
                return Outcome.words(for: decoder.codingPath)
            }
            log.attempt {
                let decoder = try container.superDecoder(forKey: AnyKey(stringValue: name))
                return try decoder.singleValueContainer().decodeNil()
            }
            log.attempt {
                let decoder = try container.superDecoder(forKey: AnyKey(stringValue: name))
                return try decoder.container(keyedBy: AnyKey.self).allKeys.count
            }
            log.attempt {
                let decoder = try container.superDecoder(forKey: AnyKey(stringValue: name))
                return try decoder.unkeyedContainer().count
            }
            log.attempt { try Int(from: try container.superDecoder(forKey: AnyKey(stringValue: name))) }
        }
        log.attempt { Outcome.words(for: try container.superDecoder().codingPath) }
        log.attempt { try Int(from: try container.superDecoder()) }
        log.note(container.codingPath)
    }

    /// Requests every kind of container in an array, for every kind of value.
    static let inArrays: [Probe] =
        values.flatMap { value in
            [
                Probe("nested in an array: \(value)", "[\(value),2]") { decoder, log in
                    try nestInArray(try decoder.unkeyedContainer(), &log)
                },
                Probe("nested in an array in an array: \(value)", "[0,[\(value)]]") { decoder, log in
                    var outer = try decoder.unkeyedContainer()
                    _ = try outer.decode(Int.self)
                    try nestInArray(try outer.nestedUnkeyedContainer(), &log)
                },
            ]
        }
        + [
            Probe("nested in an array: nothing", "[]") { decoder, log in
                try nestInArray(try decoder.unkeyedContainer(), &log)
            }
        ]

    private static func nestInArray(_ start: any UnkeyedDecodingContainer, _ log: inout Script.Log) throws {
        func attempt<T>(_ body: (inout any UnkeyedDecodingContainer) throws -> T) {
            var container = start
            log.attempt { try body(&container) }
            log.note(container.currentIndex)
        }
        attempt { try $0.nestedContainer(keyedBy: AnyKey.self).allKeys.count }
        attempt { try $0.nestedContainer(keyedBy: AnyKey.self).decode(String.self, forKey: "a") }
        attempt { Outcome.words(for: try $0.nestedContainer(keyedBy: AnyKey.self).codingPath) }
        attempt { try $0.nestedUnkeyedContainer().count }
        attempt { outer in
            var nested = try outer.nestedUnkeyedContainer()
            return try nested.decode(String.self)
        }
        attempt { Outcome.words(for: try $0.nestedUnkeyedContainer().codingPath) }
        attempt { Outcome.words(for: try $0.superDecoder().codingPath) }
        attempt { try $0.superDecoder().singleValueContainer().decodeNil() }
        attempt { try $0.superDecoder().container(keyedBy: AnyKey.self).allKeys.count }
        attempt { try Int(from: try $0.superDecoder()) }
        attempt { try Int(from: try $0.nestedContainer(keyedBy: AnyKey.self).superDecoder()) }
        log.note(start.codingPath)
    }

    class Animal: Decodable {
        let name: String
    }

    class Dog: Animal {
        let tricks: [String]

        private enum CodingKeys: String, CodingKey { case tricks }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            tricks = try container.decode([String].self, forKey: .tricks)
            try super.init(from: try container.superDecoder())
        }
    }

    final class Puppy: Dog {
        let weeks: Int

        private enum CodingKeys: String, CodingKey { case weeks, parent }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            weeks = try container.decode(Int.self, forKey: .weeks)
            try super.init(from: try container.superDecoder(forKey: .parent))
        }
    }

    /// A class that shares its decoder with its superclass, as most class hierarchies do.
    final class Cat: Animal {
        let lives: Int

        private enum CodingKeys: String, CodingKey { case lives }

        required init(from decoder: any Decoder) throws {
            lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
            try super.init(from: decoder)
        }
    }

    /// A class whose superclass is decoded from the first element of an array.
    final class Listed: Animal {
        let rest: Int

        required init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            let first = try container.superDecoder()
            rest = try container.decode(Int.self)
            try super.init(from: first)
        }
    }

    static let classes: [Probe] =
        Probe.each([#"{"name":"a","lives":9}"#, #"{"lives":9}"#, #"{"name":1,"lives":9}"#], as: Cat.self)
        + Probe.each(
            [
                #"{"tricks":["sit"],"super":{"name":"a"}}"#, #"{"tricks":["sit"]}"#, #"{"tricks":[],"super":null}"#,
                #"{"tricks":[],"super":1}"#, #"{"tricks":[],"super":{}}"#, #"{"tricks":[],"super":{"name":1}}"#,
                #"{"super":{"name":"a"}}"#,
            ],
            as: Dog.self
        )
        + Probe.each(
            [
                #"{"weeks":3,"parent":{"tricks":[],"super":{"name":"a"}}}"#, #"{"weeks":3}"#,
                #"{"weeks":3,"parent":null}"#,
                #"{"weeks":3,"parent":{"tricks":[],"super":{"name":null}}}"#, #"{"weeks":3,"parent":{"tricks":[]}}"#,
            ],
            as: Puppy.self
        )
        + Probe.each([#"[{"name":"a"},2]"#, #"[{"name":1},2]"#, #"[{"name":"a"}]"#, "[]", "[null,1]"], as: Listed.self)
        + Probe.each([#"[{"name":"a","lives":1},{"name":"b","lives":"x"}]"#], as: [Cat].self)

    @Test("Nested containers in objects match those of Foundation's decoder", arguments: inObjects)
    func nestInObjects(probe: Probe) { probe.check() }

    @Test("Nested containers in arrays match those of Foundation's decoder", arguments: inArrays)
    func nestInArrays(probe: Probe) { probe.check() }

    @Test("Decoding class hierarchies matches Foundation's decoder", arguments: classes)
    func readClasses(probe: Probe) { probe.check() }
}
