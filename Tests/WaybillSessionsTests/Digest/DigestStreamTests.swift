import CallSupport
import Foundation
import Testing
@testable import WaybillFiles
@testable import WaybillSessions
import WaybillTesting

@testable import Waybill

@Suite("Digest authentication of one-time bodies")
struct DigestStreamTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String { "\(algorithm), good for \(lifetime)" }
        let algorithm: String
        /// The number of responses for which a nonce is valid.
        let lifetime: Int
        let outcomes: [Int]
        /// The nonce and count of each request.
        let sent: [String]
    }

    /// A server that counts the responses to each of its challenges, and requires them in order.
    private actor Doorman {
        private var (nonce, uses) = (1, 0)
        let row: Row

        init(_ row: Row) { self.row = row }

        func response(to request: ReceivedRequest) -> StubResponse {
            if uses == row.lifetime { (nonce, uses) = (nonce + 1, 0) }
            guard request.nonceAndCount == "n\(nonce) \(uses + 1)" else {
                let challenge = #"Digest realm="a", nonce="n\#(nonce)", qop="auth", algorithm=\#(row.algorithm)"#
                return .status(401).header("WWW-Authenticate", challenge)
            }
            uses += 1
            return .json("200")
        }
    }

    @Test(
        "A streamed body that is challenged fails with the 401, and the next request responds to the challenge",
        arguments: ["MD5", "SHA-256-sess"].flatMap { algorithm in
            [
                Row(
                    algorithm: algorithm,
                    lifetime: 9,
                    outcomes: [401, 200, 200, 200, 200],
                    sent: ["none", "n1 1", "n1 2", "n1 3", "n1 4"]
                ),
                Row(
                    algorithm: algorithm,
                    lifetime: 2,
                    outcomes: [401, 200, 200, 401, 200],
                    sent: ["none", "n1 1", "n1 2", "n1 3", "n2 1"]
                ),
            ]
        }
    )
    func streams(_ row: Row) async throws {
        let doorman = Doorman(row)
        let stub = StubTransport { await doorman.response(to: $0) }
        let client = Client(Shop.url, transport: stub) { Authorization(.digest(user: "bo", password: "s3cret")) }
        var outcomes: [Int] = []
        for _ in row.outcomes {
            let upload: Endpoint<Int> = client.endpoint {
                POST("a")
                Body(HTTPBody(AsyncStream { $0.finish() }), contentType: "text/plain")
            }
            do throws(APIError) { outcomes.append(try await upload.send()) } catch {
                outcomes.append(error.status?.code ?? 0)
            }
        }
        #expect(outcomes == row.outcomes)
        #expect(stub.requests.map { $0.nonceAndCount ?? "none" } == row.sent)
    }

    @Test("A streamed body's digest challenge is used by any later request")
    func shared() async throws {
        let doorman = Doorman(Row(algorithm: "MD5", lifetime: 9, outcomes: [], sent: []))
        let stub = StubTransport { await doorman.response(to: $0) }
        let client = Client(Shop.url, transport: stub) { Authorization(.digest(user: "bo", password: "s3cret")) }
        let upload: Endpoint<Int> = client.endpoint {
            POST("a")
            Body(HTTPBody(AsyncStream { $0.finish() }), contentType: "text/plain")
        }
        let error = await failure { try await upload.send() }
        #expect(error?.status == 401)
        #expect(try await client.get("a", as: Int.self) == 200)
        #expect(try await upload.send() == 200)
    }
}

extension ReceivedRequest {
    /// The nonce and count of the request's digest response.
    fileprivate var nonceAndCount: String? {
        let credentials = headerFields[.authorization].flatMap {
            HTTPField.Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: $0)]).first
        }
        return credentials.flatMap { credentials in
            guard let nonce = credentials["nonce"], let count = credentials["nc"].flatMap({ Int($0, radix: 16) }) else {
                return nil
            }
            return "\(nonce) \(count)"
        }
    }
}
