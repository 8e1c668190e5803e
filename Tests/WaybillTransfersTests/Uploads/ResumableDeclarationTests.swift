import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Declarations of resumable uploads")
struct ResumableDeclarationTests {
    @Test("An invalid declaration throws an error that names the clause, and nothing is sent")
    func rejected() async throws {
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub)
        let stream = HTTPBody(Chunks("a"), length: 1, isReplayable: true)
        let rows: [(Endpoint<Void>, [String])] = [
            (
                client.endpoint {
                    GET("files")
                    Resumable(.draft)
                },
                [
                    "Resumable(.draft): the call has no body; declare one, or declare the clause only where a body is"
                ]
            ),
            (
                client.endpoint {
                    POST("files")
                    Body(stream, contentType: "a/b")
                    Resumable(.draft)
                },
                [
                    "Resumable(.draft): the body can only be read from its start; give bytes, a file, or an"
                        + " HTTPBody(length:_:)"
                ]
            ),
            (
                client.endpoint {
                    PUT("files")
                    Body(Data(), contentType: "a/b")
                    Resumable(.tus)
                },
                ["Resumable(.tus): tus creates an upload by POST, and the method is PUT; declare POST"]
            ),
            (
                client.endpoint {
                    POST("files")
                    Body(Data(), contentType: "a/b")
                    Resumable(.tus(metadata: ["a b": "1", "": "2", "é": "3", "c": "4", "c": "5"]), maximumPartBytes: 0)
                },
                [
                    "Resumable(maximumPartBytes: 0): a part has at least one byte; give 1 or more",
                    #"Resumable(metadata: "a b": "1"): a tus key is non-empty ASCII without spaces or commas;"#
                        + " give another one",
                    #"Resumable(metadata: "": "2"): a tus key is non-empty ASCII without spaces or commas;"#
                        + " give another one",
                    #"Resumable(metadata: "é": "3"): a tus key is non-empty ASCII without spaces or commas;"#
                        + " give another one",
                    #"Resumable(metadata: "c"): a key of tus occurs only once; remove the others"#,
                ]
            ),
        ]
        for (endpoint, errors) in rows {
            let error = await #expect(throws: APIError.self) { try await endpoint.send() }
            guard case .request(let failure)? = error else { return unexpected(error) }
            #expect(failure.declarationErrors.map(\.description) == errors)
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("The plan, the curl command, and the explanation show the request that creates the upload")
    func shown() throws {
        let client = Client(Shop.url, transport: StubTransport([:]))
        let endpoint = { (resumable: Resumable) -> Endpoint<Void> in
            client.endpoint {
                POST("files")
                Body(Data("movie".utf8), contentType: "text/plain")
                resumable
            }
        }
        #expect(
            try endpoint(Resumable(.tus(metadata: ["filename": "dawn.mov"]), maximumPartBytes: 5)).curl() == #"""
                curl --request POST 'https://shop.example/v1/files' \
                  --header 'Accept: application/json' \
                  --header 'Tus-Resumable: 1.0.0' \
                  --header 'Upload-Length: 5' \
                  --header 'Upload-Metadata: filename ZGF3bi5tb3Y=' \
                  --header 'Content-Length: 0'
                """#
        )
        #expect(
            try endpoint(Resumable(.draft)).curl() == #"""
                curl --request POST 'https://shop.example/v1/files' \
                  --header 'Accept: application/json' \
                  --header 'Content-Type: text/plain' \
                  --header 'Upload-Draft-Interop-Version: 8' \
                  --header 'Upload-Complete: ?1' \
                  --header 'Upload-Length: 5' \
                  --data-raw 'movie'
                """#
        )
        #expect(try endpoint(Resumable(.draft, maximumPartBytes: 2)).plan().headerFields["Upload-Complete"] == "?0")
        let explanation = try endpoint(Resumable(.draft, maximumPartBytes: 2)).explanation
        #expect(explanation.contains("Header Upload-Length: 5"))
        #expect(explanation.contains("Resumable: draft, in parts of 2 bytes"))
        let lines = explanation.split(separator: "\n").filter { $0.contains("Upload-") }
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasSuffix("endpoint") })
    }

    @Test("Resumable.none sends an ordinary upload, and resuming one is a declaration error")
    func none() async throws {
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) { Resumable(.tus, maximumPartBytes: 2) }
        let endpoint: Endpoint<Void> = client.endpoint {
            PUT("files/1")
            Body(Data("abc".utf8), contentType: "a/b")
            Resumable.none
        }
        try await endpoint.send()
        try await client.endpoint {
            GET("files")
            Resumable.none
        }.send()
        #expect(stub.requests.map { "\($0.method) \($0.text)" } == ["PUT abc", "GET "])
        #expect(stub.requests.allSatisfy { $0.headerFields["Tus-Resumable"] == nil })
        #expect(try endpoint.explanation.contains(/Resumable: none +endpoint/))
        let error = await failure { try await endpoint.send(resuming: nil) }
        #expect(error?.description.contains("declares no protocol for it") == true)
        #expect(stub.requests.count == 2)
        #expect(Resumable.none.uploadProtocol == nil)
    }
}
