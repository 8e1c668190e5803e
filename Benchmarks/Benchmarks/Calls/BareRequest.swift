import Foundation
import Waybill

/// The same requests built by hand, which percent-encode path values but do not check them otherwise.
enum BareRequest {
    static func read(_ id: Int, from base: URL) throws -> HTTPRequest {
        guard let url = URL(string: "\(base.absoluteString)/products/\(id)") else { throw URLError(.badURL) }
        return HTTPRequest(method: .get, url: url, headerFields: [accept])
    }

    static func review(of id: Int, by author: String, limit: Int?, from base: URL) throws -> HTTPRequest {
        var query = ["since=20260501"]
        if let limit { query.append("limit=\(limit)") }
        query.append("sort=\(encoded("newest first"))")
        let location =
            "\(base.absoluteString)/products/\(id)/reviews/\(encoded(author))?\(query.joined(separator: "&"))"
        guard let url = URL(string: location) else { throw URLError(.badURL) }
        return HTTPRequest(
            method: .get,
            url: url,
            headerFields: HTTPFields(
                [
                    accept, requestID.map { HTTPField(name: $0, value: "6f1c") },
                    client.map { HTTPField(name: $0, value: "benchmarks") },
                ].compactMap { $0 }
            )
        )
    }

    static func create(_ draft: Product.Draft, at base: URL) throws -> HTTPRequest {
        guard let url = URL(string: "\(base.absoluteString)/products") else { throw URLError(.badURL) }
        return HTTPRequest(
            method: .post,
            url: url,
            headerFields: [accept, HTTPField(name: .contentType, value: "application/json")],
            body: HTTPBody(try ResponseBodies.encoder.encode(draft))
        )
    }

    private static let accept = HTTPField(name: .accept, value: "application/json")
    private static let requestID = HTTPField.Name("X-Request-ID")
    private static let client = HTTPField.Name("X-Client")

    private static let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
