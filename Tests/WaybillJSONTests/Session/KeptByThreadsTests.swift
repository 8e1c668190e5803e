import Foundation
import TestSupport
import Testing
import WaybillJSON

/// Uses the decoders and containers of one call on several threads after the call has ended.
@Suite("Decoders kept beyond their call, on several threads")
struct KeptByThreadsTests {
    private static let threadCount = 8

    /// Runs a closure on several threads at once, and returns the lines that it logs on each.
    private static func lines(_ use: (Int, inout Script.Log) throws -> Void) -> [[String]] {
        nonisolated(unsafe) let use = use
        nonisolated(unsafe) var lines: [[String]] = Array(repeating: [], count: threadCount)
        let lock = NSLock()
        DispatchQueue.concurrentPerform(iterations: threadCount) { thread in
            var log = Script.Log()
            do { try use(thread, &log) } catch { log.note(Outcome.words(for: error)) }
            lock.withLock { lines[thread] = log.lines }
        }
        return lines
    }

    private final class Holder {
        var use: ((inout Script.Log) throws -> Void)?
    }

    /// Returns the closure that uses an object after the call that created it.
    private static func kept(
        _ keep: @escaping @Sendable (any Decoder) throws -> (inout Script.Log) throws -> Void,
        _ settings: DecoderSettings
    ) throws -> (inout Script.Log) throws -> Void {
        nonisolated(unsafe) let holder = Holder()
        var settings = settings
        let script: Script.Body = { decoder, _ in holder.use = try keep(decoder) }
        if let key = Script.key { settings.userInfo[key] = script }
        _ = try DecoderSide.waybill.decode(Script.self, from: KeptAloneTests.document, settings)
        // The user info retains the script, which retains the holder.
        defer { holder.use = nil }
        return try #require(holder.use)
    }

    static let strategies: [(name: String, keys: DecoderSettings.Keys)] = [
        ("default keys", .useDefaultKeys), ("snake case", .convertFromSnakeCase),
        ("a custom strategy", .custom { $0.last ?? AnyKey(stringValue: "") }),
    ]

    @Test(
        "A kept decoder shared by threads decodes the same on each thread as on one",
        arguments: Thoroughness.some(KeptAloneTests.cases, oneIn: 5),
        strategies.indices
    )
    func share(case kept: KeptAloneTests.Case, strategy: Int) throws {
        let settings = DecoderSettings(keys: Self.strategies[strategy].keys)
        var expected = Script.Log()
        try Self.kept(kept.keep, settings)(&expected)
        for _ in 0..<Thoroughness.repetitions(5, otherwise: 2) {
            let use = try Self.kept(kept.keep, settings)
            for lines in Self.lines({ _, log in try use(&log) }) { #expect(lines == expected.lines) }
        }
    }

    /// An element that is decoded on first use.
    private struct Lazy: Decodable {
        let decoder: any Decoder
        let container: KeyedDecodingContainer<Name>?

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            container = try? decoder.container(keyedBy: Name.self)
        }

        enum Name: String, CodingKey { case id, name, tags, missing, `super` }
    }

    private struct Product: Decodable, Equatable {
        let id: Int
        let name: String
        let tags: [String]
        let price: Decimal?
        let parts: [Product]?
    }

    private static let products = Data(
        ("["
            + (0..<200).map { #"{"id":\#($0),"name":"é\#($0)","tags":["a\n","b"],"parts":[{"id":1,"tags":[]}]}"# }
            .joined(separator: ",") + "]").utf8
    )

    @Test("Threads decode different elements of one document from kept decoders")
    func divide() throws {
        let elements = try WaybillJSONDecoder().decode([Lazy].self, from: Self.products)
        for (thread, lines) in Self.lines({ thread, log in
            for index in stride(from: thread, to: elements.count, by: Self.threadCount) {
                let (decoder, container) = (elements[index].decoder, try #require(elements[index].container))
                log.note(decoder.codingPath)
                log.attempt { try container.decode(Int.self, forKey: .id) }
                log.attempt { try container.decode([String].self, forKey: .tags) }
                log.attempt { try container.superDecoder(forKey: .missing).codingPath.count }
                log.attempt { try Product(from: decoder) }
                log.attempt { try decoder.singleValueContainer().decode([String: AnyJSON].self).count }
            }
        }).enumerated() {
            let expected = stride(from: thread, to: elements.count, by: Self.threadCount).flatMap { index in
                [
                    "<Index \(index)#\(index)>", "\(index)", #"["a\n", "b"]"#, "2",
                    "keyNotFound name at <Index \(index)#\(index) > parts > Index 0#0>", "4",
                ]
            }
            #expect(lines == expected)
        }
    }

    @Test("An error from a kept decoder has its path and its position in the document")
    func diagnose() throws {
        let document = Data("[\n  {\"id\": 1, \"name\": \"a\"},\n  {\"id\": \"two\", \"name\": \"b\"}\n]".utf8)
        let elements = try WaybillJSONDecoder().decode([Lazy].self, from: document)
        for lines in Self.lines({ _, log in
            for keep in [true, false] {
                do {
                    if keep {
                        _ = try elements[1].container?.decode(Int.self, forKey: .id)
                    } else {
                        _ = try Product(from: elements[1].decoder)
                    }
                } catch let error as DecodingError {
                    let diagnosis = WaybillJSONDecoder.Diagnosis(error)
                    log.note("\(diagnosis?.path ?? "") \(diagnosis?.line ?? 0):\(diagnosis?.column ?? 0)")
                }
            }
        }) {
            #expect(lines == [#""[1].id 3:10""#, #""[1].id 3:10""#])
        }
    }

    @Test("A decoder kept while using a kept decoder remains usable")
    func keepAgain() throws {
        let outer = try #require(WaybillJSONDecoder().decode([Lazy].self, from: Self.products).last)
        let inner = try #require(
            try outer.decoder.container(keyedBy: AnyKey.self).decode([Lazy].self, forKey: "parts").first
        )
        for lines in Self.lines({ _, log in
            log.note(inner.decoder.codingPath)
            log.attempt { try #require(inner.container).decode(Int.self, forKey: .id) }
            log.attempt { try Product(from: inner.decoder) }
        }) {
            #expect(
                lines == [
                    "<Index 199#199 > parts > Index 0#0>", "1",
                    "keyNotFound name at <Index 199#199 > parts > Index 0#0>",
                ]
            )
        }
    }

    @Test("Several threads can decode a kept document")
    func document() throws {
        nonisolated(unsafe) let document = try WaybillJSONDecoder().withDocument(Self.products) { $0 }
        for lines in Self.lines({ _, log in
            log.attempt { try document.decode(Int.self, at: 7, "id") }
            log.attempt { document.elementCount(at: 3, "tags") ?? 0 }
            log.attempt { try document.decodeLossy([Product].self).dropped.count }
        }) {
            #expect(lines == ["7", "2", "200"])
        }
    }
}
