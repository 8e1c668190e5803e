/// A clause that compresses request bodies with a content coding (RFC 9110, section 8.4).
///
/// ```swift
/// Client(url) { Compressed(.gzip) }
/// Compressed(.zstd, .gzip, from: 4_000)       // the first coding that this system has
/// Compressed.none                             // as they are, even if an outer scope declares a coding
/// ```
///
/// A server need not accept compressed bodies. If it responds with 415 and an `Accept-Encoding` field without the
/// coding (RFC 7694), the request is sent again uncompressed. The client's later requests to that origin are then not
/// compressed with this coding. Observers receive `CallEvent.Kind.uncompressed`.
///
/// Some bodies are sent uncompressed: those with fewer bytes than `from`, those that already have a `Content-Encoding`,
/// the parts of a ``Resumable`` upload, and those that compression would not shorten. A stream is compressed while it
/// is sent, with an unknown length.
///
/// A ``Signed/Signer`` signs the compressed body, which is what the server receives. If a field such as
/// `Content-Digest` contains a digest or signature of the uncompressed body, that is a declaration error: nothing is
/// sent. So are a negative number of bytes and an empty list of codings.
public struct Compressed: Setting, Hashable {
    /// A content coding.
    public enum Coding: String, Sendable, Hashable, CaseIterable {
        /// The gzip format (RFC 1952), which most servers that accept compressed bodies support.
        case gzip
        /// The zlib format (RFC 1950).
        case deflate
        /// Zstandard (RFC 8878); on Linux only, with libzstd.
        case zstd
    }

    /// The codings in order of preference; empty for `Compressed.none`.
    public let codings: [Coding]

    /// The minimum size of a compressed body, in bytes.
    public let leastBytes: Int

    private let isNone: Bool

    /// Creates the clause with one or more codings.
    ///
    /// - Parameters:
    ///   - codings: the codings in order of preference. The first one that the system supports is used. If it supports
    ///     none of them, bodies are sent uncompressed.
    ///   - leastBytes: the minimum size of a compressed body, in bytes. A stream of unknown length is always
    ///     compressed.
    public init(_ codings: Coding..., from leastBytes: Int = 1_000) {
        self.codings = codings
        self.leastBytes = leastBytes
        isNone = false
    }

    private init() {
        codings = []
        leastBytes = 0
        isNone = true
    }

    /// No compression, even if an outer scope declares it.
    public static let none = Compressed()

    /// The codings and the minimum size, or `none`.
    public var summary: String {
        isNone ? "none" : "\(codings.map(\.rawValue).joined(separator: ", ")), from \(leastBytes) bytes"
    }

    /// Declares the codings, and an error if the list is empty or the minimum size is negative.
    ///
    /// - Parameter scope: the scope to declare them in.
    public func declare(in scope: inout Scope) {
        if !isNone, codings.isEmpty || leastBytes < 0 {
            scope.declare(
                DeclarationError(
                    clause: "Compressed",
                    value: summary,
                    reason: "give a coding, such as .gzip, and a number of bytes that is not negative"
                )
            )
        }
        scope.declare(self)
    }
}
