import Foundation
import Testing

@Suite("Keyed containers, compared with Foundation")
struct KeyedContainerProbes {
    enum Narrow: String, CodingKey { case a, c }

    enum Numbered: Int, CodingKey { case one = 1, two = 2 }

    static let many = "{" + (0..<40).map { #""key\#($0)":\#($0)"# }.joined(separator: ",") + "}"

    static let access: [Probe] = [
        Probe("keys in any order, and twice", #"{"a":1,"b":2,"c":3,"d":4}"#) { decoder, log in
            let container = try decoder.container(keyedBy: AnyKey.self)
            for key in ["d", "a", "c", "c", "b", "a", "d", "b"] as [AnyKey] {
                log.attempt { try container.decode(Int.self, forKey: key) }
            }
        },
        Probe("another type for the same key", #"{"a":1,"b":[1,{"c":2}]}"#) { decoder, log in
            let container = try decoder.container(keyedBy: AnyKey.self)
            log.attempt { try container.decode(String.self, forKey: "a") }
            log.attempt { try container.decode(Double.self, forKey: "a") }
            log.attempt { try container.decode([Int].self, forKey: "b") }
            log.attempt { try container.decode([EnumProbes.Union].self, forKey: "b") }
            log.attempt { try container.decode([Int].self, forKey: "b") }
            log.attempt { try container.decode(Int.self, forKey: "a") }
        },
        Probe("forty keys, backwards and forwards", many) { decoder, log in
            let container = try decoder.container(keyedBy: AnyKey.self)
            for index in (0..<40).reversed() + Array(0..<40) + [0, 39, 1, 38, 20] {
                log.attempt { try container.decode(Int.self, forKey: AnyKey(stringValue: "key\(index)")) }
            }
            log.attempt { try container.decode(Int.self, forKey: "key40") }
            log.attempt { try container.decode(Int.self, forKey: "key") }
            log.note(container.allKeys.map(\.stringValue).sorted())
        },
        Probe("only keys that the type takes are listed", #"{"a":1,"b":2,"c":3,"1":4}"#) { decoder, log in
            log.note(try decoder.container(keyedBy: Narrow.self).allKeys.map(\.stringValue).sorted())
            log.note(try decoder.container(keyedBy: Numbered.self).allKeys.map(\.stringValue).sorted())
            log.note(try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted())
            log.note(try decoder.container(keyedBy: Narrow.self).contains(.a))
        },
        Probe("keys of integer values", #"{"one":1,"2":2,"1":3}"#) { decoder, log in
            let container = try decoder.container(keyedBy: Numbered.self)
            log.attempt { try container.decode(Int.self, forKey: .one) }
            log.attempt { try container.decode(Int.self, forKey: .two) }
            log.attempt { try container.decode(String.self, forKey: .one) }
            log.note(container.allKeys.count)
        },
        Probe("escaped and odd keys", #"{"\u0061\n":1,"\"":2,"\\":3,"\/":4,"é":5,"😀":6,"":7,"\u0000":8}"#) {
            decoder,
            log in
            let container = try decoder.container(keyedBy: AnyKey.self)
            for key in ["a\n", "\"", "\\", "/", "é", "e\u{301}", "😀", "", "\0", "\\u0061\\n"] as [AnyKey] {
                log.attempt { try container.decode(Int.self, forKey: key) }
            }
        },
        Probe("an empty object", "{}") { decoder, log in
            let container = try decoder.container(keyedBy: AnyKey.self)
            log.note(container.allKeys.count)
            log.note(container.contains("a"))
            log.attempt { try container.decode(Int.self, forKey: "a") }
            log.attempt { try container.decodeIfPresent(Int.self, forKey: "a") }
        },
        Probe("containers of several key types", #"{"a":1,"b":{"c":2}}"#) { decoder, log in
            let narrow = try decoder.container(keyedBy: Narrow.self)
            let wide = try decoder.container(keyedBy: AnyKey.self)
            log.attempt { try narrow.decode(Int.self, forKey: .a) }
            log.attempt { try wide.decode([String: Int].self, forKey: "b") }
            log.attempt { try narrow.decode(Int.self, forKey: .c) }
            log.attempt { try wide.nestedContainer(keyedBy: Narrow.self, forKey: "b").decode(Int.self, forKey: .c) }
        },
    ]

    static let duplicates: [Probe] = [
        #"{"a":1,"a":2}"#, #"{"a":1,"b":5,"a":2,"a":3}"#, #"{"\u0061":1,"a":2}"#, #"{"a":1,"\u0061":2}"#,
        #"{"a":"x","a":2}"#, #"{"a":null,"a":2}"#, #"{"a":1,"a":null}"#, #"{"A":0,"a":1}"#,
        #"{"b":1,"c":2,"d":3,"e":4,"f":5,"g":6,"h":7,"i":8,"j":9,"a":10,"a":11,"k":12,"l":13,"m":14,"n":15,"o":16,"p":17}"#,
        #"{"a":{"x":1},"a":{"y":2}}"#,
    ].map { json in
        Probe("a key that stands more than once: \(json)", json) { decoder, log in
            let container = try decoder.container(keyedBy: AnyKey.self)
            log.attempt { try container.decode(Int.self, forKey: "a") }
            log.attempt { try container.decodeIfPresent(Int.self, forKey: "a") }
            log.attempt { try container.decodeNil(forKey: "a") }
            log.note(container.allKeys.map(\.stringValue).sorted())
        }
    }

    /// Keys that are equal as Swift strings but differ in their scalars.
    static let equivalents: [Probe] = [
        ("\u{E9}", "e\u{301}"), ("e\u{301}", "\u{E9}"), ("\u{212B}", "\u{C5}"), ("\u{2126}", "\u{3A9}"),
        ("\u{1EA5}", "\u{E2}\u{301}"), ("\u{AC00}", "\u{1100}\u{1161}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"),
        ("\u{FB01}", "fi"), ("K", "\u{212A}"), ("\u{212A}", "K"), (";", "\u{37E}"),
        ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
    ].flatMap { (first, second) -> [Probe] in
        let shown = "\(first.unicodeScalars.map(\.value)) and \(second.unicodeScalars.map(\.value))"
        return [
            Probe("keys \(shown), both there", #"{"\#(first)":1,"\#(second)":2}"#) { decoder, log in
                let container = try decoder.container(keyedBy: AnyKey.self)
                log.attempt { try container.decode(Int.self, forKey: AnyKey(stringValue: first)) }
                log.attempt { try container.decode(Int.self, forKey: AnyKey(stringValue: second)) }
                log.note(container.allKeys.count)
            },
            Probe("keys \(shown), the other one asked for", #"{"\#(first)":1}"#) { decoder, log in
                let container = try decoder.container(keyedBy: AnyKey.self)
                log.note(container.contains(AnyKey(stringValue: second)))
                log.attempt { try container.decode(Int.self, forKey: AnyKey(stringValue: second)) }
            },
        ]
    }

    static let kinds: [Probe] = ["null", "true", "1", #""x""#, "[]", #"[{"a":1}]"#].map { json in
        Probe("a keyed container of \(json)", json) { decoder, log in
            log.attempt { try decoder.container(keyedBy: AnyKey.self).allKeys.count }
            log.attempt { try decoder.singleValueContainer().decode([String: Int].self) }
        }
    }

    @Test("Accessing the members of a keyed container in any order matches Foundation's decoder", arguments: access)
    func readInAnyOrder(probe: Probe) { probe.check() }

    @Test("Decoding repeated keys matches Foundation's decoder", arguments: duplicates)
    func duplicate(probe: Probe) { probe.check() }

    @Test("Decoding canonically equivalent keys matches Foundation's decoder", arguments: equivalents)
    func equivalent(probe: Probe) { probe.check() }

    @Test("Requesting a keyed container for any non-object value matches Foundation's decoder", arguments: kinds)
    func reject(probe: Probe) { probe.check() }
}
