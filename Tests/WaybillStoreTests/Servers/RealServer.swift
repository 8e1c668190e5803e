import Foundation
import Testing
import Waybill

/// A server of another project, on which stores are tested; the integration tests fail if it has to be there and is
/// not.
enum RealServer: String, Sendable {
    case kinto, drf

    /// The base URL of its API.
    var url: URL {
        let text = ProcessInfo.processInfo.environment["WAYBILL_\(rawValue.uppercased())_URL"] ?? defaultURL
        return URL(string: text) ?? URL(fileURLWithPath: text)
    }

    private var defaultURL: String {
        switch self {
        case .kinto: "http://127.0.0.1:19114/v1"
        case .drf: "http://127.0.0.1:19120"
        }
    }

    /// Whether it responds.
    var isRunning: Bool {
        get async {
            let client = Client(url) { Retry.none }
            return (try? await client.get("", as: JSONValue.self)) != nil
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the tests of a server that is not running.
    static func running(_ server: RealServer) -> Self {
        .enabled("\(server) does not respond at \(server.url)") { await server.isRunning }
    }
}
