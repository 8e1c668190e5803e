import Foundation

/// A URL whose texts leave its secrets out.
///
/// Printed, interpolated, dumped or reflected, it shows neither a user and a password nor the values of secret query
/// items, secret parts of a path, and secrets of the call that a server has repeated. The URL itself is its ``value``.
///
/// ```swift
/// print(request.url)                              // https://shop.example/a?api_key=‹redacted›
/// request.url.value.append(queryItems: [item])    // reads and changes the URL itself
/// ```
public struct HTTPURL: Sendable, Hashable {
    /// The URL itself, with its secrets: a text of this one shows them.
    public var value: URL

    /// The secrets of the call that it belongs to.
    package var secrets: (any CallSecrets)?

    /// Creates a URL of which the usual secrets are redacted: a user and a password, and items such as `api_key`.
    ///
    /// As the URL of a request or a response it takes on what the call declares as secret.
    public init(_ value: URL) { self.value = value }

    package init(_ value: URL, secrets: (any CallSecrets)?) {
        self.value = value
        self.secrets = secrets
    }

    /// Compares the URLs themselves.
    public static func == (left: HTTPURL, right: HTTPURL) -> Bool { left.value == right.value }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension HTTPURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL, secrets redacted.
    public var description: String { Redaction.url(value, secretNames: secrets?.hidden ?? .usual) }

    /// The same.
    public var debugDescription: String { description }

    /// The URL, secrets redacted.
    public var customMirror: Mirror { Mirror(self, children: ["value": description], displayStyle: .struct) }
}

// Parts of the URL for this package's own steps; outside of it `value` makes plain that secrets may come along.
extension HTTPURL {
    package var absoluteString: String { value.absoluteString }

    package var scheme: String? { value.scheme }

    package var host: String? { value.host }

    package var port: Int? { value.port }

    package var path: String { value.path }

    package var query: String? { value.query }

    package func path(percentEncoded: Bool) -> String { value.path(percentEncoded: percentEncoded) }

    package func query(percentEncoded: Bool) -> String? { value.query(percentEncoded: percentEncoded) }

    package static func == (left: HTTPURL, right: URL) -> Bool { left.value == right }
}

extension Origin {
    /// The origin of the URL of a request or a response, or nil for a URL without a scheme or a host.
    public init?(_ url: HTTPURL) { self.init(url.value) }
}
