import TestSupport

/// A response with some bytes changed, determined by a seed.
struct ResponseMutation {
    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\nfine",
        "HTTP/1.1 200 OK\r\n X-A: one\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nX-Folded: one\r\n\ttwo\r\n three\r\nContent-Length: 4\r\n\r\nfine",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nfi\r\n2\r\nne\r\n0\r\nX-Sum: 1\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine",
        "HTTP/1.1 204 No Content\r\nETag: \"a\"\r\n\r\n",
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nfine",
        "HTTP/1.1 301 Moved\r\nLocation: /b\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u{1F}\u{8B}\u{8}\u{0}",
        "HTTP/1.1 200 OK\r\n\r\nuntil the end",
    ]

    private static let tokens = [
        " ", "\t", "\r", "\n", "\r\n", "\r\n ", "\r\n\t", "\r\n\r\n", "\0", ":", ": ", ",", ";", "0x", "-1", "00",
        "99999999999999999999", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "Content-Length: 1\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n", "Connection: close\r\n", "é", "\u{7F}",
        " X: 1\r\n", "Content-Encoding: br\r\n", "Trailer: X\r\n",
    ]

    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Returns the bytes of a mutated response.
    mutating func response() -> [UInt8] {
        let text = Self.responses[Int.random(in: 0..<Self.responses.count, using: &random)]
        var bytes = text.unicodeScalars.map { $0.value < 0x100 ? UInt8($0.value) : 0x3F }
        for _ in 0..<Int.random(in: 0...4, using: &random) { mutate(&bytes) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let range = place..<min(bytes.count, place + Int.random(in: 0...12, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(range)
        case 2: bytes.insert(contentsOf: Array(bytes[range]), at: place)
        case 3: bytes.removeSubrange(place...)
        case 4 where !range.isEmpty: bytes.replaceSubrange(range, with: Array(repeating: bytes[place], count: 300))
        default:
            let token = Self.tokens[Int.random(in: 0..<Self.tokens.count, using: &random)]
            bytes.insert(contentsOf: Array(token.utf8), at: place)
        }
    }
}
