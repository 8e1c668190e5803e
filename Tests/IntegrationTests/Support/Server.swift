import Foundation
import Testing

/// A REST server of another project, on which the integration tests run.
///
/// Each is expected at a port of this machine; an environment variable such as `WAYBILL_KINTO_URL` sets another URL.
enum Server: String, CaseIterable, Sendable {
    case datasette, drf, httpbin, jsonapi, kinto, prometheus, registry, tus
    /// A server of Django with a login form and sessions.
    case sessions
    /// A server of OGC API Processes, which runs processes as jobs.
    case processes
    /// A registry that asks for tokens.
    case registryWithTokens = "registry_auth"

    /// The name of the server in texts.
    var title: String {
        switch self {
        case .datasette: "Datasette"
        case .drf: "Django REST framework"
        case .httpbin: "httpbin"
        case .jsonapi: "JSON:API (django-rest-framework-json-api)"
        case .kinto: "Kinto"
        case .processes: "OGC API Processes (pygeoapi)"
        case .prometheus: "Prometheus"
        case .registry: "Docker Registry"
        case .registryWithTokens: "Docker Registry with tokens"
        case .sessions: "Django with sessions"
        case .tus: "tus (tuspyserver)"
        }
    }

    /// The base URL of its API.
    var url: URL {
        let text = ProcessInfo.processInfo.environment[variable] ?? defaultURL
        return URL(string: text) ?? URL(fileURLWithPath: text)
    }

    /// The environment variable that names another base URL.
    var variable: String { "WAYBILL_\(rawValue.uppercased())_URL" }

    /// The servers that were reachable when the tests started.
    static let running: Set<Server> = Set(allCases.filter { Reachability.accepts(connectionsTo: $0.url) })

    /// Whether a missing server is a failure: if the variable is set, as in continuous integration.
    static let areRequired = ProcessInfo.processInfo.environment["WAYBILL_REQUIRE_SERVERS"] != nil

    var isRunning: Bool { Self.running.contains(self) }

    /// The advice about a missing server.
    var absence: String {
        "\(title) does not respond at \(url.absoluteString): start it there, or give another base URL in \(variable)"
    }

    private var defaultURL: String {
        switch self {
        case .datasette: "http://127.0.0.1:19119"
        case .drf: "http://127.0.0.1:19120"
        case .httpbin: "http://127.0.0.1:19129"
        case .jsonapi: "http://127.0.0.1:19121"
        case .kinto: "http://127.0.0.1:19114/v1"
        case .processes: "http://127.0.0.1:19133"
        case .prometheus: "http://127.0.0.1:19130/api/v1"
        case .registry: "http://127.0.0.1:19115/v2"
        case .registryWithTokens: "http://127.0.0.1:19116/v2"
        case .sessions: "http://127.0.0.1:19132"
        case .tus: "http://127.0.0.1:19131"
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the tests of a server that is not running, and says how to start it.
    static func running(_ server: Server) -> Self {
        .enabled(if: server.isRunning, Comment(rawValue: server.absence))
    }
}
