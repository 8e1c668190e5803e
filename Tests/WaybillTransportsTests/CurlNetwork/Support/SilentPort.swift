import TestSupport

#if os(Linux)
    import Foundation
    import Testing

    @testable import WaybillTesting

    /// A port that accepts connections and never sends anything.
    struct SilentPort {
        let listener: Socket
        let port: UInt16

        init() throws { (listener, port) = try Socket.listening() }

        func url(_ scheme: String) throws -> URL { try #require(URL(string: "\(scheme)://127.0.0.1:\(port)/it")) }

        /// Returns the next connection after it has received some bytes.
        func connection() async throws -> Socket {
            var accepted: Socket?
            await waitUntil {
                if accepted == nil { accepted = (try? listener.acceptConnection()).flatMap { $0 }.map(Socket.init) }
                if case .bytes = accepted?.peek() { return true }
                return false
            }
            return try #require(accepted)
        }
    }
#endif
