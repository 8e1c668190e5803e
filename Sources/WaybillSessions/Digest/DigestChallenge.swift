import Waybill
import WaybillFiles

/// A supported `Digest` challenge (RFC 7616, section 3.3).
package struct DigestChallenge: Sendable, Hashable {
    /// The hash function.
    enum Algorithm: String, Sendable {
        case md5 = "md5"
        case md5Session = "md5-sess"
        case sha256 = "sha-256"
        case sha256Session = "sha-256-sess"

        /// Whether the hash of the user and password is computed once per session rather than per response.
        var isSession: Bool { self == .md5Session || self == .sha256Session }

        /// Returns the hexadecimal hash of a text, which may contain values from the challenge.
        func sum(_ text: String) -> String {
            // A nonce or a realm may contain invalid UTF-8.
            let bytes = FieldText.bytes(of: text)
            return switch self {
            case .md5, .md5Session: MD5.hexadecimal(bytes)
            case .sha256, .sha256Session: SHA256.hexadecimal(bytes)
            }
        }
    }

    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: Algorithm
    /// The name of the algorithm as spelled by the server; nil if the challenge omits it.
    let algorithmName: String?
    /// Whether the challenge has a `qop` parameter, which requires a count and a client nonce in the response.
    ///
    /// Servers that predate RFC 2617 expect neither.
    let hasQuality: Bool

    package static func == (left: Self, right: Self) -> Bool {
        left.algorithm == right.algorithm && left.hasQuality == right.hasQuality && left.texts == right.texts
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(texts) }

    /// The values that identify the challenge.
    private var texts: [BytewiseString?] { [realm, nonce, opaque, algorithmName].map { $0.map(BytewiseString.init) } }

    /// Creates a digest challenge; returns nil if the scheme is not `Digest`, the realm or the nonce is missing, the
    /// algorithm is unknown, or `qop` does not include `auth`.
    package init?(_ challenge: HTTPField.Challenge) {
        guard challenge.isScheme("Digest"), let realm = challenge["realm"], let nonce = challenge["nonce"],
            let algorithm = Algorithm(rawValue: challenge["algorithm"]?.lowercased() ?? "md5")
        else { return nil }
        let qualities = challenge["qop"]?.lowercased().split { " ,\t".contains($0) }
        if let qualities, !qualities.contains("auth") { return nil }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge["opaque"]
        algorithmName = challenge["algorithm"]
        hasQuality = qualities != nil
    }
}
