import WaybillHTTP
import WaybillTransports

/// The certificate to which a TLS challenge refers.
enum ChallengeSubject {
    case serverCertificate, clientCertificate

    /// Creates the subject of a challenge; nil if it is not a TLS challenge.
    ///
    /// - Parameter authenticationMethod: the method of a protection space, which is a text on every platform.
    init?(authenticationMethod: String) {
        switch authenticationMethod {
        case "NSURLAuthenticationMethodServerTrust": self = .serverCertificate
        case "NSURLAuthenticationMethodClientCertificate": self = .clientCertificate
        default: return nil
        }
    }

    /// Returns the error of a call whose challenge the app has rejected.
    func rejection(host: String) -> TransportError {
        let message =
            switch self {
            case .serverCertificate: "\(host): the challenge handler rejected the server's certificate"
            case .clientCertificate: "\(host): the challenge handler gave no client certificate"
            }
        return TransportError(.secureConnectionFailed, message)
    }
}
