import Foundation

/// The transport that a client has when it is given none; all clients share it.
///
/// On Linux that is ``CurlTransport``, and where libcurl cannot be loaded, ``URLSessionTransport``, of which a line on
/// standard error tells once; on Apple's platforms it is ``URLSessionTransport``. It keeps no cookies, cache or
/// credentials.
public struct DefaultTransport: Transport {
    static let shared = DefaultTransport(chosen: chosen())

    private let chosen: any Transport

    private init(chosen: any Transport) { self.chosen = chosen }

    /// Sends a request and returns the response's head, with a body that is still arriving.
    ///
    /// - Throws: ``TransportError`` whose message names the host and never the path or the query.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await chosen.send(request)
    }

    private static func chosen() -> any Transport {
        #if os(Linux)
            choose({ () throws(TransportError) in try CurlTransport() }) { line in
                FileHandle.standardError.write(Data((line + "\n").utf8))
            }
        #else
            URLSessionTransport()
        #endif
    }

    /// The preferred transport, or where there is none `URLSession`, of which a line is told.
    static func choose(
        _ preferred: () throws(TransportError) -> any Transport,
        tell: (String) -> Void
    ) -> any Transport {
        do throws(TransportError) {
            return try preferred()
        } catch {
            tell("Waybill: \(error.message); URLSession is used in place of libcurl")
            return URLSessionTransport()
        }
    }
}

extension Transport where Self == DefaultTransport {
    /// The default transport, which all its users share: libcurl on Linux, `URLSession` elsewhere.
    public static var `default`: DefaultTransport { .shared }
}
