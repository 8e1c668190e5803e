/// A header or trailer field: a name and a value (RFC 9110, section 5).
///
/// A value never contains line breaks: control characters other than the tab become spaces.
///
/// ```swift
/// let field = HTTPField(name: .accept, value: "application/json")
/// let proof = HTTPField(name: .ifMatch, value: text, isSensitive: true)     // described as `If-Match: ‹redacted›`
/// ```
public struct HTTPField: Sendable, Hashable {
    /// The name, compared case-insensitively.
    public let name: Name

    /// The value without surrounding whitespace, not redacted.
    ///
    /// The private-use characters U+10FE80 to U+10FEFF represent bytes that are not valid UTF-8, so the received bytes
    /// are preserved when the value is sent back, alone or within other text. ``bytes`` returns those bytes, and
    /// ``latin1Value`` returns a readable form for display.
    public let value: String

    /// Whether descriptions redact the value; they always redact fields that usually contain secrets.
    ///
    /// True for fields that a declaration marks as secret. The flag is not sent, and comparisons ignore it.
    public var isSensitive: Bool

    /// Creates a field, replacing invalid characters in its value.
    ///
    /// Surrounding whitespace is not part of the value (RFC 9110, section 5.5) and is removed. Control characters other
    /// than the tab become spaces, as section 5.5 specifies for recipients; ``isValid(value:)`` detects them. Non-ASCII
    /// characters are sent as UTF-8, except those that represent bytes (see ``value``).
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value.
    ///   - isSensitive: whether descriptions redact the value.
    public init(name: Name, value: String, isSensitive: Bool = false) {
        self.name = name
        self.value = Self.trimmed(Self.isValid(value: value) ? value : Self.printable(value))
        self.isSensitive = isSensitive
    }

    /// Compares the names case-insensitively and the values by their bytes.
    ///
    /// - Parameters:
    ///   - left: a field.
    ///   - right: the field to compare it with.
    /// - Returns: whether they are equal.
    public static func == (left: HTTPField, right: HTTPField) -> Bool {
        left.name == right.name && left.value.hasSameBytes(as: right.value)
    }

    /// Hashes the values that `==` compares.
    ///
    /// - Parameter hasher: the hasher that receives the parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(BytewiseString(value))
    }

    /// Returns whether a text is a valid field value (RFC 9110, section 5.5).
    ///
    /// - Parameter value: the text; surrounding spaces do not make it invalid.
    /// - Returns: false if the text contains a control character other than the tab.
    public static func isValid(value: String) -> Bool {
        value.withBytes { $0.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 } }
    }

    private static func printable(_ value: String) -> String {
        let isControl = { (byte: UInt8) in byte != 0x09 && (byte < 0x20 || byte == 0x7F) }
        return String(decoding: value.utf8.map { isControl($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    package static func trimmed(_ value: String) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = value.utf8.first, let last = value.utf8.last, isSpace(first) || isSpace(last) else {
            return value
        }
        let head = value.utf8.drop(while: isSpace)
        guard let end = head.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(head[...end]) ?? value
    }
}

extension HTTPField {
    /// Creates a field from the bytes of its value, which need not be valid UTF-8.
    ///
    /// The field is sent with the same bytes: in ``value``, the private-use characters U+10FE80 to U+10FEFF represent
    /// bytes that are not valid UTF-8. Control characters become spaces, as in ``init(name:value:isSensitive:)``.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - bytes: the bytes of the value.
    ///   - isSensitive: whether descriptions redact the value.
    public init(name: Name, bytes: some Collection<UInt8>, isSensitive: Bool = false) {
        self.init(name: name, value: FieldText.text(of: bytes), isSensitive: isSensitive)
    }

    /// The bytes of the value, as sent or received.
    public var bytes: [UInt8] { FieldText.bytes(of: value) }

    /// The value in a readable form for display, decoded as ISO 8859-1 if its bytes are not valid UTF-8.
    ///
    /// Some old servers use this encoding. To send the value back, use ``value`` instead.
    public var latin1Value: String { FieldText.latin1(value) }
}

extension HTTPField: CustomStringConvertible, PartlyShown {
    /// `Name: value`; the value is redacted if the field is sensitive or usually contains a secret.
    public var description: String { "\(name): \(shownValue)" }

    /// The name and the value, with secrets redacted.
    package var shownParts: KeyValuePairs<String, Any> { ["name": name, "value": shownValue] }

    private var shownValue: String { FieldText.latin1(Redaction.value(of: self, secretNames: .usual)) }
}

extension HTTPField {
    /// The name of a field: a token (RFC 9110, section 5.1), compared case-insensitively.
    ///
    /// Only tokens can be names. A name is sent as originally spelled.
    ///
    /// ```swift
    /// let name = HTTPField.Name("X-Request-ID")   // Optional
    /// ```
    public struct Name: Sendable, Hashable, CustomStringConvertible {
        /// The name as originally spelled.
        public let rawName: String

        /// The lowercased name, used for comparisons and HTTP/2.
        public let canonicalName: String

        /// Creates a name; returns nil if the text is not a token (RFC 9110, section 5.6.2).
        ///
        /// - Parameter name: the name, without spaces or a colon.
        public init?(_ name: String) {
            guard Token.isValid(name) else { return nil }
            self.init(token: name)
        }

        /// Creates a name from a valid token.
        private init(token: String) {
            rawName = token
            canonicalName = token.lowercased()
        }

        /// Compares the names case-insensitively.
        ///
        /// - Parameters:
        ///   - left: a name.
        ///   - right: the name to compare it with.
        /// - Returns: whether they are equal.
        public static func == (left: Name, right: Name) -> Bool { left.canonicalName == right.canonicalName }

        /// Hashes the lowercased name.
        ///
        /// - Parameter hasher: the hasher that receives the parts.
        public func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }

        /// The name as originally spelled.
        public var description: String { rawName }
    }
}

extension HTTPField.Name {
    /// `Accept`, RFC 9110, section 12.5.1.
    public static let accept = Self(token: "Accept")
    /// `Accept-Encoding`, RFC 9110, section 12.5.3.
    public static let acceptEncoding = Self(token: "Accept-Encoding")
    /// `Accept-Language`, RFC 9110, section 12.5.4.
    public static let acceptLanguage = Self(token: "Accept-Language")
    /// `Accept-Query`, RFC 10008, section 3.
    public static let acceptQuery = Self(token: "Accept-Query")
    /// `Accept-Ranges`, RFC 9110, section 14.3.
    public static let acceptRanges = Self(token: "Accept-Ranges")
    /// `Age`, RFC 9111, section 5.1.
    public static let age = Self(token: "Age")
    /// `Allow`, RFC 9110, section 10.2.1.
    public static let allow = Self(token: "Allow")
    /// `Authorization`, RFC 9110, section 11.6.2.
    public static let authorization = Self(token: "Authorization")
    /// `Cache-Control`, RFC 9111, section 5.2.
    public static let cacheControl = Self(token: "Cache-Control")
    /// `Connection`, RFC 9110, section 7.6.1.
    public static let connection = Self(token: "Connection")
    /// `Content-Disposition`, RFC 6266, section 4.
    public static let contentDisposition = Self(token: "Content-Disposition")
    /// `Content-Encoding`, RFC 9110, section 8.4.
    public static let contentEncoding = Self(token: "Content-Encoding")
    /// `Content-Language`, RFC 9110, section 8.5.
    public static let contentLanguage = Self(token: "Content-Language")
    /// `Content-Length`, RFC 9110, section 8.6.
    public static let contentLength = Self(token: "Content-Length")
    /// `Content-Location`, RFC 9110, section 8.7.
    public static let contentLocation = Self(token: "Content-Location")
    /// `Content-Range`, RFC 9110, section 14.4.
    public static let contentRange = Self(token: "Content-Range")
    /// `Content-Type`, RFC 9110, section 8.3.
    public static let contentType = Self(token: "Content-Type")
    /// `Cookie`, RFC 6265, section 4.2.
    public static let cookie = Self(token: "Cookie")
    /// `Date`, RFC 9110, section 6.6.1.
    public static let date = Self(token: "Date")
    /// `ETag`, RFC 9110, section 8.8.3.
    public static let eTag = Self(token: "ETag")
    /// `Expect`, RFC 9110, section 10.1.1.
    public static let expect = Self(token: "Expect")
    /// `Expires`, RFC 9111, section 5.3.
    public static let expires = Self(token: "Expires")
    /// `From`, RFC 9110, section 10.1.2.
    public static let from = Self(token: "From")
    /// `Host`, RFC 9110, section 7.2.
    public static let host = Self(token: "Host")
    /// `If-Match`, RFC 9110, section 13.1.1.
    public static let ifMatch = Self(token: "If-Match")
    /// `If-Modified-Since`, RFC 9110, section 13.1.3.
    public static let ifModifiedSince = Self(token: "If-Modified-Since")
    /// `If-None-Match`, RFC 9110, section 13.1.2.
    public static let ifNoneMatch = Self(token: "If-None-Match")
    /// `If-Range`, RFC 9110, section 13.1.5.
    public static let ifRange = Self(token: "If-Range")
    /// `If-Unmodified-Since`, RFC 9110, section 13.1.4.
    public static let ifUnmodifiedSince = Self(token: "If-Unmodified-Since")
    /// `Last-Modified`, RFC 9110, section 8.8.2.
    public static let lastModified = Self(token: "Last-Modified")
    /// `Link`, RFC 8288, section 3.
    public static let link = Self(token: "Link")
    /// `Location`, RFC 9110, section 10.2.2.
    public static let location = Self(token: "Location")
    /// `Origin`, RFC 6454, section 7.
    public static let origin = Self(token: "Origin")
    /// `Prefer`, RFC 7240, section 2.
    public static let prefer = Self(token: "Prefer")
    /// `Preference-Applied`, RFC 7240, section 3.
    public static let preferenceApplied = Self(token: "Preference-Applied")
    /// `Proxy-Authorization`, RFC 9110, section 11.7.2.
    public static let proxyAuthorization = Self(token: "Proxy-Authorization")
    /// `Range`, RFC 9110, section 14.2.
    public static let range = Self(token: "Range")
    /// `Referer`, RFC 9110, section 10.1.3.
    public static let referer = Self(token: "Referer")
    /// `Repr-Digest`, RFC 9530, section 3.
    public static let reprDigest = Self(token: "Repr-Digest")
    /// `Retry-After`, RFC 9110, section 10.2.3.
    public static let retryAfter = Self(token: "Retry-After")
    /// `Server`, RFC 9110, section 10.2.4.
    public static let server = Self(token: "Server")
    /// `Set-Cookie`, RFC 6265, section 4.1.
    public static let setCookie = Self(token: "Set-Cookie")
    /// `Transfer-Encoding`, RFC 9112, section 6.1.
    public static let transferEncoding = Self(token: "Transfer-Encoding")
    /// `Upgrade`, RFC 9110, section 7.8.
    public static let upgrade = Self(token: "Upgrade")
    /// `User-Agent`, RFC 9110, section 10.1.5.
    public static let userAgent = Self(token: "User-Agent")
    /// `Vary`, RFC 9110, section 12.5.5.
    public static let vary = Self(token: "Vary")
    /// `Via`, RFC 9110, section 7.6.3.
    public static let via = Self(token: "Via")
    /// `Want-Repr-Digest`, RFC 9530, section 4.
    public static let wantReprDigest = Self(token: "Want-Repr-Digest")
    /// `WWW-Authenticate`, RFC 9110, section 11.6.1.
    public static let wwwAuthenticate = Self(token: "WWW-Authenticate")

    // Resumable uploads: draft-ietf-httpbis-resumable-upload, section 4, and tus 1.0.0.
    package static let uploadComplete = Self(token: "Upload-Complete")
    package static let uploadDraftInteropVersion = Self(token: "Upload-Draft-Interop-Version")
    package static let uploadLength = Self(token: "Upload-Length")
    package static let uploadLimit = Self(token: "Upload-Limit")
    package static let uploadMetadata = Self(token: "Upload-Metadata")
    package static let uploadOffset = Self(token: "Upload-Offset")
    package static let tusResumable = Self(token: "Tus-Resumable")
    package static let tusVersion = Self(token: "Tus-Version")
    package static let tusMaxSize = Self(token: "Tus-Max-Size")
}

extension HTTPField.Name {
    /// Creates a common name from its bytes; returns nil for any other name.
    ///
    /// The lookup is cheaper than validating and lowercasing the name.
    package init?(knownBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count < Self.knownNames.count else { return nil }
        for known in Self.knownNames[bytes.count] where known.rawName.utf8.elementsEqual(bytes) {
            self = known
            return
        }
        return nil
    }

    /// The names, indexed by their length in bytes.
    private static let knownNames: [[HTTPField.Name]] = {
        let others = ["Accept-Ranges", "Keep-Alive", "Server", "Strict-Transport-Security", "X-Request-Id"]
        let names =
            [
                .age, .cacheControl, .connection, .contentEncoding, .contentLength, .contentType, .date, .eTag,
                .expires, .lastModified, .link, .location, .retryAfter, .setCookie, .transferEncoding, .vary,
            ] + others.compactMap { HTTPField.Name($0) }
        let longest = names.map(\.rawName.utf8.count).max() ?? 0
        return (0...longest).map { count in names.filter { $0.rawName.utf8.count == count } }
    }()
}
