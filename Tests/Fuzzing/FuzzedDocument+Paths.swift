import Foundation

/// Returns the number of allocated bytes, as counted by the address sanitizer.
@_silgen_name("__sanitizer_get_current_allocated_bytes")
private func allocatedByteCount() -> Int

extension FuzzedDocument {
    /// Checks that decoding at a path yields the value at that path.
    func checkPaths() {
        _ = outcome { try settings.decoder.decode(AnyJSON.self, from: data, at: "items", -1, "id") }
        guard settings.keepsKeys else { return }
        guard let top = outcome({ try settings.decoder.decode(AnyJSON.self, from: data) }).value else { return }
        var (value, path) = (top, [EnvelopeKey]())
        for byte in bytes.prefix(4) {
            switch value {
            case .array(let elements) where !elements.isEmpty:
                let index = Int(byte) % elements.count
                value = elements[index]
                path.append(.index(byte & 0x80 == 0 ? index : index - elements.count))
            case .object(let members) where !members.isEmpty:
                let key = members.keys.sorted()[Int(byte) % members.count]
                value = members[key] ?? .null
                path.append(.key(key))
            default: break
            }
        }
        let found = outcome { try settings.decoder.decode(AnyJSON.self, from: data, at: path) }.value
        expect(found == value, "at \(path) is \(String(describing: found)), not \(value)")
        _ = outcome {
            try settings.decoder.withDocument(data) { document in
                let value = value == .null ? nil : value
                expect(try document.decodeIfPresent(AnyJSON.self, at: path) == value, "the document has another")
                expect(document.contains(path) == (value != nil), "the document says otherwise")
                if case .array(let elements) = value {
                    expect(document.elementCount(at: path) == elements.count, "the document counts otherwise")
                }
            }
        }
    }

    /// A value that keeps its decoder and containers beyond the call.
    private struct Kept: Decodable {
        let decoder: any Decoder
        let keyed: KeyedDecodingContainer<AnyJSON.Key>?
        let typed: KeyedDecodingContainer<FuzzedTypes.Enumerations.CodingKeys>?
        let unkeyed: (any UnkeyedDecodingContainer)?
        let absent: (any Decoder)?

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            keyed = try? decoder.container(keyedBy: AnyJSON.Key.self)
            typed = try? decoder.container(keyedBy: FuzzedTypes.Enumerations.CodingKeys.self)
            unkeyed = try? decoder.unkeyedContainer()
            absent = try keyed?.superDecoder()
        }
    }

    /// Checks that decoders and containers kept beyond their call decode the same as during the call.
    func checkKept() {
        let values: [AnyJSON]
        let kept: [Kept]
        if let list = outcome({ try settings.decoder.decode([Kept].self, from: data) }).value {
            values = outcome { try settings.decoder.decode([AnyJSON].self, from: data) }.value ?? []
            kept = list
        } else {
            values = outcome { try settings.decoder.decode(AnyJSON.self, from: data) }.value.map { [$0] } ?? []
            kept = outcome { try settings.decoder.decode(Kept.self, from: data) }.value.map { [$0] } ?? []
        }
        for (value, kept) in zip(values, kept).prefix(8) { check(kept, value) }
    }

    private func check(_ kept: Kept, _ value: AnyJSON) {
        _ = (kept.decoder.codingPath, outcome { try kept.absent?.singleValueContainer().decodeNil() })
        expect(outcome { try AnyJSON(from: kept.decoder) }.value == value, "what is kept reads another value")
        if case .object(let members) = value, let keyed = kept.keyed {
            expect(Set(keyed.allKeys.map(\.stringValue)) == Set(members.keys), "what is kept has other keys")
            for (key, member) in members.prefix(4) {
                let key = AnyJSON.Key(stringValue: key)
                expect(outcome { try keyed.decode(AnyJSON.self, forKey: key) }.value == member, "\(key) is another")
                expect(keyed.contains(key), "\(key) is absent")
                _ = outcome { try keyed.nestedContainer(keyedBy: AnyJSON.Key.self, forKey: key).allKeys }
                _ = outcome { try Kept(from: try keyed.superDecoder(forKey: AnyJSON.Key(stringValue: "none"))) }
            }
            _ = outcome { try kept.typed?.decode([FuzzedTypes.Word].self, forKey: .words) }
        }
        if case .array(let elements) = value, var unkeyed = kept.unkeyed {
            var read: [AnyJSON] = []
            _ = outcome { while !unkeyed.isAtEnd { read.append(try unkeyed.decode(AnyJSON.self)) } }
            expect(read == elements, "what is kept has other elements")
        }
    }

    /// The container that a key strategy can access.
    private final class Reached: @unchecked Sendable {
        var container: KeyedDecodingContainer<AnyJSON.Key>?
        var isInside = false
    }

    private struct Reentered: Decodable {
        static let key = CodingUserInfoKey(rawValue: "reached")
        let members: [String: AnyJSON]

        init(from decoder: any Decoder) throws {
            let reached = Self.key.flatMap { decoder.userInfo[$0] as? Reached }
            let container = try decoder.container(keyedBy: AnyJSON.Key.self)
            reached?.container = container
            defer { reached?.container = nil }
            // The container calls the strategy while it looks up this member, and the strategy then uses the
            // container.
            _ = container.contains(AnyJSON.Key(stringValue: "a"))
            var members: [String: AnyJSON] = [:]
            for key in container.allKeys { members[key.stringValue] = try container.decode(AnyJSON.self, forKey: key) }
            self.members = members
        }
    }

    /// Checks that a key strategy that uses the container neither changes the result nor leaks memory.
    func checkReentry() {
        guard settings.selector & 3 == 3, bytes.contains(0x7B), let key = Reentered.key else { return }
        var decoder = settings.decoder
        // Only one thread uses this object.
        let reached = Reached()
        decoder.userInfo[key] = reached
        decoder.keyDecodingStrategy = .custom { path in
            if !reached.isInside {
                reached.isInside = true
                _ = reached.container?.contains(AnyJSON.Key(stringValue: "a"))
                _ = try? reached.container?.superDecoder()
                reached.isInside = false
            }
            return path[path.count - 1]
        }
        let members = outcome { try decoder.decode(Reentered.self, from: data) }.value?.members
        guard case .object(let expected)? = outcome({ try settings.decoder.decode(AnyJSON.self, from: data) }).value
        else { return }
        expect(members == expected, "a strategy that uses the container changes what is read")
        // Tables may grow once; a leak grows each time.
        let growth = (0..<4).map { _ in
            let before = allocatedByteCount()
            _ = outcome { try decoder.decode(Reentered.self, from: data) }
            return allocatedByteCount() - before
        }
        expect(growth.contains { $0 <= 0 }, "a strategy that uses the container leaks \(growth) bytes")
    }
}
