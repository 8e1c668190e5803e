import CallSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Challenges")
struct ChallengeTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let challenges: [HTTPField.Challenge]

        init(_ value: String, _ challenges: HTTPField.Challenge...) {
            testDescription = value
            self.challenges = challenges
        }
    }

    @Test(
        "A WWW-Authenticate field can have any number of challenges (RFC 9110, section 11.6.1)",
        arguments: [
            Row("Basic", HTTPField.Challenge(scheme: "Basic")),
            Row(#"Basic realm="shop""#, HTTPField.Challenge(scheme: "Basic", parameters: ["realm": "shop"])),
            Row(
                #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
                HTTPField.Challenge(scheme: "Basic", parameters: ["realm": "simple"]),
                HTTPField.Challenge(
                    scheme: "Newauth",
                    parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]
                )
            ),
            Row(
                #"Bearer realm="https://auth.example/token",service="registry",scope="repository:a/b:pull,push""#,
                HTTPField.Challenge(
                    scheme: "Bearer",
                    parameters: [
                        "realm": "https://auth.example/token", "service": "registry",
                        "scope": "repository:a/b:pull,push",
                    ]
                )
            ),
            Row("Negotiate", HTTPField.Challenge(scheme: "Negotiate")),
            Row("Negotiate YWJj+/._~-==", HTTPField.Challenge(scheme: "Negotiate", token68: "YWJj+/._~-==")),
            Row(
                "Negotiate YWJj==, Basic realm=a",
                HTTPField.Challenge(scheme: "Negotiate", token68: "YWJj=="),
                HTTPField.Challenge(scheme: "Basic", parameters: ["realm": "a"])
            ),
            Row(
                "Basic, Bearer,Digest",
                HTTPField.Challenge(scheme: "Basic"),
                HTTPField.Challenge(scheme: "Bearer"),
                HTTPField.Challenge(scheme: "Digest")
            ),
            Row(
                " , ,Basic ,\trealm = \"a\" ,, x=1,",
                HTTPField.Challenge(scheme: "Basic", parameters: ["realm": "a", "x": "1"])
            ),
            Row(#"Digest REALM="a", realm="b""#, HTTPField.Challenge(scheme: "Digest", parameters: ["realm": "a"])),
            Row(
                #"Basic realm="", a="\\\"""#,
                HTTPField.Challenge(scheme: "Basic", parameters: ["realm": "", "a": #"\""#])
            ),
            Row(
                #"Basic realm="ä ☀︎, Basic x=1""#,
                HTTPField.Challenge(scheme: "Basic", parameters: ["realm": "ä ☀︎, Basic x=1"])
            ),
        ]
    )
    func wellFormed(_ row: Row) { #expect(challenges(row.testDescription) == row.challenges) }

    @Test(
        "A malformed challenge is dropped, and the others are parsed",
        arguments: [
            Row(""), Row(" , ,"), Row("="), Row("=a, ="), Row("\""), Row("\"Basic\""), Row(#"realm="a""#),
            Row("a=b, c=d"),
            Row(#"realm="a", Basic"#, HTTPField.Challenge(scheme: "Basic")),
            Row(#"Basic realm="a"#, HTTPField.Challenge(scheme: "Basic")),
            Row(#"Basic realm="a\"#, HTTPField.Challenge(scheme: "Basic")),
            Row(#"Basic realm="a\""#, HTTPField.Challenge(scheme: "Basic")),
            Row("Basic realm=", HTTPField.Challenge(scheme: "Basic", token68: "realm=")),
            Row(
                "Bearer realm=https://a.example/t?x=y, scope=b",
                HTTPField.Challenge(scheme: "Bearer", parameters: ["realm": "https://a.example/t?x=y", "scope": "b"])
            ),
            Row(
                #"Basic realm="a" junk"#,
                HTTPField.Challenge(scheme: "Basic", parameters: ["realm": "a"]),
                HTTPField.Challenge(scheme: "junk")
            ),
            Row(
                #"Basic (a="b,c"), Bearer"#,
                HTTPField.Challenge(scheme: "Basic"),
                HTTPField.Challenge(scheme: "Bearer")
            ),
            Row(#"Basic"a,b", Bearer"#, HTTPField.Challenge(scheme: "Basic"), HTTPField.Challenge(scheme: "Bearer")),
        ]
    )
    func malformed(_ row: Row) { #expect(challenges(row.testDescription) == row.challenges) }

    @Test("Truncating or changing a WWW-Authenticate field at any byte does not crash the parser")
    func damage() {
        let value = #"Digest realm="a\"b", nonce=x, Negotiate YQ==, Bearer scope="a,b""#
        let bytes = Array(value.utf8)
        for place in bytes.indices {
            _ = challenges(String(decoding: bytes[..<place], as: UTF8.self))
            for byte in [0x20, 0x22, 0x2C, 0x3D, 0x5C, 0x00, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] = byte
                #expect(challenges(String(decoding: changed, as: UTF8.self)).count < bytes.count)
            }
        }
    }

    @Test("A status failure has the challenges of all fields, with case-insensitive names and schemes")
    func failure() async throws {
        let stub = StubTransport { _ in
            .status(401).header("WWW-Authenticate", #"Bearer realm="a", Scope="b""#).header("WWW-Authenticate", "Basic")
        }
        let error = await CallSupport.failure {
            try await Shop(stub).client.get("a", as: Int.self)
        }
        guard case .status(let failure) = error else {
            Issue.record("expected a failed status")
            return
        }
        #expect(failure.challenges.map(\.scheme) == ["Bearer", "Basic"])
        #expect(failure.challenges.first?["SCOPE"] == "b")
        #expect(failure.challenges.first?.isScheme("bearer") == true)
        #expect(HTTPField.Challenge(scheme: "A", parameters: ["B": "c"])["b"] == "c")
    }

    @Test("A challenge's description includes its parameters and redacts its token")
    func description() {
        #expect(
            "\(HTTPField.Challenge(scheme: "Bearer", parameters: ["scope": "b", "realm": "a"]))"
                == #"Bearer realm="a", scope="b""#
        )
        #expect("\(HTTPField.Challenge(scheme: "Negotiate", token68: "YWJj"))" == "Negotiate ‹redacted›")
        #expect("\(HTTPField.Challenge(scheme: "Basic"))" == "Basic")
    }

    private func challenges(_ value: String) -> [HTTPField.Challenge] {
        HTTPField.Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: value)])
    }
}
