import Foundation
import Testing
import Waybill

/// A third-party server for testing stores.
///
/// Tests are skipped if their server is not running, unless the servers are required.
enum RealServer: String, Sendable {
    case kinto, drf

    /// The base URL of the API.
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

    /// Whether the server responds.
    var isRunning: Bool {
        get async {
            let client = Client(url) { Retry.none }
            return (try? await client.get("", as: JSONValue.self)) != nil
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests whose server is not running.
    static func running(_ server: RealServer) -> Self {
        .enabled("\(server) does not respond at \(server.url)") { await server.isRunning }
    }
}
