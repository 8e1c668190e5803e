import Foundation

// As much of AsyncHTTPClient 1.37 and of SwiftNIO, declared as there, as the adapter in Transports.md uses: the package
// depends on no other, and the adapter is compiled and run nevertheless.

final class HTTPClient: Sendable {
    struct Configuration: Sendable {
        enum RedirectConfiguration { case disallow, follow }

        enum DecompressionLimit: Sendable { case ratio(Int) }

        enum Decompression: Sendable { case disabled, enabled(limit: DecompressionLimit) }

        var decompression = Decompression.disabled

        init(redirectConfiguration: RedirectConfiguration? = nil) {}
    }

    private let answer: @Sendable (HTTPClientRequest) async throws -> HTTPClientResponse

    init(configuration: Configuration) { answer = { _ in throw HTTPClientError.cancelled } }

    init(answer: @escaping @Sendable (HTTPClientRequest) async throws -> HTTPClientResponse) { self.answer = answer }

    func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        try await answer(request)
    }
}

struct HTTPClientRequest: Sendable {
    struct Body: Sendable {
        enum Length: Sendable {
            case known(Int64)
            case unknown
        }

        let collect: @Sendable () async throws -> [UInt8]

        static func bytes<Bytes: RandomAccessCollection & Sendable>(_ bytes: Bytes) -> Body
        where Bytes.Element == UInt8 {
            Body { Array(bytes) }
        }

        static func stream<Buffers: AsyncSequence & Sendable>(_ buffers: Buffers, length: Length) -> Body
        where Buffers.Element == ByteBuffer {
            Body {
                var bytes: [UInt8] = []
                for try await buffer in buffers { bytes += buffer.readableBytesView }
                return bytes
            }
        }
    }

    var url: String
    var method = HTTPMethod(rawValue: "GET")
    var headers = HTTPHeaders()
    var body: Body?

    init(url: String) { self.url = url }
}

struct HTTPClientResponse: Sendable {
    struct Status: Sendable {
        let code: UInt
        let reasonPhrase: String
    }

    struct Body: AsyncSequence, Sendable {
        struct AsyncIterator: AsyncIteratorProtocol {
            var chunks: ArraySlice<Result<ByteBuffer, HTTPParserError>>

            mutating func next() async throws -> ByteBuffer? { try chunks.popFirst()?.get() }
        }

        let chunks: [Result<ByteBuffer, HTTPParserError>]

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks[...]) }
    }

    let status: Status
    let headers: HTTPHeaders
    let body: Body
}

struct HTTPClientError: Error, Equatable {
    private let text: String

    static let cancelled = HTTPClientError(text: "cancelled")
    static let deadlineExceeded = HTTPClientError(text: "deadlineExceeded")
    static let readTimeout = HTTPClientError(text: "readTimeout")
    static let writeTimeout = HTTPClientError(text: "writeTimeout")
    static let connectTimeout = HTTPClientError(text: "connectTimeout")
    static let remoteConnectionClosed = HTTPClientError(text: "remoteConnectionClosed")
}

enum HTTPParserError: Error {
    case invalidEOFState
    case invalidConstant
}

struct IOError: Error {
    let errnoCode: CInt
}

struct NIOConnectionError: Error {
    let dnsAError: (any Error)?
}

struct HTTPMethod: Sendable {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }
}

struct HTTPHeaders: Sendable, RandomAccessCollection {
    private var fields: [(name: String, value: String)] = []

    var startIndex: Int { fields.startIndex }
    var endIndex: Int { fields.endIndex }

    subscript(position: Int) -> (name: String, value: String) { fields[position] }

    mutating func add(name: String, value: String) { fields.append((name, value)) }
}

struct ByteBuffer: Sendable {
    let readableBytesView: [UInt8]

    init<Bytes: Sequence>(bytes: Bytes) where Bytes.Element == UInt8 { readableBytesView = Array(bytes) }
}

struct TimeAmount: Sendable {
    let nanoseconds: Int64

    static func seconds(_ count: Int64) -> TimeAmount { TimeAmount(nanoseconds: count * 1_000_000_000) }
}
