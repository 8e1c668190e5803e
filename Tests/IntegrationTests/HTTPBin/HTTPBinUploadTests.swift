import Foundation
import Testing
import Waybill

@Suite("httpbin, uploads", .running(.httpbin))
struct HTTPBinUploadTests {
    @Test("The parts of a form arrive at httpbin as fields and files", arguments: TransportUnderTest.all)
    func forms(over transport: TransportUnderTest) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("waybill-\(UUID().uuidString)")
        try Data("one\ntwo".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let echo = try await HTTPBinAPI(over: transport).echo {
            Part("title", "Dä\"wn\n")
            Part("meta", json: ["album": 7])
            Part("tags", formEncoding: ["a", "b"])
            Part("photo", file: file, fileName: "a\"b\r\nX-Evil: 1.txt", contentType: "text/plain")
            Part("bytes", Data("three".utf8), fileName: "ü.txt")
        }.send()
        #expect(echo.form == ["title": "Dä\"wn\r\n", "meta": #"{"album":7}"#, "tags": ["a", "b"]])
        #expect(echo.files == ["photo": "one\ntwo", "bytes": "three"])
        #expect(echo.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    }
}
