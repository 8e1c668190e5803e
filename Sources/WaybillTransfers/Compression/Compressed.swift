import Waybill

/// A clause that compresses request bodies with a content coding (RFC 9110, section 8.4).
///
/// ```swift
/// Client(url) { Compressed(.gzip) }
/// Compressed(.zstd, .gzip, minimumBytes: 4_000)   // the first coding that this system supports
/// Compressed.none                                 // uncompressed, even if an outer scope declares a coding
/// ```
///
/// Not every server accepts compressed bodies. If a server responds with 415 and an `Accept-Encoding` field that
/// excludes the coding (RFC 7694), the request is sent again uncompressed. From then on, the client no longer uses this
/// coding for requests to that origin. Observers receive a ``Rejection`` as a `CallEvent.Note`.
///
/// Some bodies are sent uncompressed: those below ``minimumBytes``, those with a `Content-Encoding`, the parts of a
/// ``Resumable`` upload, and those that compression would not shorten. A stream is compressed as it is sent, so its
/// length is not known in advance.
///
/// A `Signed.Signer` signs the compressed body, which is what the server receives. It is a declaration error if a
/// field such as `Content-Digest` contains a digest or signature of the uncompressed body, if the number of bytes is
/// negative, or if the list of codings is empty: nothing is sent.
public struct Compressed: Setting, Hashable {
    /// A content coding.
    public enum Coding: String, Sendable, Hashable, CaseIterable {
        /// The gzip format (RFC 1952), which most servers that accept compressed bodies support.
        case gzip
        /// The zlib format (RFC 1950).
        case deflate
        /// Zstandard (RFC 8878), supported only on Linux with libzstd.
        case zstd
    }

    /// The codings in order of preference; empty for `Compressed.none`.
    public let codings: [Coding]

    /// The minimum size of a body to compress, in bytes.
    public let minimumBytes: Int

    private let isNone: Bool

    /// Creates the clause with one or more codings.
    ///
    /// - Parameters:
    ///   - codings: the codings in order of preference. The first one that the system supports is used. If it supports
    ///     none of them, bodies are sent uncompressed.
    ///   - minimumBytes: the minimum size of a body to compress, in bytes. A stream of unknown length is always
    ///     compressed.
    public init(_ codings: Coding..., minimumBytes: Int = 1_000) {
        self.codings = codings
        self.minimumBytes = minimumBytes
        isNone = false
    }

    private init() {
        codings = []
        minimumBytes = 0
        isNone = true
    }

    /// No compression, even if an outer scope declares it.
    public static let none = Compressed()

    /// The codings and the minimum size, or `none`.
    public var summary: String {
        isNone ? "none" : "\(codings.map(\.rawValue).joined(separator: ", ")), from \(minimumBytes) bytes"
    }

    /// Declares the codings, and an error if the list is empty or the minimum size is negative.
    ///
    /// - Parameter scope: the scope to declare them in.
    public func declare(in scope: inout Scope) {
        if !isNone, codings.isEmpty || minimumBytes < 0 {
            scope.declare(
                Scope.DeclarationError(
                    clause: "Compressed",
                    value: summary,
                    reason: "give a coding, such as .gzip, and a number of bytes that is not negative"
                )
            )
        }
        scope.declare(self)
    }
}

extension Compressed {
    /// A server's rejection of a content coding, after which the body is sent uncompressed.
    ///
    /// Observers receive it in a `CallEvent.Kind.noted(_:)`.
    public struct Rejection: CallEvent.Note, Hashable {
        /// `uncompressed`.
        public static let name = "uncompressed"

        /// The coding.
        public let coding: Coding

        /// Creates a rejection, for testing observers.
        ///
        /// - Parameter coding: the coding.
        public init(coding: Coding) { self.coding = coding }

        /// The reason in one line.
        public var description: String { "not compressed, because the server does not accept \(coding.rawValue)" }
    }
}
