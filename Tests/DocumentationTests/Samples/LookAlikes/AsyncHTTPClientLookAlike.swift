import Foundation

// The parts of AsyncHTTPClient, SwiftNIO and SwiftNIO SSL that the adapter in Transports.md uses, with the same
// declarations. With them, the adapter compiles and runs without a dependency.

nonisolated final class HTTPClient: Sendable {
    struct Configuration: Sendable {
        enum RedirectConfiguration { case disallow, follow }

        enum DecompressionLimit: Sendable { case ratio(Int) }

        enum Decompression: Sendable { case disabled, enabled(limit: DecompressionLimit) }

        struct Timeout: Sendable {
            init(connect: TimeAmount? = nil, read: TimeAmount? = nil) {}
        }

        struct ConnectionPool: Sendable {
            var retryConnectionEstablishment = true
        }

        var decompression = Decompression.disabled
        var timeout = Timeout()
        var connectionPool = ConnectionPool()

        init(redirectConfiguration: RedirectConfiguration? = nil) {}
    }

    private let response: @Sendable (HTTPClientRequest) async throws -> HTTPClientResponse

    init(configuration: Configuration) { response = { _ in throw HTTPClientError.cancelled } }

    init(response: @escaping @Sendable (HTTPClientRequest) async throws -> HTTPClientResponse) {
        self.response = response
    }

    func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        try await response(request)
    }
}

nonisolated struct HTTPClientRequest: Sendable {
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

nonisolated struct HTTPClientResponse: Sendable {
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

nonisolated struct HTTPClientError: Error, Equatable {
    private let text: String

    static let cancelled = HTTPClientError(text: "cancelled")
    static let deadlineExceeded = HTTPClientError(text: "deadlineExceeded")
    static let readTimeout = HTTPClientError(text: "readTimeout")
    static let writeTimeout = HTTPClientError(text: "writeTimeout")
    static let connectTimeout = HTTPClientError(text: "connectTimeout")
    static let tlsHandshakeTimeout = HTTPClientError(text: "tlsHandshakeTimeout")
    static let bodyLengthMismatch = HTTPClientError(text: "bodyLengthMismatch")
    static let remoteConnectionClosed = HTTPClientError(text: "remoteConnectionClosed")
}

nonisolated enum HTTPParserError: Error {
    case invalidEOFState
    case invalidConstant
}

nonisolated enum ChannelError: Error {
    case connectTimeout(TimeAmount)
    case ioOnClosedChannel
    case eof
}

nonisolated enum BoringSSLError: Error {
    case sslError
}

nonisolated enum NIOSSLError: Error {
    case handshakeFailed(BoringSSLError)
    case uncleanShutdown
}

nonisolated struct NIOSSLExtraError: Error {}

nonisolated struct IOError: Error {
    let errnoCode: CInt
}

nonisolated struct NIOConnectionError: Error {
    let dnsAError: (any Error)?
}

nonisolated struct HTTPMethod: Sendable {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }
}

nonisolated struct HTTPHeaders: Sendable, RandomAccessCollection {
    private var fields: [(name: String, value: String)] = []

    var startIndex: Int { fields.startIndex }
    var endIndex: Int { fields.endIndex }

    subscript(position: Int) -> (name: String, value: String) { fields[position] }

    mutating func add(name: String, value: String) { fields.append((name, value)) }
}

nonisolated struct ByteBuffer: Sendable {
    let readableBytesView: [UInt8]

    init<Bytes: Sequence>(bytes: Bytes) where Bytes.Element == UInt8 { readableBytesView = Array(bytes) }
}

nonisolated struct TimeAmount: Sendable {
    let nanoseconds: Int64

    static func seconds(_ count: Int64) -> TimeAmount { TimeAmount(nanoseconds: count * 1_000_000_000) }
}
