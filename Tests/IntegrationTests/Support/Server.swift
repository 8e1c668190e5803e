import Foundation
import Testing

/// A third-party REST server that the integration tests run against.
///
/// Each is expected at a local port. An environment variable such as `WAYBILL_KINTO_URL` sets another URL.
enum Server: String, CaseIterable, Sendable {
    case datasette, drf, httpbin, jsonapi, kinto, prometheus, registry, tus
    /// A Django server with a login form and sessions.
    case sessions
    /// An OGC API Processes server, which runs processes as jobs.
    case processes
    /// A container registry that requires tokens.
    case registryWithTokens = "registry_auth"

    /// The server's display name.
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

    /// The API's base URL.
    var url: URL {
        let text = ProcessInfo.processInfo.environment[variable] ?? defaultURL
        return URL(string: text) ?? URL(fileURLWithPath: text)
    }

    /// The environment variable that overrides the base URL.
    var variable: String { "WAYBILL_\(rawValue.uppercased())_URL" }

    /// The servers that were reachable when the tests started.
    static let running: Set<Server> = Set(allCases.filter { Reachability.accepts(connectionsTo: $0.url) })

    /// Whether a missing server is a failure, as in continuous integration; set by an environment variable.
    static let areRequired = ProcessInfo.processInfo.environment["WAYBILL_REQUIRE_SERVERS"] != nil

    var isRunning: Bool { Self.running.contains(self) }

    /// The message for an unreachable server.
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
    /// Skips the tests if the server is not running, with a message on how to start it.
    static func running(_ server: Server) -> Self {
        .enabled(if: server.isRunning, Comment(rawValue: server.absence))
    }
}
