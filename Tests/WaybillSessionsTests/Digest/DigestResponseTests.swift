import Testing
import Waybill
import WaybillFiles
import WaybillSessions

@Suite("Responses to digest challenges")
struct DigestResponseTests {
    @Test(
        "Digests match RFC 1321 and FIPS 180-4 for any length of the last block",
        arguments: [
            (0, "d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (1, "0cc175b9c0f1b6a831c399e269772661", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
            (
                55, "ef1772b6dff9a122358552954ad0df65",
                "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
            ),
            (
                56, "3b0c8ac703f828b04c6c197006d17218",
                "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"
            ),
            (
                63, "b06521f39153d618550606be297466d5",
                "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"
            ),
            (
                64, "014842d480b571495a4a0363793f7367",
                "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
            ),
            (
                65, "c743a45e0d2e6a95cb859adae0248435",
                "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"
            ),
            (
                120, "5f61c0ccad4cac44c75ff505e1f1e537",
                "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"
            ),
            (
                1000, "cabe45dcc9ae5b66ba86600cca6b8ba8",
                "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
            ),
        ]
    )
    func sums(count: Int, md5: String, sha256: String) {
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        #expect(MD5.hexadecimal(message) == md5)
        #expect(SHA256.hexadecimal(message) == sha256)
    }

    struct Row: CustomTestStringConvertible {
        var testDescription: String { algorithm.map { "\($0), \(quality ?? "no qop")" } ?? "no algorithm" }
        let algorithm: String?
        let quality: String?
        let response: String
    }

    @Test(
        "A digest response matches RFC 7616, section 3.9.1",
        arguments: [
            Row(algorithm: "MD5", quality: "auth, auth-int", response: "8ca523f5e9506fed4657c9700eebdbec"),
            Row(algorithm: nil, quality: "auth", response: "8ca523f5e9506fed4657c9700eebdbec"),
            Row(algorithm: "md5-SESS", quality: "AUTH", response: "e783283f46242139c486a698fec7211d"),
            Row(algorithm: "MD5", quality: nil, response: "7b2cc3b30e75b4777ea31027084363fd"),
            Row(
                algorithm: "SHA-256",
                quality: "auth-int,auth",
                response: "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
            ),
            Row(
                algorithm: "SHA-256-sess",
                quality: "auth",
                response: "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"
            ),
        ]
    )
    func responses(_ row: Row) throws {
        var parameters = [
            "realm": "http-auth@example.org", "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
            "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
        ]
        parameters["algorithm"] = row.algorithm
        parameters["qop"] = row.quality
        let challenge = try #require(DigestChallenge(HTTPField.Challenge(scheme: "digest", parameters: parameters)))
        let digest = DigestResponse(
            user: "Mufasa",
            password: "Circle of Life",
            method: "GET",
            target: "/dir/index.html",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        let value = digest.value(for: challenge, count: 1)
        let fields = HTTPField.Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: value)])
        let field = try #require(fields.first)
        #expect(fields.count == 1)
        #expect(field["response"] == row.response)
        #expect(field["username"] == "Mufasa")
        #expect(field["uri"] == "/dir/index.html")
        #expect(field["opaque"] == parameters["opaque"])
        #expect(field["algorithm"] == row.algorithm)
        #expect(field["nc"] == row.quality.map { _ in "00000001" })
        #expect(field["qop"] == row.quality.map { _ in "auth" })
    }

    @Test("A digest response encodes any user name")
    func users() throws {
        let challenge = try #require(
            DigestChallenge(HTTPField.Challenge(scheme: "Digest", parameters: ["realm": #"a"\b"#, "nonce": "n"]))
        )
        func value(_ user: String) -> String {
            DigestResponse(user: user, password: "p", method: "GET", target: "/", clientNonce: "c")
                .value(for: challenge, count: 1)
        }
        #expect(value(#"b"o\"#).hasPrefix(#"Digest username="b\"o\\", realm="a\"\\b", nonce="n", uri="/", "#))
        #expect(value("Jäsøn").hasPrefix("Digest username*=UTF-8''J%C3%A4s%C3%B8n, "))
        // RFC 2069: without `qop`, there is neither a count nor a client nonce.
        #expect(!value("bo").contains("cnonce") && !value("bo").contains("nc="))
    }
}
