import Foundation
import Waybill

struct AsyncHTTPClientTransport: Transport {
    let client: HTTPClient
    var headTimeout: TimeAmount = .seconds(60)  // from the start to the head of the response
    var decompresses = true  // as in the client's configuration

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        let counter = TransferControl.Counter(for: request, options)  // nil unless the call is controlled
        do {
            let response = try await client.execute(outgoing(request, counter), timeout: headTimeout)
            let fields = fields(of: response, to: request)
            counter?.expectToReceive(request.method == .head ? 0 : fields[.contentLength].flatMap { Int($0) })
            return HTTPResponse(
                status: .init(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase),
                headerFields: fields,
                body: HTTPBody(Chunks(buffers: response.body, counter: counter))
            )
        } catch {
            throw Self.transportError(error)
        }
    }

    private func outgoing(_ request: HTTPRequest, _ counter: TransferControl.Counter?) -> HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        if decompresses, request.method != .head, !request.headerFields.contains(.acceptEncoding) {
            outgoing.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        }
        if counter == nil, let bytes = request.body?.bytes {
            outgoing.body = .bytes(bytes)
        } else if let body = request.body {
            let length = body.length.map { HTTPClientRequest.Body.Length.known(Int64($0)) }
            let buffers = body.map { chunk in
                counter?.addSent(chunk.count)
                return ByteBuffer(bytes: chunk)
            }
            outgoing.body = .stream(buffers, length: length ?? .unknown)
        }
        return outgoing
    }

    private func fields(of response: HTTPClientResponse, to request: HTTPRequest) -> HTTPFields {
        var fields = HTTPFields(
            response.headers.compactMap { name, value in
                HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
            }
        )
        // They describe the encoded bytes, which have been decoded.
        if decompresses, request.method != .head, ["gzip", "deflate"].contains(fields[.contentEncoding]) {
            fields.removeAll(named: .contentEncoding)
            fields.removeAll(named: .contentLength)
        }
        return fields
    }

    /// The response's body, chunk by chunk.
    private struct Chunks: AsyncSequence, Sendable {
        let buffers: HTTPClientResponse.Body
        let counter: TransferControl.Counter?

        struct Iterator: AsyncIteratorProtocol {
            var buffers: HTTPClientResponse.Body.AsyncIterator
            let counter: TransferControl.Counter?

            mutating func next() async throws -> Data? {
                do {
                    let chunk = try await buffers.next().map { Data($0.readableBytesView) }
                    if let chunk { counter?.addReceived(chunk.count) } else { counter?.end() }
                    return chunk
                } catch {
                    counter?.end()
                    throw transportError(error)
                }
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(buffers: buffers.makeAsyncIterator(), counter: counter) }
    }

    private static func transportError(_ error: any Error) -> TransportError {
        let kind: TransportError.Kind? =
            switch error {
            case let error as HTTPClientError: kind(of: error)
            case HTTPParserError.invalidEOFState: .connectionLost
            case is HTTPParserError: .invalidResponse
            case let error as NIOConnectionError: error.dnsAError == nil ? .cannotConnect : .cannotResolveHost
            case let error as IOError: error.errnoCode == ECONNREFUSED ? .cannotConnect : .connectionLost
            case ChannelError.connectTimeout: .cannotConnect
            case is ChannelError, NIOSSLError.uncleanShutdown: .connectionLost
            case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .secureConnectionFailed
            default: nil
            }
        return kind.map { TransportError($0, "\(error)", underlying: error) } ?? TransportError(wrapping: error)
    }

    private static func kind(of error: HTTPClientError) -> TransportError.Kind {
        switch error {
        case .cancelled: .cancelled
        case .deadlineExceeded, .readTimeout, .writeTimeout: .timedOut
        case .connectTimeout: .cannotConnect
        case .tlsHandshakeTimeout: .secureConnectionFailed
        case .remoteConnectionClosed: .connectionLost
        case .bodyLengthMismatch: .unsupportedRequest
        default: .other
        }
    }
}
