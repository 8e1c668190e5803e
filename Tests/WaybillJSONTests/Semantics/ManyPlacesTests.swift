import Testing

@Suite("Repeated access in any order")
struct ManyPlacesTests {
    @Test("Decoding elements of several arrays alternately matches Foundation's decoder", arguments: 1...7)
    func sideBySide(count: Int) {
        let array = "[[0,[1]],[0,[2,3]],[0,[4]]]"
        let json = "[" + repeatElement(array, count: count).joined(separator: ",") + "]"
        Probe("\(count) arrays", json) { decoder, log in
            var outer = try decoder.unkeyedContainer()
            var arrays: [any UnkeyedDecodingContainer] = []
            while !outer.isAtEnd { arrays.append(try outer.nestedUnkeyedContainer()) }
            for _ in 0..<3 {
                for place in arrays.indices {
                    var pair = try arrays[place].nestedUnkeyedContainer()
                    log.note(try pair.superDecoder().codingPath)
                    log.attempt { try pair.decode([String].self) }
                    log.note(pair.codingPath)
                }
            }
        }
        .check()
    }

    @Test("A missing member is missing no matter how often it is requested")
    func missing() {
        Probe("missing members", #"{"a":1}"#) { decoder, log in
            let container = try decoder.container(keyedBy: AnyKey.self)
            // Each request uses another index after the document, up to the end of the memory and beyond.
            for _ in 0..<1000 {
                let value = try container.superDecoder(forKey: "b").singleValueContainer()
                if (try? value.decode(Int.self)) != nil || (try? value.decode(Double.self)) != nil { log.note("found") }
                if !value.decodeNil() { log.note("not null") }
            }
        }
        .check()
    }
}
