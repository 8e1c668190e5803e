import Foundation
import TestSupport
import Waybill
import WaybillOperations
import WaybillTesting
import WaybillTransfers

/// A kind of link in a response, with a call that follows it.
package enum ProxyLink: String, CaseIterable, Sendable {
    case pageInBody, pageInField, redirect, created, upload, operation, urlOfServer

    /// The requests of the call, each as a method and a path relative to the base URL.
    package var requests: [String] {
        switch self {
        case .pageInBody: ["GET items", "GET items?page=2"]
        case .pageInField: ["GET list", "GET list?page=2"]
        case .redirect: ["GET old", "GET new?a=b%20c"]
        case .created: ["POST products", "GET products/7"]
        case .upload: ["POST files", "PATCH uploads/1"]
        case .operation: ["POST reports", "GET jobs/7", "GET reports/9"]
        case .urlOfServer: ["GET new?a=1"]
        }
    }

    /// Performs the call.
    ///
    /// - Parameters:
    ///   - client: the client, whose base URL ends with `/v1`.
    ///   - origin: the origin in the server's links.
    package func send(with client: Client, linkedOrigin origin: String) async throws {
        switch self {
        case .pageInBody: _ = try await Self.items(client).all.collect()
        case .pageInField: _ = try await Self.list(client).all.collect()
        case .redirect: _ = try await client.get("old", as: Int.self)
        case .created:
            let products: Resource<Product, ReadWrite> = client.resource("products") { WriteResult(.reread) }
            _ = try await products.create(.init(name: "Lamp"))
        case .upload: try await Self.upload(client).send()
        case .operation: _ = try await Self.report(client).send()
        case .urlOfServer:
            let new: Endpoint<Int> = client.endpoint { GET(at: "\(origin)/v1/new?a=1") }
            _ = try await new.send()
        }
    }

    /// A list whose pages link to the next page in the body.
    package static func items(_ client: Client, otherOrigins: [String] = []) -> Endpoint<[Int]> {
        client.endpoint {
            GET("items")
            Envelope("items")
            Paginated(.next(at: "next"), otherOrigins: otherOrigins)
        }
    }

    /// A list whose pages link to the next page in the `Link` field.
    package static func list(_ client: Client) -> Endpoint<[Int]> {
        client.endpoint {
            GET("list")
            Paginated(.link())
        }
    }

    package static func upload(_ client: Client) -> Endpoint<Void> {
        client.endpoint {
            POST("files")
            Body(HTTPBody(Data("lamp".utf8)), contentType: "text/plain")
            Resumable(.tus)
        }
    }

    private static func report(_ client: Client) -> Endpoint<Int> {
        client.endpoint {
            POST("reports")
            LongRunning(
                at: .field("Location"),
                state: .member("status", running: ["running"], done: ["done"], failed: ["failed"]),
                result: .link(.member("result"))
            )
        }
    }

    // MARK: The server

    /// Returns the response of a server whose links contain an origin.
    package static func response(to request: ReceivedRequest, linkedOrigin origin: String) -> StubResponse {
        let page = request.query("page") ?? "1"
        let next = "\(origin)\(request.path)?page=2"
        switch "\(request.method) \(request.path.dropFirst("/v1/".count))" {
        case "GET items":
            return .json(page == "1" ? #"{"items": [1], "next": "\#(next)"}"# : #"{"items": [2], "next": null}"#)
        case "GET list": return page == "1" ? .json("[1]").header("Link", "<\(next)>; rel=next") : .json("[2]")
        case "GET old": return .redirect(to: "\(origin)/v1/new?a=b%20c")
        case "GET new": return .json("1")
        case "POST products": return .status(201).header("Location", "\(origin)/v1/products/7")
        case "GET products/7": return .json(#"{"id": 7, "name": "Lamp"}"#)
        case "POST files": return tus(201).header("Location", "\(origin)/v1/uploads/1")
        case "HEAD uploads/1": return tus(200).header("Upload-Offset", "0").header("Upload-Length", "4")
        case "PATCH uploads/1": return tus(204).header("Upload-Offset", "4")
        case "POST reports": return .status(202).header("Location", "\(origin)/v1/jobs/7")
        case "GET jobs/7": return .json(#"{"status": "done", "result": "\#(origin)/v1/reports/9"}"#)
        case "GET reports/9": return .json("9")
        default: return .text("no such path: \(request.path)", status: 404)
        }
    }

    private static func tus(_ status: HTTPResponse.Status) -> StubResponse {
        .status(status).header("Tus-Resumable", "1.0.0")
    }
}
