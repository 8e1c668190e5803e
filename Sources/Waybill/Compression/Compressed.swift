/// Sends bodies in a content coding (RFC 9110, section 8.4).
///
/// ```swift
/// Client(url) { Compressed(.gzip) }
/// Compressed(.zstd, .gzip, from: 4_000)       // the first coding that this system has
/// Compressed.none                             // as they are, even if an outer scope declares a coding
/// ```
///
/// Servers do not have to accept it. If one responds with 415 and an `Accept-Encoding` that does not name the coding
/// (RFC 7694), the request is sent once more as it is, and so are all further ones of the client to that origin.
/// Observers see `CallEvent.Kind.uncompressed`.
///
/// Bodies of fewer bytes than `from` are sent as they are, and so are those that have a `Content-Encoding` already, the
/// pieces of a ``Resumable`` upload, and bodies that a compression makes longer. A stream is compressed while it is
/// sent, with an unknown length.
///
/// A ``Signed/Signer`` signs the compressed body, which is what the server receives. A request with a digest or
/// signature of its body that was made before, in a field such as `Content-Digest`, is a declaration error of this
/// clause: nothing is sent. So are a negative number of bytes and a list without a coding.
public struct Compressed: Setting, Hashable {
    /// A content coding.
    public enum Coding: String, Sendable, Hashable, CaseIterable {
        /// RFC 1952, which nearly every server accepts that accepts any coding.
        case gzip
        /// RFC 1950.
        case deflate
        /// RFC 8878; on Linux with libzstd alone.
        case zstd
    }

    /// The codings, in the order of preference; empty for `Compressed.none`.
    public let codings: [Coding]

    /// The fewest bytes of a body that is compressed.
    public let leastBytes: Int

    private let isNone: Bool

    /// Declares a coding.
    ///
    /// - Parameters:
    ///   - codings: the codings, in the order of preference. Bodies have the first one that the system supports, and
    ///     without one they are sent as they are.
    ///   - leastBytes: the fewest bytes of a body that is compressed; a stream of unknown length always is.
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

    /// No coding, even if an outer scope declares one.
    public static let none = Compressed()

    /// The codings and the fewest bytes.
    public var summary: String {
        isNone ? "none" : "\(codings.map(\.rawValue).joined(separator: ", ")), from \(leastBytes) bytes"
    }

    /// Declares the coding.
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
