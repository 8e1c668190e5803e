import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Recording files")
struct RecordingFileTests {
    private let url = URL(string: "https://shop.example/v1/products/7?q=a") ?? URL(fileURLWithPath: "/")

    private func recording() async throws -> RecordingFolder {
        let folder = RecordingFolder()
        let stub = StubTransport { _ in .json(#"{"id": 7}"#).header("X-Trace", "é") }
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        var request = HTTPRequest(method: .post, url: url)
        request.headerFields[.contentType] = "application/json"
        request.body = HTTPBody(Data(#"{"name": "Lamp"}"#.utf8))
        _ = try await recorded.send(request, options: TransferOptions(template: "products/{}"))
        return folder
    }

    @Test("A file truncated at any byte throws an error with a line")
    func cut() async throws {
        let folder = try await recording()
        let bytes = Array(try folder.text.utf8)
        let file = folder.file
        _ = try RecordedTransport(file)
        for count in stride(from: 0, to: bytes.count, by: Thoroughness.repetitions(1, otherwise: 29)) {
            try Data(bytes[..<count]).write(to: file)
            let error = #expect(throws: RecordedTransport.Failure.self, "\(count) bytes") {
                try RecordedTransport(file)
            }
            guard let error, case .malformed = error.reason, let line = error.line else {
                Issue.record("\(count) bytes: \(String(describing: error))")
                continue
            }
            #expect(line <= bytes[..<count].count { $0 == UInt8(ascii: "\n") } + 1)
        }
    }

    @Test(
        "An invalid edit of a file throws an error with a line near the edit",
        arguments: [
            (#""version": "1.2""#, #""version": "1.3""#), (#""name": "Waybill""#, #""name": "Chrome""#),
            (#""method": "POST""#, #""method": "PO ST""#), (#""status": 200"#, #""status": 2000"#),
            (#""status": 200"#, #""status": "200""#), (#""status": 200"#, #""status": 0"#),
            (#""status": 200"#, #""stats": 200"#), (#""size": 9"#, #""size": 8"#),
            (#""bodySize": 16"#, #""bodySize": 15"#), (#""_template": "products/{}","#, ""),
            (#""X-Trace""#, #""X Trace""#), ("products/7?q=a", "products/7?q=b"),
            (#""encoding": "base64""#, ""), (#""redirectURL": """#, #""redirectURL": "/a""#),
            (#""_template": "products/{}","#, #""_template": "products/{}", "_fualt": {"kind": "connectionLost"},"#),
            (#""_template": "products/{}","#, #""_template": "products/{}", "_fault": {"kind": "connectionlost"},"#),
            (#"{\"id\": 7}"#, #"{\"id\": 70}"#),
        ]
    )
    func edited(old: String, new: String) async throws {
        let folder = try await recording()
        let text = try folder.text
        guard let place = text.range(of: old) else {
            #expect(old.contains("encoding"), "\(old) is not in the file")
            return
        }
        try folder.write(text.replacingOccurrences(of: old, with: new))
        let file = folder.file
        let error = try #require(throws: RecordedTransport.Failure.self) { try RecordedTransport(file) }
        let line = text[..<place.lowerBound].count { $0 == "\n" } + 1
        // A missing member is reported at the line of its object, and a contradiction at that of either member.
        #expect(abs(try #require(error.line) - line) <= 20, "\(error)")
        guard case .malformed(let reason) = error.reason else { throw error }
        #expect(!reason.isEmpty)
    }

    @Test("An entry with a recording name that the file does not list throws an error")
    func strayName() async throws {
        let folder = try await recording()
        try folder.write(
            try folder.text.replacingOccurrences(of: #""_template""#, with: #""pageref": "a", "_template""#)
        )
        let file = folder.file
        let error = #expect(throws: RecordedTransport.Failure.self) { try RecordedTransport(file) }
        #expect(try #require(error).description.contains("none has the id"))
    }

    @Test("A malformed file is not overwritten by a new recording")
    func kept() throws {
        let folder = RecordingFolder()
        try folder.write("{}")
        let file = folder.file
        #expect(throws: RecordedTransport.Failure.self) { try RecordedTransport(file, .record) }
        #expect(try folder.text == "{}")
    }

    @Test("A file that cannot be written makes the call fail")
    func unwritable() async throws {
        let folder = RecordingFolder()
        try folder.write("")
        // There is a file where the folder should be.
        let file = folder.file.appendingPathComponent("shop.har")
        let stub = StubTransport { _ in .json("1") }
        let recorded = try RecordedTransport(file, .record, over: stub)
        let request = HTTPRequest(method: .get, url: url)
        let error = await #expect(throws: TransportError.self) { try await recorded.send(request) }
        #expect(error?.kind == .unavailable)
        #expect(throws: RecordedTransport.Failure.self) { try recorded.finish() }
    }

    /// Replacements in a recording that no recorder writes.
    private static let edits: [(old: String, new: String)] = [
        (#""status": 200"#, #""status": 1e999"#), (#""status": 200"#, #""status": 99999999999999999999"#),
        (#""status": 200"#, #""status": -200"#), (#""status": 200"#, #""status": 200.5"#),
        (#""status": 200"#, #""status": null"#), (#""status": 200"#, #""status": [200]"#),
        (#""size": 9"#, #""size": -9223372036854775809"#), (#""size": 9"#, #""size": 9223372036854775807"#),
        (#""bodySize": 16"#, #""bodySize": 1e400"#), (#""bodySize": 16"#, #""bodySize": "16""#),
        (#""method": "POST""#, #""method": """#), (#""method": "POST""#, #""method": {}"#),
        (#""method": "POST""#, #""method": "PO\r\nST""#), (#""X-Trace""#, #""X-\u0000Trace""#), (#""X-Trace""#, "7"),
        (#""version": "1.2""#, #""version": 1.2"#),
        (#""version": "1.2""#, #""version": "1.2\u0000""#),
        (#""pages": []"#, #""pages": {}"#), (#""pages": []"#, #""pages": [null]"#),
        (#""_template": "products/{}""#, #""_template": ["products/{}"]"#),
        (#""_template": "products/{}","#, #""_template": "a", "_fault": {"kind": 1},"#),
        (#""_template": "products/{}","#, #""_template": "a", "_fault": [],"#),
        (#""_template": "products/{}","#, #""_template": "a", "_template": "b", "pageref": 9,"#),
        (#""entries": ["#, #""entries": [null, "#), (#""entries": ["#, #""entries": [[], "#),
        (#""log": {"#, #""log": 7, "x": {"#), (#"{\"id\": 7}"#, #"{\"id\": \ud800}"#),
        (#"{\"id\": 7}"#, String(repeating: "[", count: 50_000)),
    ]

    @Test("A recording with wrong types or huge numbers throws an error and never crashes", arguments: edits)
    func malicious(old: String, new: String) async throws {
        let folder = try await recording()
        let text = try folder.text
        let edited = text.replacingOccurrences(of: old, with: new)
        try #require(edited != text, "\(old) is not in the file")
        try folder.write(edited)
        let file = folder.file
        let error = #expect(throws: RecordedTransport.Failure.self) { try RecordedTransport(file) }
        guard case .malformed(let reason)? = error?.reason else { throw try #require(error) }
        #expect(!reason.isEmpty && reason.count < 2_000)
    }

    @Test(
        "A file that is not a recording throws an error with a reason and never crashes",
        arguments: [
            Data(), Data([0]), Data([0xFF, 0xFE, 0x7B, 0]), Data("null".utf8), Data("[]".utf8),
            Data("1e999999999".utf8),
            Data(String(repeating: "[", count: Thoroughness.repetitions(200_000, otherwise: 20_000)).utf8),
            Data(String(repeating: "{\"log\":", count: Thoroughness.repetitions(50_000, otherwise: 5_000)).utf8),
            Data("{\"log\": \"\u{0}\"}".utf8),
            Data(repeating: 0x80, count: 1_000), Data(#"{"log":{"entries":[{}]}}"#.utf8),
        ]
    )
    func garbage(bytes: Data) throws {
        let folder = RecordingFolder()
        try folder.write("")
        try bytes.write(to: folder.file)
        let file = folder.file
        for mode in [RecordedTransport.Mode.replay, .record, .recordMissing] {
            let error = #expect(throws: RecordedTransport.Failure.self) { try RecordedTransport(file, mode) }
            guard case .malformed? = error?.reason else { throw try #require(error) }
        }
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test("A recording waits for another writer of its file and keeps what it has written")
    func otherProcess() async throws {
        let folder = RecordingFolder()
        let url = url
        let stub = StubTransport { _ in .json("1") }
        _ = try await RecordedTransport(folder.file, .record, named: "other", over: stub)
            .send(HTTPRequest(method: .get, url: url))
        let others = try folder.text
        try FileManager.default.removeItem(at: folder.file)

        // The owner of the lock has a separate thread, because the waiting recording blocks one of the pool.
        let (file, asked) = (folder.file, DispatchSemaphore(value: 0))
        let lock = try RecordingLock(of: file)
        Thread {
            asked.wait()
            try? Data(others.utf8).write(to: file)
            lock.release()
        }.start()
        let server = StubTransport { _ in
            asked.signal()
            return .json("2")
        }
        let recorded = try RecordedTransport(file, .record, named: "own", over: server)
        _ = try await recorded.send(HTTPRequest(method: .get, url: url))
        try recorded.finish()
        _ = try RecordedTransport(file, named: "own")
        _ = try RecordedTransport(file, named: "other")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["shop.har"])
    }

    @Test(
        "A recording waits for a process that has locked its file, and continues if it is killed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock"))
    )
    func killedProcess() async throws {
        let folder = RecordingFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let (file, url) = (folder.file, url)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        let lock = folder.url.appendingPathComponent(".shop.har.lock").path
        process.arguments = ["--no-fork", lock, "sh", "-c", "echo locked; exec sleep 600"]
        process.standardOutput = output
        try process.run()
        defer { process.terminate() }
        #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))

        let (asked, wasWritten) = (DispatchSemaphore(value: 0), Locked(false))
        Thread {
            asked.wait()
            wasWritten.withLock { $0 = FileManager.default.fileExists(atPath: file.path) }
            kill(process.processIdentifier, SIGKILL)
        }.start()
        let stub = StubTransport { _ in
            asked.signal()
            return .json("1")
        }
        _ = try await RecordedTransport(file, .record, over: stub).send(HTTPRequest(method: .get, url: url))
        #expect(!wasWritten.withLock { $0 })
        _ = try RecordedTransport(file)
    }

    @Test("A lock held by another process is an error with its name, and a leftover lock file has no effect")
    func keptLock() throws {
        let folder = RecordingFolder()
        try folder.write("")
        let file = folder.file
        // The lock belongs to the owner's descriptor, so a leftover file locks nothing.
        try Data().write(to: folder.url.appendingPathComponent(".shop.har.lock"))
        let lock = try RecordingLock(of: file)
        let error = try #require(throws: RecordedTransport.Failure.self) {
            _ = try RecordingLock(of: file, patience: .zero)
        }
        guard case .inaccessibleFile(let reason) = error.reason else { throw error }
        #expect(reason.contains("another process") && reason.contains(".shop.har.lock"))
        lock.release()
        try RecordingLock(of: file).release()
    }
}
