import Foundation
import Testing
import Waybill

@Suite("httpbin: uploads", .running(.httpbin))
struct HTTPBinUploadTests {
    @Test("The parts of a form arrive at httpbin as fields and files", arguments: TransportUnderTest.all)
    func forms(over transport: TransportUnderTest) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("waybill-\(UUID().uuidString)")
        try Data("one\ntwo".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let echo = try await HTTPBinAPI(over: transport).echo {
            Multipart.Part("title", "Dä\"wn\n")
            Multipart.Part("meta", json: ["album": 7])
            Multipart.Part("tags", formEncoding: ["a", "b"])
            Multipart.Part("photo", file: file, fileName: "a\"b\r\nX-Evil: 1.txt", contentType: "text/plain")
            Multipart.Part("bytes", Data("three".utf8), fileName: "ü.txt")
        }.send()
        #expect(echo.form == ["title": "Dä\"wn\r\n", "meta": #"{"album":7}"#, "tags": ["a", "b"]])
        #expect(echo.files == ["photo": "one\ntwo", "bytes": "three"])
        #expect(echo.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test(
        "Part names with backslashes, quotation marks, percent signs and other characters arrive at httpbin unchanged",
        arguments: TransportUnderTest.all
    )
    func names(over transport: TransportUnderTest) async throws {
        let names = [
            #"a\"#, #"\"#, #"a\\"#, #"a\b"#, #"a\"b"#, #"a"; filename="b"#, #"a\"; x="\"#, "a%b", "a%25", "a;b", "a=b",
            "a b ", "a\tb", "ä✓", "a'b",
        ]
        for name in names {
            let echo = try await HTTPBinAPI(over: transport).echo {
                Multipart.Part(name, "one")
                Multipart.Part(name + "file", Data("two".utf8), fileName: name)
                Multipart.Part("after", "three")
            }.send()
            #expect(echo.form == [.init(name): "one", "after": "three"], "\(name)")
            #expect(echo.files == [name + "file": "two"], "\(name)")
        }
    }
}
