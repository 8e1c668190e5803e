import Foundation
struct ValueEncoder { enum N { case null, omitted }; init(nils: N) {} ; func encode(_ v: any Encodable) throws -> any Encodable { v } }
public struct URLSessionTransport: Transport { public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse { throw TransportError(.other) } }
extension Transport where Self == URLSessionTransport { public static var `default`: URLSessionTransport { .init() } }
