import CallSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Challenges")
struct ChallengeTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let challenges: [Challenge]

        init(_ value: String, _ challenges: Challenge...) {
            testDescription = value
            self.challenges = challenges
        }
    }

    @Test(
        "A WWW-Authenticate field has any number of challenges (RFC 9110, section 11.6.1)",
        arguments: [
            Row("Basic", Challenge(scheme: "Basic")),
            Row(#"Basic realm="shop""#, Challenge(scheme: "Basic", parameters: ["realm": "shop"])),
            Row(
                #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
                Challenge(scheme: "Basic", parameters: ["realm": "simple"]),
                Challenge(
                    scheme: "Newauth",
                    parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]
                )
            ),
            Row(
                #"Bearer realm="https://auth.example/token",service="registry",scope="repository:a/b:pull,push""#,
                Challenge(
                    scheme: "Bearer",
                    parameters: [
                        "realm": "https://auth.example/token", "service": "registry",
                        "scope": "repository:a/b:pull,push",
                    ]
                )
            ),
            Row("Negotiate", Challenge(scheme: "Negotiate")),
            Row("Negotiate YWJj+/._~-==", Challenge(scheme: "Negotiate", token68: "YWJj+/._~-==")),
            Row(
                "Negotiate YWJj==, Basic realm=a",
                Challenge(scheme: "Negotiate", token68: "YWJj=="),
                Challenge(scheme: "Basic", parameters: ["realm": "a"])
            ),
            Row(
                "Basic, Bearer,Digest",
                Challenge(scheme: "Basic"),
                Challenge(scheme: "Bearer"),
                Challenge(scheme: "Digest")
            ),
            Row(
                " , ,Basic ,\trealm = \"a\" ,, x=1,",
                Challenge(scheme: "Basic", parameters: ["realm": "a", "x": "1"])
            ),
            Row(#"Digest REALM="a", realm="b""#, Challenge(scheme: "Digest", parameters: ["realm": "a"])),
            Row(#"Basic realm="", a="\\\"""#, Challenge(scheme: "Basic", parameters: ["realm": "", "a": #"\""#])),
            Row(#"Basic realm="ä ☀︎, Basic x=1""#, Challenge(scheme: "Basic", parameters: ["realm": "ä ☀︎, Basic x=1"])),
        ]
    )
    func wellFormed(_ row: Row) { #expect(challenges(row.testDescription) == row.challenges) }

    @Test(
        "A malformed challenge is left out, and the others are read",
        arguments: [
            Row(""), Row(" , ,"), Row("="), Row("=a, ="), Row("\""), Row("\"Basic\""), Row(#"realm="a""#),
            Row("a=b, c=d"),
            Row(#"realm="a", Basic"#, Challenge(scheme: "Basic")),
            Row(#"Basic realm="a"#, Challenge(scheme: "Basic")),
            Row(#"Basic realm="a\"#, Challenge(scheme: "Basic")),
            Row(#"Basic realm="a\""#, Challenge(scheme: "Basic")),
            Row("Basic realm=", Challenge(scheme: "Basic", token68: "realm=")),
            Row(
                "Bearer realm=https://a.example/t?x=y, scope=b",
                Challenge(scheme: "Bearer", parameters: ["realm": "https://a.example/t?x=y", "scope": "b"])
            ),
            Row(
                #"Basic realm="a" junk"#,
                Challenge(scheme: "Basic", parameters: ["realm": "a"]),
                Challenge(scheme: "junk")
            ),
            Row(#"Basic (a="b,c"), Bearer"#, Challenge(scheme: "Basic"), Challenge(scheme: "Bearer")),
            Row(#"Basic"a,b", Bearer"#, Challenge(scheme: "Basic"), Challenge(scheme: "Bearer")),
        ]
    )
    func malformed(_ row: Row) { #expect(challenges(row.testDescription) == row.challenges) }

    @Test("A WWW-Authenticate field that is cut or changed at any byte does not crash")
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

    @Test("A status failure has the challenges of all fields, with names and schemes in any case")
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
        #expect(Challenge(scheme: "A", parameters: ["B": "c"])["b"] == "c")
    }

    @Test("The description of a challenge has its parameters, and no token")
    func description() {
        #expect(
            "\(Challenge(scheme: "Bearer", parameters: ["scope": "b", "realm": "a"]))"
                == #"Bearer realm="a", scope="b""#
        )
        #expect("\(Challenge(scheme: "Negotiate", token68: "YWJj"))" == "Negotiate ‹redacted›")
        #expect("\(Challenge(scheme: "Basic"))" == "Basic")
    }

    private func challenges(_ value: String) -> [Challenge] {
        Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: value)])
    }
}
