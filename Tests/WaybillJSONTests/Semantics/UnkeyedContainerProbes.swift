import Foundation
import Testing

@Suite("Unkeyed containers, compared with Foundation")
struct UnkeyedContainerProbes {
    private static func state(_ container: any UnkeyedDecodingContainer) -> String {
        let count = container.count.map(String.init) ?? "unknown"
        return "at \(container.currentIndex) of \(count)\(container.isAtEnd ? ", at end" : "")"
    }

    /// The index of the container after each method, called with matching and mismatching types.
    static let positions: [Probe] = [
        Probe("the positions of an empty array", "[]") { decoder, log in
            var container = try decoder.unkeyedContainer()
            log.note(state(container))
            log.attempt { try container.decode(Int.self) }
            log.attempt { try container.decodeIfPresent(Int.self) }
            log.attempt { try container.decodeNil() }
            log.attempt { try container.decode(Int?.self) }
            log.attempt { try container.decode(A.self) }
            log.attempt { try container.nestedContainer(keyedBy: AnyKey.self).allKeys.count }
            log.attempt { try container.nestedUnkeyedContainer().count }
            log.attempt { try container.superDecoder().codingPath.count }
            log.note(state(container))
        },
        Probe("a failed decode does not advance", #"["x",1]"#) { decoder, log in
            var container = try decoder.unkeyedContainer()
            log.attempt { try container.decode(Int.self) }
            log.note(state(container))
            log.attempt { try container.decode(Bool.self) }
            log.attempt { try container.decode(Double.self) }
            log.attempt { try container.decode(UInt8.self) }
            log.attempt { try container.decode(A.self) }
            log.attempt { try container.decode([Int].self) }
            log.attempt { try container.decode([String: Int].self) }
            log.attempt { try container.decode(Date.self) }
            log.attempt { try container.decode(Data.self) }
            log.attempt { try container.decode(Decimal.self) }
            log.attempt { try container.decode(UUID.self) }
            log.attempt { try container.decodeIfPresent(Int.self) }
            log.attempt { try container.decodeIfPresent(A.self) }
            log.attempt { try container.decodeNil() }
            log.attempt { try container.nestedContainer(keyedBy: AnyKey.self).allKeys.count }
            log.attempt { try container.nestedUnkeyedContainer().count }
            log.note(state(container))
            log.attempt { try container.decode(String.self) }
            log.note(state(container))
            log.attempt { try container.decode(String.self) }
            log.note(state(container))
            log.attempt { try container.decode(Int.self) }
            log.note(state(container))
        },
        Probe("null advances only where it may be", "[null,null,null,null,1]") { decoder, log in
            var container = try decoder.unkeyedContainer()
            log.attempt { try container.decode(Int.self) }
            log.attempt { try container.decode(A.self) }
            log.attempt { try container.nestedContainer(keyedBy: AnyKey.self).allKeys.count }
            log.attempt { try container.nestedUnkeyedContainer().count }
            log.note(state(container))
            log.attempt { try container.decodeNil() }
            log.note(state(container))
            log.attempt { try container.decodeIfPresent(Int.self) }
            log.note(state(container))
            log.attempt { try container.decodeIfPresent(A.self) }
            log.note(state(container))
            log.attempt { try container.decode(Int?.self) }
            log.note(state(container))
            log.attempt { try container.decodeNil() }
            log.note(state(container))
        },
        Probe("a number that does not fit does not advance", "[256,1.5,1e400]") { decoder, log in
            var container = try decoder.unkeyedContainer()
            log.attempt { try container.decode(UInt8.self) }
            log.note(state(container))
            log.attempt { try container.decodeIfPresent(Int8.self) }
            log.note(state(container))
            log.attempt { try container.decode(Int.self) }
            log.attempt { try container.decode(Int.self) }
            log.note(state(container))
            log.attempt { try container.decode(Double.self) }
            log.note(state(container))
        },
        Probe("what fails inside of an element does not advance", #"[{"a":"x"},[1,"x"],{"a":1}]"#) { decoder, log in
            var container = try decoder.unkeyedContainer()
            log.attempt { try container.decode(A.self) }
            log.note(state(container))
            log.attempt { try container.decode([String: String].self) }
            log.attempt { try container.decode([Int].self) }
            log.note(state(container))
            log.attempt { try container.decode([Union].self) }
            log.attempt { try container.decode(A.self) }
            log.note(state(container))
        },
        Probe("every method past the end", "[1]") { decoder, log in
            var container = try decoder.unkeyedContainer()
            log.attempt { try container.decode(Int.self) }
            log.attempt { try container.decode(Int.self) }
            log.attempt { try container.decode(String.self) }
            log.attempt { try container.decode(Bool.self) }
            log.attempt { try container.decode(Double.self) }
            log.attempt { try container.decode(Int?.self) }
            log.attempt { try container.decode([Int].self) }
            log.attempt { try container.decode(A.self) }
            log.attempt { try container.decodeIfPresent(Int.self) }
            log.attempt { try container.decodeIfPresent(String.self) }
            log.attempt { try container.decodeIfPresent(A.self) }
            log.attempt { try container.decodeNil() }
            log.attempt { try container.nestedContainer(keyedBy: AnyKey.self).allKeys.count }
            log.attempt { try container.nestedUnkeyedContainer().count }
            log.attempt { try container.superDecoder().codingPath.count }
            log.note(state(container))
        },
        Probe("containers inside of arrays advance", #"[{"a":1},[1,2],3,{"a":4}]"#) { decoder, log in
            var container = try decoder.unkeyedContainer()
            let object = try container.nestedContainer(keyedBy: AnyKey.self)
            log.note(state(container))
            var array = try container.nestedUnkeyedContainer()
            log.note(state(container))
            let sup = try container.superDecoder()
            log.note(state(container))
            log.attempt { try container.decode(A.self) }
            log.note(state(container))
            log.attempt { try sup.singleValueContainer().decode(Int.self) }
            log.attempt { try array.decode(Int.self) }
            log.attempt { try object.decode(Int.self, forKey: "a") }
            log.attempt { try array.decode(Int.self) }
            log.note(state(array))
        },
        Probe("tuples", #"[["a",1,true,null,1.5],["b",2,false,3,2]]"#, as: [Row].self),
        Probe("a tuple that is too short", #"[["a",1]]"#, as: [Row].self),
        Probe("a tuple of other types", #"[["a","b"]]"#, as: [Row].self),
        Probe("a tuple that is longer than what is read", #"[["a",1,true,null,1.5,6,7]]"#, as: [Row].self),
    ]

    static let copies: [Probe] = [
        Probe("a copy goes its own way", "[1,2,3,4]") { decoder, log in
            var container = try decoder.unkeyedContainer()
            log.attempt { try container.decode(Int.self) }
            var copy = container
            log.attempt { try copy.decode(Int.self) }
            log.attempt { try copy.decode(Int.self) }
            log.note(state(copy))
            log.note(state(container))
            log.attempt { try container.decode(Int.self) }
            var third = copy
            log.attempt { try third.decode(Int.self) }
            log.attempt { try copy.decode(Int.self) }
            log.note(state(container))
        },
        Probe("a decoder gives as many containers as are asked for", #"[1,[2],{"a":3}]"#) { decoder, log in
            var first = try decoder.unkeyedContainer()
            var second = try decoder.unkeyedContainer()
            log.attempt { try first.decode(Int.self) }
            log.attempt { try second.decode(Int.self) }
            log.attempt { try first.decode([Int].self) }
            log.attempt { try decoder.container(keyedBy: AnyKey.self).allKeys.count }
            log.attempt { try decoder.singleValueContainer().decode([Union].self) }
            log.attempt { try first.decode(A.self) }
            log.attempt { try second.decode([Int].self) }
        },
        Probe("copies used in turn", #"[[1,2],[3,4],{"a":5}]"#) { decoder, log in
            var container = try decoder.unkeyedContainer()
            var copy = container
            var inner = try container.nestedUnkeyedContainer()
            var other = try copy.nestedUnkeyedContainer()
            log.attempt { try inner.decode(Int.self) }
            log.attempt { try other.decode(Int.self) }
            log.attempt { try container.decode([Int].self) }
            log.attempt { try inner.decode(Int.self) }
            log.attempt { try copy.decode([Int].self) }
            log.attempt { try other.decode(Int.self) }
            log.attempt { try container.decode(A.self) }
            log.attempt { try copy.decode(A.self) }
        },
    ]

    static let kinds: [Probe] = ["null", "true", "1", #""x""#, "{}", #"{"a":[]}"#].map { json in
        Probe("an unkeyed container of \(json)", json) { decoder, log in
            log.attempt { try decoder.unkeyedContainer().count }
            log.attempt { try decoder.container(keyedBy: AnyKey.self).allKeys.count }
            log.attempt { try decoder.singleValueContainer().decodeNil() }
        }
    }

    typealias A = EnumProbes.A
    typealias Union = EnumProbes.Union

    struct Row: Decodable {
        let name: String
        let number: Int
        let flag: Bool
        let maybe: Int?
        let ratio: Double

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            name = try container.decode(String.self)
            number = try container.decode(Int.self)
            flag = try container.decode(Bool.self)
            maybe = try container.decodeIfPresent(Int.self)
            ratio = try container.decode(Double.self)
        }
    }

    @Test("The indices of unkeyed containers match those of Foundation's decoder", arguments: positions)
    func keepPositions(probe: Probe) { probe.check() }

    @Test("Copies of unkeyed containers and additional ones match those of Foundation's decoder", arguments: copies)
    func copy(probe: Probe) { probe.check() }

    @Test(
        "Requesting an unkeyed container for any non-array value matches Foundation's decoder",
        arguments: kinds
    )
    func reject(probe: Probe) { probe.check() }
}
