import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillJSON

@Suite("Sample bodies")
struct SampleBodyTests {
    /// An account number whose last two digits are the others modulo 97.
    struct AccountNumber: Codable, Sendable, Hashable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            text = try container.decode(String.self)
            guard text.count == 10, let number = Int(text.prefix(8)), Int(text.suffix(2)) == number % 97 else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "The check digits are wrong.")
            }
        }
    }

    struct Account: Codable, Sendable, Hashable, Identifiable {
        let id: Int
        let number: AccountNumber
        let owner: String
    }

    /// An invoice whose total must be the sum of its parts.
    struct Invoice: Decodable {
        let net: Int
        let tax: Int
        let total: Int

        private enum CodingKeys: CodingKey { case net, tax, total }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            net = try container.decode(Int.self, forKey: .net)
            tax = try container.decode(Int.self, forKey: .tax)
            total = try container.decode(Int.self, forKey: .total)
            guard net + tax == total, tax > 15 else {
                throw DecodingError.dataCorruptedError(forKey: .total, in: container, debugDescription: "No sum.")
            }
        }
    }

    private static let account = #"{"id": 5, "number": "1234567803", "owner": "Ann"}"#

    struct Bank: DescribedAPI {
        let client = Client(
            URL(string: "https://bank.example") ?? URL(fileURLWithPath: "/"),
            transport: UnusedTransport()
        )
        let samples: [String]

        var accounts: Resource<Account, ReadOnly> { resource("accounts") }

        var calls: APIDescription {
            accounts
            for sample in samples { APIDescription.Samples(Data(sample.utf8)) }
        }
    }

    struct UnusedTransport: Transport {
        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            throw TransportError(.other, "")
        }
    }

    @Test("A type that rejects generated values is learned from a sample body")
    func checked() throws {
        #expect(Int("12345678").map { $0 % 97 } == 3)
        let unknown = JSONSchema.Document(of: Account.self)
        #expect(unknown.json.description.contains("Not learned"))
        let body = try WaybillJSONDecoder().decode(JSONValue.self, from: Data(Self.account.utf8))
        let learned = JSONSchema.Document(of: Account.self, samples: [body])
        #expect(!learned.json.description.contains("Not learned"))
        #expect(learned.json.description.contains("1234567803"))
    }

    @Test("Interdependent values are taken from one sample body")
    func together() {
        let unknown = JSONSchema.Document(of: Invoice.self)
        #expect(unknown.json.description.contains("Not learned"))
        let learned = JSONSchema.Document(
            of: Invoice.self,
            samples: [["net": 300, "tax": 57, "total": 357], ["net": 5, "tax": 5, "total": 10]]
        )
        #expect(!learned.json.description.contains("Not learned"))
        #expect(learned.json["$defs"]?["SampleBodyTests.Invoice"]?["required"] == ["net", "tax", "total"])
    }

    @Test("A description's samples are used in its OpenAPI document, and a sample that is not JSON is an error")
    func described() throws {
        let text = try Bank(samples: [Self.account]).openAPI(title: "Bank", version: "1").json.description
        #expect(text.contains("1234567803"))
        #expect(!text.contains("Not learned"))
        let error = #expect(throws: APIDescription.Failure.self) {
            try Bank(samples: [Self.account, #"{"id": "#]).openAPI(title: "Bank", version: "1")
        }
        #expect(error?.description.hasPrefix("sample body 2 is not JSON: ") == true)
        #expect(error?.sampleProblems.count == 1)
    }
}
