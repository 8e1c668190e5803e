import CallSupport
import Foundation
import Testing

@testable import Waybill

#if os(Linux)
    @testable import WaybillCurl
#endif

@Suite("ChunkedDecoder")
struct ChunkedDecoderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let wire: String
        var content = ""
        var trailer = ""
        /// The bytes after the end of the chunked body.
        var rest = ""
        var isAtEnd = true
        var failure: String?

        init(_ wire: String, content: String = "", trailer: String = "", rest: String = "", isAtEnd: Bool = true) {
            (self.wire, self.content, self.trailer, self.rest, self.isAtEnd) = (wire, content, trailer, rest, isAtEnd)
        }

        init(_ wire: String, failure: String) { (self.wire, self.failure) = (wire, failure) }

        var testDescription: String { wire.debugDescription }
    }

    static let accepted = [
        Row("0\r\n\r\n"),
        Row("4\r\nfine\r\n0\r\n\r\n", content: "fine"),
        Row("a\r\n0123456789\r\nA\r\n0123456789\r\n000\r\n\r\n", content: "01234567890123456789"),
        Row("000000000000004\r\nfine\r\n0\r\n\r\n", content: "fine"),
        Row("2;name=value\r\nfi\r\n2 \t\r\nne\r\n0 ;a;b=\"c;d\"\r\n\r\n", content: "fine"),
        Row("4\r\n\r\n\r\n\r\n0\r\n\r\n", content: "\r\n\r\n"),
        Row("0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n", trailer: "X-Sum: 1\r\nX-Sum: 2\r\n"),
        Row("0\r\nX-Sum: 1\r\n 2\r\n\r\n", trailer: "X-Sum: 1\r\n 2\r\n"),
        Row("0\r\nX-Sum: 1\n\n", trailer: "X-Sum: 1\n"),
        Row("1\r\nx\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n", content: "x", rest: "HTTP/1.1 200 OK\r\n"),
        Row("", isAtEnd: false),
        Row("4\r\nfi", content: "fi", isAtEnd: false),
        Row("4\r\nfine\r\n", content: "fine", isAtEnd: false),
        Row("0\r\n", isAtEnd: false),
    ]

    static let rejected = [
        Row("0x2\r\nhi\r\n0\r\n\r\n", failure: "chunk 1: its size is not a hexadecimal number"),
        Row("1\r\nx\r\n0x0\r\n\r\n", failure: "chunk 2: its size is not a hexadecimal number"),
        Row("\r\n", failure: "chunk 1: its size is not a hexadecimal number"),
        Row(" 4\r\nfine", failure: "chunk 1: its size is not a hexadecimal number"),
        Row("-4\r\nfine", failure: "chunk 1: its size is not a hexadecimal number"),
        Row("4 2\r\nfine", failure: "chunk 1: its size is not a hexadecimal number"),
        Row("4\nfine", failure: "chunk 1: its size is not a hexadecimal number"),
        Row("4;a\nfine", failure: "chunk 1: its size line does not end in CR LF"),
        Row("4\rfine", failure: "chunk 1: its size line does not end in CR LF"),
        Row("8000000000000000\r\n", failure: "chunk 1: its size is too large"),
        Row("11111111111111111\r\n", failure: "chunk 1: its size is too large"),
        Row("00000000000000001\r\n", failure: "chunk 1: its size is too large"),
        Row("4;" + String(repeating: "x", count: 20_000), failure: "chunk 1: its extensions are too long"),
        Row("4" + String(repeating: " ", count: 20_000), failure: "chunk 1: its extensions are too long"),
        Row("2\r\nfine\r\n", failure: "chunk 1: it is longer than its size"),
        Row("4\r\nfine\rx", failure: "chunk 1: its content does not end in CR LF"),
        Row("0\r\nHTTP/1.1 200 OK\r\n", failure: "a line of the trailer section is not a field"),
        Row("0\r\nX-Sum : 1\r\n", failure: "a line of the trailer section is not a field"),
        Row("0\r\n X-Sum: 1\r\n", failure: "a line of the trailer section is not a field"),
        Row("0\r\nX-Sum: " + String(repeating: "1", count: 2000), failure: "the trailer section is too long"),
    ]

    @Test("A chunked body decodes to its content, however its bytes are split", arguments: accepted)
    func accepts(_ row: Row) throws {
        for split in 1...max(1, row.wire.utf8.count) {
            var (decoder, content) = (ChunkedDecoder(trailerLimit: 1000), [UInt8]())
            let consumed = try Self.decode(row.wire, split, with: &decoder, into: &content)
            #expect(String(decoding: content, as: UTF8.self) == row.content)
            #expect(String(decoding: decoder.trailer, as: UTF8.self) == row.trailer)
            #expect(decoder.isAtEnd == row.isAtEnd)
            #expect(String(decoding: Array(row.wire.utf8)[consumed...], as: UTF8.self) == row.rest)
        }
    }

    @Test("A violation of the chunked grammar is rejected with the chunk number and the cause", arguments: rejected)
    func rejects(_ row: Row) throws {
        for split in [1, 2, 3, 5, row.wire.utf8.count] {
            var (decoder, content) = (ChunkedDecoder(trailerLimit: 1000), [UInt8]())
            let failure = #expect(throws: ChunkedDecoder.Failure.self) {
                try Self.decode(row.wire, split, with: &decoder, into: &content)
            }
            #expect(failure?.text == row.failure)
            #expect(failure?.isTooLong == row.failure?.hasPrefix("the trailer section is too long"))
        }
    }

    /// Decodes a text in pieces, and returns the number of consumed bytes.
    @discardableResult
    private static func decode(
        _ wire: String,
        _ split: Int,
        with decoder: inout ChunkedDecoder,
        into content: inout [UInt8]
    ) throws -> Int {
        let bytes = Array(wire.utf8)
        var consumed = 0
        while consumed < bytes.count {
            let piece = bytes[consumed..<min(consumed + max(1, split), bytes.count)]
            let count = try piece.withUnsafeBytes { bytes throws(ChunkedDecoder.Failure) in
                try decoder.decode(bytes) { content += $0 }
            }
            consumed += count
            if count < piece.count { break }
        }
        return consumed
    }
}
