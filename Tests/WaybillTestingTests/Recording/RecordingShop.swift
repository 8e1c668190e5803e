import Foundation
import Waybill
import WaybillDescription
import WaybillTesting

/// The API called by the recording tests.
struct RecordingShop: DescribedAPI {
    struct Product: Entity, Equatable {
        let id: Int
        var name: String
    }

    struct Credentials: Codable, Sendable, Equatable {
        var user: String
        var password: String
    }

    struct Session: Codable, Sendable, Equatable {
        var accessToken: String
        var user: String
    }

    let client: Client

    init(_ url: URL, transport: some Transport = .default, token: String = "first-secret-token") {
        client = Client(url, transport: transport) {
            Authorization(.bearer(token))
            Secret("pin")
        }
    }

    var products: Resource<Product, ReadWrite> { resource("products") }

    func search(_ query: [(String, String)]) -> Endpoint<[Product]> {
        endpoint {
            GET("search")
            for (name, value) in query { Query(name, value) }
        }
    }

    func signIn(_ credentials: Credentials) -> Endpoint<Session> {
        endpoint {
            POST("sessions")
            Body(credentials)
        }
    }

    func echo(_ text: String) -> Endpoint<JSONValue> {
        endpoint {
            POST("echo")
            Body(Data(text.utf8), contentType: "application/json")
        }
    }

    var calls: APIDescription { products }

    static let responses: StubResponses = [
        "GET products/{}": .response { request in
            .json(#"{"id": \#(request.pathValues[0]), "name": "Lamp"}"#)
        },
        "DELETE products/{}": .sequence([.status(204), .status(404)]),
        "GET search": .sequence([.json(#"[{"id": 1, "name": "Lamp"}]"#), .json("[]")]),
        "POST sessions": .response { request in
            .json(#"{"accessToken": "live-token-of-server", "user": "ann", "pin": 1234}"#)
        },
        "POST products": .response { request in .json(request.text, status: 201) },
        "PUT products/{}": .response { request in .json(request.text) },
        "GET photo": .response { _ in
            var response = StubResponse(status: 200)
            response.body = Data([0xFF, 0xD8, 0, 1, 2])
            return response
        },
    ]
}

/// A temporary folder for the files of a test, removed on deinitialization.
final class RecordingFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)")

    var file: URL { url.appendingPathComponent("shop.har") }

    var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

    func write(_ text: String) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
