import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Curl commands for forms", .inTurn)
struct CurlFormTests {
    private let directory = TemporaryDirectory()

    @Test("A curl command shows a form as separate parts with secrets redacted")
    func options() throws {
        let file = try directory.file(Data("1".utf8))
        let endpoint: Endpoint<Void> = Shop().endpoint {
            POST("photos")
            Multipart {
                Multipart.Part("title", "it's @1;2")
                Multipart.Part("user[password]", "hunter22")
                Multipart.Part("note", "a; \"b\" \\", contentType: "text/markdown")
                Multipart.Part("meta", json: ["a": "1", "token": "4711abcd"])
                Multipart.Part("photo", file: file, fileName: "dawn;1.jpg", contentType: "image/jpeg")
                Multipart.Part("same", file: file)
                Multipart.Part("preview", Data([0xFF, 0x00]), fileName: "p.png", contentType: "image/png")
                Multipart.Part("bytes", Data([0xFF, 0x00]))
                Multipart.Part("log", HTTPBody(Chunks("one")), contentType: "text/plain")
            }
        }
        let path = file.path
        #expect(
            try endpoint.curl() == #"""
                curl --request POST 'https://shop.example/v1/photos' \
                  --header 'Accept: application/json' \
                  --form-string 'title=it'\''s @1;2' \
                  --form-string 'user[password]=‹redacted›' \
                  --form 'note="a; \"b\" \\";type=text/markdown' \
                  --form 'meta="{\"a\":\"1\",\"token\":\"‹redacted›\"}";type=application/json' \
                  --form 'photo=@"\#(path)";filename="dawn;1.jpg";type=image/jpeg' \
                  --form 'same=@"\#(path)";type=application/octet-stream' \
                  --form 'preview=@"p.png";type=image/png' \
                  --form 'bytes=<body' \
                  --form 'log=<body;type=text/plain'
                """#
        )
        let revealed = try endpoint.curl(revealingSecrets: true)
        #expect(revealed.contains("'user[password]=hunter22'") && revealed.contains(#"\"token\":\"4711abcd\""#))
    }

    @Test(
        "A curl command sends the encoded form if curl could not express one of its names",
        arguments: [
            Multipart.Part("a=b", 1), Multipart.Part(#"a\b"#, 1), Multipart.Part("a", Data("1".utf8), fileName: #"b\"#),
        ]
    )
    func names(_ part: Multipart.Part) throws {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            POST("photos")
            Multipart { part }
        }
        #expect(try endpoint.curl().contains("--header 'Content-Type: multipart/form-data; boundary="))
        #expect(try endpoint.curl().hasSuffix("--data-binary @body") || endpoint.curl().contains("--data-raw"))
    }

    @Test("A curl command redacts secrets in a form-encoded part")
    func nestedForm() throws {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            POST("photos")
            Multipart {
                Multipart.Part(
                    "login",
                    Data("user=ada&password=hunter22".utf8),
                    contentType: "application/x-www-form-urlencoded"
                )
            }
        }
        let command = try endpoint.curl()
        #expect(command.contains("user=ada&password="))
        #expect(!command.contains("hunter22"))
        #expect(try endpoint.curl(revealingSecrets: true).contains("hunter22"))
    }

    @Test("A curl command for a form without parts has the encoded body and its content type")
    func noParts() throws {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            POST("photos")
            Multipart { for part in [] as [Multipart.Part] { part } }
        }
        let command = try endpoint.curl()
        let boundary = try #require(command.firstMatch(of: /boundary=([0-9a-f]+)'/)?.1)
        #expect(command.contains("--header 'Content-Type: multipart/form-data; boundary=\(boundary)' \\\n"))
        #expect(command.hasSuffix("--data-raw '--\(boundary)--\r\n'"))
    }

    #if os(Linux)
        @Test("Running the curl command of a form sends the same parts as the client")
        func program() async throws {
            let file = try directory.file(Data.sample(count: 1000))
            try await LoopbackServer.run(["POST it": .text("fine")]) { server async throws in
                let endpoint: Endpoint<Data> = Client(server.url).endpoint {
                    POST("it")
                    Multipart {
                        Multipart.Part("title", "it's @1;2")
                        Multipart.Part("a\"b", "<1")
                        Multipart.Part("note", "a; \"b\" \\", contentType: "text/markdown; charset=utf-8")
                        Multipart.Part("meta", json: ["a": "1;\\"])
                        Multipart.Part("photo", file: file, fileName: "dawn;\"1.jpg", contentType: "image/jpeg")
                        Multipart.Part("same", file: file)
                    }
                }
                _ = try await endpoint.send()
                let process = Shell.process(
                    "command -v curl >/dev/null || exit 0; \(try endpoint.curl())",
                    in: directory.url
                )
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                await process.exit()
                guard server.requestCount == 2 else { return }
                let texts = server.requests.map { request -> String in
                    let type = request.headerFields[.contentType] ?? ""
                    let boundary = type.split(separator: "=").last.map(String.init) ?? ""
                    return String(decoding: request.body, as: UTF8.self).replacingOccurrences(of: boundary, with: "‹›")
                }
                #expect(texts[0] == texts[1])
            }
        }
    #endif
}
