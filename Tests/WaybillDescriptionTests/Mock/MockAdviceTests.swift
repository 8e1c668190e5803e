import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Advice from mock servers about unsupported requests")
struct MockAdviceTests {
    @Test("An operation without a declared id location gets 501 with the clause to declare it") func missingIDs()
        async throws
    {
        let server = try MockServer(Accounts(namesID: false)) { Seeds([Account(id: 1, iban: "AT1")]) }
        let text = try await rejection { try await Accounts(server.url, namesID: false).accounts.delete(1) }
        #expect(text.contains("does not know where the request has the id: accounts.close.delete"), "\(text)")
        #expect(text.contains(#"Declare it in the operation: Query("id", .id) or Body.Member("id", .id)"#), "\(text)")
        let other = try MockServer(Accounts(namesID: true)) { Seeds([Account(id: 1, iban: "AT1")]) }
        try await Accounts(other.url, namesID: true).accounts.delete(1)
    }

    @Test("A create with an ambiguous collection gets 501, and a seed resolves the ambiguity")
    func collections() async throws {
        let server = try MockServer(Accounts(namesID: true))
        let text = try await rejection {
            _ = try await Accounts(server.url, namesID: true).notes(of: 1).create(.init(text: "a"))
        }
        #expect(text.contains("does not know which of the collections accounts/{}/notes is meant"), "\(text)")
        #expect(text.contains(#"Seed one of them, or use \(.resource) in the path of the operation"#), "\(text)")
        let seeded = try MockServer(Accounts(namesID: true)) {
            Seeds([Note(id: 1, text: "first")], at: "accounts/1/notes")
        }
        let notes = Accounts(seeded.url, namesID: true).notes(of: 1)
        let made = try await notes.create(.init(text: "a"))
        #expect(try await notes.list().map(\.id) == [1, made.id])
    }

    @Test("A type that rejects generated values gets 501 unless a sample decodes") func samples() async throws {
        let server = try MockServer(Accounts(namesID: true))
        let text = try await rejection { _ = try await Accounts(server.url, namesID: true).current.send() }
        #expect(text.contains("knows no value of Checked that decodes"), "\(text)")
        #expect(text.contains("List APIDescription.Samples(…) with such a body"), "\(text)")
        let sampled = try MockServer(Accounts(namesID: true, hasSample: true))
        #expect(try await Accounts(sampled.url, namesID: true).current.send().iban == "AT611904300234573201")
    }

    @Test("An overriding response replaces a call that cannot be mocked") func override() async throws {
        let server = try MockServer(Accounts(namesID: true), overriding: ["GET current": .json(#"{"iban": "AT61"}"#)])
        let response = try await Accounts(server.url, namesID: true).current.returning(JSONValue.self).send()
        #expect(response["iban"] == "AT61")
    }

    /// Returns the text of the 501 response to a call.
    private func rejection(of call: () async throws -> Void) async throws -> String {
        let error = await #expect(throws: APIError.self) { try await call() }
        #expect(error?.status == 501)
        let text = "\(try #require(error))"
        #expect(text.contains("or override the response: overriding: [\""), "\(text)")
        return text
    }
}

private struct Account: Entity {
    let id: Int
    var iban: String
}

private struct Note: Entity {
    let id: Int
    var text: String
    struct Draft: Codable, Sendable { var text: String }
}

private struct Checked: Decodable, Sendable {
    private enum CodingKeys: CodingKey { case iban }

    let iban: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        iban = try container.decode(String.self, forKey: .iban)
        guard iban.count > 15, iban.hasPrefix("AT") else {
            throw DecodingError.dataCorruptedError(forKey: .iban, in: container, debugDescription: "no IBAN")
        }
    }
}

private struct Accounts: DescribedAPI {
    enum Closing: Listable, Deletable {}
    enum Adding: Listable, Creatable {}

    let client: Client
    let namesID, hasSample: Bool

    init(_ url: URL = .mocked, namesID: Bool, hasSample: Bool = false) {
        client = Client(url) {}
        (self.namesID, self.hasSample) = (namesID, hasSample)
    }

    var accounts: Resource<Account, Closing> {
        guard namesID else { return resource("accounts") { On(.delete) { POST("\(.resource)/close") } } }
        return resource("accounts") {
            On(.delete) {
                POST("\(.resource)/close")
                Query("account", .id)
            }
        }
    }

    func notes(of account: Int) -> Resource<Note, Adding> {
        resource("accounts/\(account)/notes") { On(.create) { POST("notes") } }
    }

    var current: Endpoint<Checked> { endpoint { GET("current") } }

    var calls: APIDescription {
        accounts
        notes(of: 1)
        current
        if hasSample { APIDescription.Samples(Data(#"{"iban": "AT611904300234573201"}"#.utf8)) }
    }
}
