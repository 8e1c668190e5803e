import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Secrets in the examples of a document")
struct SecretExampleTests {
    private struct Login: Codable, Sendable {
        var user: String
        var password: String
        var iban: String
        var pin: Int
        var keys: [String: String]
        var note: String
    }

    private struct Vault: Codable, Sendable, Identifiable {
        let id: Int
        let password: Code
        let owner: Code
        var apiKey = "s3cret-default"

        /// A string that a sample contains and no generated candidate matches.
        struct Code: Codable, Sendable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                guard try container.decode(String.self).hasPrefix("s3cret") else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is another code.")
                }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode("s3cret-of-a-sample")
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            password = try container.decode(Code.self, forKey: .password)
            owner = try container.decode(Code.self, forKey: .owner)
            apiKey = try container.decodeIfPresent(String.self, forKey: .apiKey) ?? "s3cret-default"
        }
    }

    /// An API with a secret in each part of its calls.
    private struct Bank: DescribedAPI {
        let client = Client(
            URL(string: "https://bank.example/v1") ?? URL(fileURLWithPath: "/"),
            transport: StubTransport([:])
        ) {
            Secret("iban")
            Authorization(.apiKey("s3cret-key", query: "key"))
            Header("X-Declared", "s3cret-declared", secret: true)
        }

        private static let login = Login(
            user: "ann",
            password: "s3cret-password",
            iban: "s3cret-iban",
            pin: 7,
            keys: ["token": "s3cret-token", "color": "red"],
            note: #"she sent {"client_secret": "s3cret-in-text"}"#
        )

        var vaults: Resource<Vault, ReadOnly> { resource("vaults/\(secret: "s3cret-vault")/boxes") }

        var signIn: Endpoint<Void> {
            endpoint {
                POST("sessions/\(secret: "s3cret-path")")
                Query("color", "red")
                Query("signature", "s3cret-signature")
                Query("hidden", "s3cret-hidden", secret: true)
                Query("echo", "of s3cret-hidden")
                Header("X-Api-Key", "s3cret-api-key")
                Header("X-Color", "blue")
                Header(.cookie, "sid=s3cret-cookie")
                Body(Self.login)
            }
        }

        var token: Endpoint<Void> {
            endpoint {
                POST("tokens/\("s3cret-named", name: "token")")
                Body(form: ["grant_type": "password", "client_secret": "s3cret-form", "color": "red"])
            }
        }

        var calls: APIDescription {
            signIn
            token
            vaults
            APIDescription.Samples(Data(#"{"id": 1, "password": "s3cret-of-a-sample", "owner": "s3cret-known"}"#.utf8))
        }
    }

    @Test("The examples of a document contain the values of a call except its secrets")
    func examples() throws {
        let document = try Bank().openAPI(title: "Bank", version: "1")
        let text = document.text.replacingOccurrences(of: "s3cret-known", with: "")
        #expect(!text.contains("s3cret"), "\(text)")
        let paths = document.json["paths"]
        let signIn = paths?["/sessions/{id}"]?["post"]
        #expect(
            signIn?["requestBody"]?["content"]?["application/json"]?["example"] == [
                "user": "ann", "password": "‹redacted›", "iban": "‹redacted›", "pin": 7,
                "keys": ["token": "‹redacted›", "color": "red"],
                "note": #"she sent {"client_secret": "‹redacted›"}"#,
            ]
        )
        let parameters = signIn?["parameters"]?.arrayValue ?? []
        let examples = parameters.compactMap { parameter in
            parameter["example"].map { "\(parameter["name"]?.stringValue ?? ""): \($0)" }
        }
        #expect(examples == [#"color: "red""#, #"echo: "of ‹redacted›""#, #"X-Color: "blue""#])
        #expect(
            paths?["/tokens/{token}"]?["post"]?["requestBody"]?["content"]?["application/x-www-form-urlencoded"]?[
                "example"
            ] == ["grant_type": "password", "client_secret": "‹redacted›", "color": "red"]
        )
    }

    @Test("A secret member has a generated example that the schema allows")
    func formats() throws {
        struct Reset: Codable, Sendable {
            var token: UUID
            var secret: Int
            var password: [String]?
        }
        struct Account: DescribedAPI {
            let client = Bank().client
            var calls: APIDescription {
                endpoint {
                    POST("resets")
                    Body(Reset(token: UUID(), secret: 99_887_766, password: ["s3cret"]))
                } as Endpoint<Void>
            }
        }
        let document = try Account().openAPI(title: "Account", version: "1")
        #expect(
            document.json["paths"]?["/resets"]?["post"]?["requestBody"]?["content"]?["application/json"]?["example"]
                == ["token": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "secret": 1, "password": ["‹redacted›"]]
        )
    }
}
