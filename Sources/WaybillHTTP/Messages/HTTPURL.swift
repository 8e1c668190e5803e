import WaybillSystem

/// A URL whose texts leave its secrets out.
///
/// Printed, interpolated, dumped or reflected, it shows no user and password, no values of secret query items, no
/// secret parts of a path, and no secrets of the call that a server has repeated. The URL itself is its ``value``.
///
/// ```swift
/// print(request.url)                              // https://shop.example/a?api_key=‹redacted›
/// request.url.value.append(queryItems: [item])    // reads and changes the URL itself
/// ```
public struct HTTPURL: Sendable, Hashable {
    /// The URL itself: its texts show its secrets.
    public var value: URL

    /// The secrets of the call to which the URL belongs.
    package var redaction: (any TextRedaction)?

    /// Creates a URL whose texts leave out the usual secrets: a user and a password, and items such as `api_key`.
    ///
    /// As the URL of a request or a response it also leaves out the secrets that the call declares.
    public init(_ value: URL) { self.value = value }

    package init(_ value: URL, redaction: (any TextRedaction)?) {
        self.value = value
        self.redaction = redaction
    }

    /// Compares the URLs themselves.
    public static func == (left: HTTPURL, right: HTTPURL) -> Bool { left.value == right.value }

    /// Hashes the URL itself.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension HTTPURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL, with secrets redacted.
    public var description: String { Redaction.url(value, secretNames: redaction?.hidden ?? .usual) }

    /// The URL, with secrets redacted.
    public var debugDescription: String { description }

    /// The URL, with secrets redacted.
    public var customMirror: Mirror { Mirror(self, children: ["value": description], displayStyle: .struct) }
}

extension HTTPURL {
    package static func == (left: HTTPURL, right: URL) -> Bool { left.value == right }
}

extension HTTPURL.Origin {
    /// Creates the origin of the URL of a request or a response; nil for a URL without a scheme or a host.
    public init?(_ url: HTTPURL) { self.init(url.value) }
}
