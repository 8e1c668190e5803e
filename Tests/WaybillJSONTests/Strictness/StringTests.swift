import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Strings at every offset")
struct StringTests {
    /// The offsets of a piece in a string: the numbers of bytes before and after it.
    static let offsets = (0...40).flatMap { before in [0, 1, 20, 64].map { (before, $0) } }

    static func string(_ piece: [UInt8], _ before: Int, _ after: Int) -> [UInt8] {
        Array(repeating: UInt8(ascii: "x"), count: before) + piece + Array(repeating: UInt8(ascii: "y"), count: after)
    }

    /// Returns documents that contain a string, as a value and as a key.
    static func documents(_ string: [UInt8]) -> [Data] {
        let quoted = Documents.quoted(string)
        return [
            Data(quoted), Data(Array("[0,".utf8) + quoted + Array("]".utf8)),
            Data(Array("{".utf8) + quoted + Array(":0}".utf8)),
        ]
    }

    @Test("An invalid string is rejected", arguments: Thoroughness.some(Documents.faultyPieces.keys.sorted(), oneIn: 3))
    func reject(category: String) throws {
        for piece in try #require(Documents.faultyPieces[category]) {
            for (before, after) in Self.offsets {
                for document in Self.documents(Self.string(piece, before, after)) {
                    expectRejected(document) {
                        _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                    }
                }
            }
        }
    }

    @Test(
        "An invalid sequence after an escape is rejected",
        arguments: Thoroughness.some(Documents.faultyPieces.keys.sorted(), oneIn: 3)
    )
    func rejectBehindEscape(category: String) throws {
        for piece in try #require(Documents.faultyPieces[category]) {
            for (before, after) in Self.offsets {
                for document in Self.documents(Array(#"\n"#.utf8) + Self.string(piece, before, after)) {
                    expectRejected(document) {
                        _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                    }
                }
            }
        }
    }

    @Test("An invalid string is rejected when it is read", arguments: Documents.faultyPieces.keys.sorted())
    func rejectRead(category: String) throws {
        for piece in try #require(Documents.faultyPieces[category]) {
            for before in 0...40 {
                let quoted = Documents.quoted(Self.string(piece, before, 3))
                expectRejected(Data(quoted)) { _ = try WaybillJSONDecoder().decode(String.self, from: $0) }
                expectRejected(Data([0x7B] + quoted + Array(":1}".utf8))) {
                    _ = try WaybillJSONDecoder().decode([String: Int].self, from: $0)
                }
            }
        }
    }

    @Test("A valid string is decoded at every offset")
    func accept() throws {
        let decoder = WaybillJSONDecoder()
        for (piece, meaning) in Documents.pieces {
            for (before, after) in Self.offsets {
                let quoted = Documents.quoted(Self.string(piece, before, after))
                let expected = String(repeating: "x", count: before) + meaning + String(repeating: "y", count: after)
                let value = try decoder.decode(String.self, from: Data(quoted))
                #expect(Array(value.utf8) == Array(expected.utf8))
                let keys = try decoder.decode([String: Int].self, from: Data([0x7B] + quoted + Array(":1}".utf8))).keys
                #expect(keys.map { Array($0.utf8) } == [Array(expected.utf8)])
            }
        }
    }

    @Test("A key is matched by its decoded text at every offset")
    func findKeys() throws {
        for (piece, meaning) in Documents.pieces {
            for before in 0...40 {
                let quoted = Documents.quoted(Self.string(piece, before, 1))
                let key = AnyKey(stringValue: String(repeating: "x", count: before) + meaning + "y")
                var settings = DecoderSettings()
                let find: Script.Body = { decoder, log in
                    log.note(try decoder.container(keyedBy: AnyKey.self).decode(Int.self, forKey: key))
                }
                if let scriptKey = Script.key { settings.userInfo[scriptKey] = find }
                let document = Data(Array(#"{"x":0,"#.utf8) + quoted + Array(#":1,"y":2}"#.utf8))
                let log = try DecoderSide.waybill.decode(Script.self, from: document, settings).log
                #expect(log.lines == ["1"], "\(shown(document))")
            }
        }
    }

    @Test("A string longer than any buffer is decoded in full")
    func longStrings() throws {
        for length in [255, 256, 257, 1023, 4095, 4096, 65_535, 65_536, 300_000] {
            let plain = Array(repeating: UInt8(ascii: "x"), count: length)
            let text = try WaybillJSONDecoder().decode(String.self, from: Data(Documents.quoted(plain)))
            #expect(text.utf8.count == length)
            let escaped = try WaybillJSONDecoder().decode(
                String.self,
                from: Data(Documents.quoted(plain + Array(#"\n"#.utf8)))
            )
            #expect(escaped.utf8.count == length + 1)
            expectRejected(Data([0x22] + plain)) { _ = try WaybillJSONDecoder().decode(String.self, from: $0) }
        }
    }
}
