import Testing

@testable import Waybill
@testable import WaybillURLSession

@Suite("ChallengeSubject")
struct ChallengeSubjectTests {
    @Test(
        "A TLS challenge has a certificate as its subject, and any other challenge has none",
        arguments: [
            ("NSURLAuthenticationMethodServerTrust", .serverCertificate),
            ("NSURLAuthenticationMethodClientCertificate", .clientCertificate),
            ("NSURLAuthenticationMethodHTTPBasic", nil), ("NSURLAuthenticationMethodHTTPDigest", nil),
            ("NSURLAuthenticationMethodNegotiate", nil), ("NSURLAuthenticationMethodDefault", nil),
        ] as [(String, ChallengeSubject?)]
    )
    func subject(method: String, subject: ChallengeSubject?) {
        #expect(ChallengeSubject(authenticationMethod: method) == subject)
    }

    @Test(
        "A rejected certificate is a TLS error, not a cancelled call",
        arguments: [
            (.serverCertificate, "h: the challenge handler rejected the server's certificate"),
            (.clientCertificate, "h: the challenge handler provided no client certificate"),
        ] as [(ChallengeSubject, String)]
    )
    func rejection(subject: ChallengeSubject, message: String) {
        let error = subject.rejection(host: "h")
        #expect(error.kind == .secureConnectionFailed)
        #expect(error.message == message)
    }
}
