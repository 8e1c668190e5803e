import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("HTML and text labeled as JSON")
struct MislabeledBodyTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let body: String
        /// The lines of a status failure's description after the first two.
        let status: [String]
        /// The lines of a decoding failure's description after the first two.
        let success: [String]
    }

    private static let page =
        "the body is an HTML page and not JSON, although it is labeled application/json; the URL may be wrong, or a"
        + " proxy answered; for its bytes, declare `Data`"

    private static let text =
        "the body is text and not JSON, although it is labeled application/json; for its bytes, declare `Data`"

    static let rows = [
        Row(
            testDescription: "an HTML page with a title",
            body: "<html>\n<head><title>502 Bad\n Gateway</title></head></html>",
            status: ["the body has 58 bytes of application/json, but is not JSON:", "  502 Bad Gateway"],
            success: [page, "  502 Bad Gateway"]
        ),
        Row(
            testDescription: "an HTML page without a title",
            body: "<!DOCTYPE html><h1>Bad Gateway</h1>\n<hr>",
            status: [
                "the body has 40 bytes of application/json, but is not JSON:", "  <!DOCTYPE html><h1>Bad Gateway</h1>",
            ],
            success: [page, "  <!DOCTYPE html><h1>Bad Gateway</h1>"]
        ),
        Row(
            testDescription: "a text",
            body: "\nupstream connect error\n",
            status: ["the body has 24 bytes of application/json, but is not JSON:", "  upstream connect error"],
            success: [text, "  upstream connect error"]
        ),
        Row(
            testDescription: "a text with a secret of the call",
            body: "no session t0k3n-query here",
            status: ["the body has 27 bytes of application/json, but is not JSON:", "  no session ‹redacted› here"],
            success: [text, "  no session ‹redacted› here"]
        ),
        Row(
            testDescription: "a text with the name of a secret",
            body: "password: hunter2",
            status: ["the body has 17 bytes of application/json, but is not JSON"],
            success: [text]
        ),
        Row(
            testDescription: "a word, which may be a token",
            body: "OK",
            status: ["the body has 2 bytes of application/json, but is not JSON:", "  OK"],
            success: [text]
        ),
        Row(
            testDescription: "JSON that is broken",
            body: #"{"error": oops}"#,
            status: ["the body has 15 bytes of application/json, but is not JSON"],
            success: [
                "line 1, column 11: expected a value after ':', found 'oops'", #"    {"error": oops}"#,
                "              ^~~~",
            ]
        ),
    ]

    struct Complaint: Decodable, Sendable { let code: String }

    private static func client(_ body: String, _ status: HTTPResponse.Status) -> Client {
        Shop(StubTransport { _ in .json(body, status: status) }) {
            Problem(Complaint.self)
            Problem(String.self)
            Query("token", "t0k3n-query")
        }.client
    }

    @Test("A failed status with a mislabeled body reports that the body is not JSON", arguments: rows)
    func status(_ row: Row) async throws {
        let error = try #require(
            await failure { try await Self.client(row.body, 502).get("a", as: Product.self) }
        )
        guard case .status(let status) = error else {
            Issue.record("expected a status failure, got \(error)")
            return
        }
        #expect(status.problem == nil)
        #expect(status.body == Data(row.body.utf8))
        let lines = error.description.split(separator: "\n").map { String($0.dropFirst(2)) }
        #expect(Array(lines.dropFirst(2)) == row.status, "\(error)")
    }

    @Test("A success with a mislabeled body is a decoding failure that reports it", arguments: rows)
    func success(_ row: Row) async throws {
        let error = try #require(
            await failure { try await Self.client(row.body, 200).get("a", as: Product.self) }
        )
        guard case .decoding(let decoding) = error else {
            Issue.record("expected a decoding failure, got \(error)")
            return
        }
        #expect(decoding.body == Data(row.body.utf8))
        let lines = error.description.split(separator: "\n").map { String($0.dropFirst(2)) }
        #expect(Array(lines.dropFirst(2)) == row.success, "\(error)")
    }

    /// A way to read a response whose value could be nil, empty, text or the sent value.
    enum Reading: CaseIterable {
        case optional, list, listIfThere, droppedItems, text, optionalText, merged, stream, metadata, foundation, page

        func value(_ shop: Shop) async throws {
            switch self {
            case .optional: _ = try await shop.client.get("a", as: Product?.self)
            case .list: _ = try await shop.products.list()
            case .listIfThere:
                let products: Resource<Product, ReadOnly> = shop.resource("products") {
                    Envelope("items")
                    Paginated(.pageNumber(), missingList: .isEmpty)
                }
                _ = try await products.page()
            case .droppedItems: _ = try await shop.products.with { DropInvalidItems() }.list()
            case .text: _ = try await shop.client.get("a", as: String.self)
            case .optionalText: _ = try await shop.client.get("a", as: String?.self)
            case .merged: _ = try await shop.products.with { WriteResult(.merged) }.create(.init(name: "L"))
            case .stream:
                for try await _ in try await shop.products.endpoints.list().stream() {}
            case .metadata:
                let endpoint: Endpoint<Void> = shop.endpoint {
                    GET("a")
                    Metadata(Complaint.self)
                }
                _ = try await endpoint.send()
            case .foundation: _ = try await shop.products.with { Decode(with: JSONDecoder()) }.read(7)
            case .page: _ = try await shop.products.with { Paginated(.pageNumber()) }.page()
            }
        }
    }

    @Test(
        "A mislabeled body never decodes as nil, empty or the sent value",
        arguments: Reading.allCases,
        ["<html><body>Bad Gateway</body></html>", "upstream connect error"]
    )
    func readings(_ reading: Reading, _ body: String) async throws {
        let shop = Shop(StubTransport { _ in .json(body) })
        let error = try #require(await failure { try await reading.value(shop) })
        guard case .decoding = error else {
            Issue.record("expected a decoding failure, got \(error)")
            return
        }
        #expect(error.description.contains("not JSON"), "\(error)")
    }

    @Test("An optional String in a JSON body is a JSON string, and nil for null or an empty body")
    func optionalText() async throws {
        for (body, text) in [(#""a""#, "a"), ("null", nil), ("", nil)] as [(String, String?)] {
            let client = Shop(StubTransport { _ in .json(body) }).client
            #expect(try await client.get("a", as: String?.self) == text)
        }
    }

    @Test("A mislabeled body can be read as bytes, as the error suggests")
    func wayOut() async throws {
        let client = Shop(StubTransport { _ in .json("<html></html>") }).client
        #expect(try await client.get("a", as: Data.self) == Data("<html></html>".utf8))
    }

    @Test("A truncated failure body that begins like JSON is not reported as mislabeled")
    func truncated() async throws {
        let body = #"{"error":"\#(String(repeating: "a", count: 400))"}"#
        let shop = Shop(StubTransport { _ in .json(body, status: 500) }) { BodyLimits(failureBytes: 100) }
        let error = try #require(await failure { try await shop.client.get("a", as: Product.self) })
        #expect(error.description.contains("the body has 100 bytes and more of application/json"))
        #expect(!error.description.contains("not JSON"))
    }
}
