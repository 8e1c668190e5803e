import Testing
import WaybillHTTP

@Suite("Secret names")
struct SecretNameTests {
    @Test(
        "A name is secret in every spelling",
        arguments: [
            "access_token", "accessToken", "ACCESS-TOKEN", "_access__token-", "user[password]", "a[b][Pass-Word]",
            "clé_privée", "CLÉ-PRIVÉE", "x[cléprivée]",
        ]
    )
    func secret(name: String) {
        var names = SecretNameSet.usual
        names.insert("Clé-Privée")
        #expect(names.contains(name))
    }

    @Test(
        "A name that resembles a secret name is not secret",
        arguments: [
            "", "_", "access_tokens", "ccess_token", "acces_stoken ", "user[passwords]", "passwor\u{212A}", "é",
        ]
    )
    func plain(name: String) { #expect(!SecretNameSet.usual.contains(name)) }

    @Test("Changing a set leaves its copies unchanged, and a union has the names of both sets")
    func copies() {
        let empty = SecretNameSet()
        var first = empty
        first.insert("first")
        let copy = first
        first.formUnion(SecretNameSet(["Second"]))
        #expect(!empty.hasNames)
        #expect(copy.names == ["first"])
        #expect(first.names == ["first", "second"])
        #expect(first.contains("SECOND") && !copy.contains("second"))
    }
}
