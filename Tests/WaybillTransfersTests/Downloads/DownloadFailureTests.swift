import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillFiles
import WaybillTesting
import WaybillTransfers

@Suite("Download failures", .inTurn, .safetyNet)
struct DownloadFailureTests {
    /// Returns a download's failure, after checking that its description contains the destination.
    private static func failure(
        _ carrier: Carrier,
        _ response: StubResponse,
        to file: URL
    ) async throws -> APIError.DownloadFailure? {
        try await LoopbackServer.run(["GET files/{}": .response(response)]) { server async throws in
            let client = Client(server.url, transport: try carrier.transport()) { Problem(Problem.Details.self) }
            let error = await #expect(throws: APIError.self) {
                try await FileAPI(client: client).file().download(to: file)
            }
            guard case .download(let failure)? = error else {
                Issue.record("\(String(describing: error))")
                return nil
            }
            #expect(failure.description.contains(file.path))
            return failure
        }
    }

    @Test("A digest mismatch is an error, and the partial file is removed", arguments: Carrier.allCases)
    func wrongDigest(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        let digest = Data(repeating: 7, count: 32).base64EncodedString()
        let served = ServedFile(fields: [("Repr-Digest", "sha-256=:\(digest):")])
        let response = served.described(.bytes(served.bytes))
        let failure = try await Self.failure(carrier, response, to: folder.file)
        guard case .wrongDigest(let stated, _)? = failure?.reason else { return #expect(Bool(false)) }
        #expect(stated == digest)
        #expect(try folder.names == [])
    }

    @Test("The digest of the whole file is checked even if the file arrived in two parts", arguments: Carrier.allCases)
    func digest(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        let digest = "D1mblFH3Jb/h63lHazZBc4DUw2IS0mRLQ2heU9cM6y4="
        let served = ServedFile(
            bytes: Data("the bytes of a file".utf8),
            fields: [("Repr-Digest", "sha-512=:AAAA:, sha-256=:\(digest):")]
        )
        try await LoopbackServer.run(["GET files/{}": .response { served.response(to: $0) }]) { server async throws in
            let client = Client(server.url, transport: try carrier.transport())
            let endpoint = FileAPI(client: client).file()
            _ = try await endpoint.download(to: folder.file)
            // Simulates the remains of an earlier process whose bytes differ from the server's file.
            let path = SHA256.hexadecimal(SHA256.hash(try endpoint.plan().path.utf8))
            let record = #"{"version":1,"endpoint":"GET files/{} \#(path)","entityTag":"\"v1\"","length":19}"#
            try Data(record.utf8).write(to: folder.record)
            try Data("another".utf8).write(to: folder.part)
            let error = await #expect(throws: APIError.self) { try await endpoint.download(to: folder.file) }
            guard case .download(let failure)? = error, case .wrongDigest = failure.reason else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(try Data(contentsOf: folder.file) == served.bytes)
            #expect(try folder.names == ["export.zip"])
        }
    }

    @Test("A missing folder is an error", arguments: Carrier.allCases)
    func missingFolder(_ carrier: Carrier) async throws {
        let file = TemporaryDirectory().url.appendingPathComponent("export.zip")
        let failure = try await Self.failure(carrier, .text("file"), to: file)
        #expect(failure?.reason == .missingFolder)
    }

    @Test("A folder at the destination is an error", arguments: Carrier.allCases)
    func folderInPlace(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        let failure = try await Self.failure(carrier, .text("file"), to: folder.directory.url)
        #expect(failure?.reason == .notRegular)
    }

    @Test("A folder without permission is an error", .enabled(if: geteuid() != 0), arguments: Carrier.allCases)
    func notPermitted(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.directory.url.path)
        let failure = try await Self.failure(carrier, .text("file"), to: folder.file)
        #expect(failure?.reason == .notPermitted)
    }

    @Test("A web URL is not a valid destination")
    func notFileURL() async throws {
        let url = try #require(URL(string: "https://example.com/export.zip"))
        let client = Client(url, transport: StubTransport([:]))
        let error = await #expect(throws: APIError.self) { try await FileAPI(client: client).file().download(to: url) }
        guard case .download(let failure)? = error else { return #expect(Bool(false)) }
        #expect(failure.reason == .notFileURL)
    }

    @Test("A concurrent second download of the same file is an error", arguments: Carrier.allCases)
    func inUse(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        let gate = Gate()
        let served = ServedFile()
        let responses: StubResponses = ["GET files/{}": .response { served.response(to: $0).bodyHeld(by: gate) }]
        try await LoopbackServer.run(responses) { server async throws in
            let endpoint = FileAPI(client: Client(server.url, transport: try carrier.transport())).file()
            async let first = endpoint.download(to: folder.file)
            await waitUntil { FileManager.default.fileExists(atPath: folder.record.path) }
            let error = await #expect(throws: APIError.self) { try await endpoint.download(to: folder.file) }
            guard case .download(let failure)? = error else { return #expect(Bool(false)) }
            #expect(failure.reason == .inUse)
            gate.open()
            #expect(try await first.length == served.bytes.count)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
        }
    }

    @Test("A failed status throws the declared problem and leaves no file", arguments: Carrier.allCases)
    func status(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        let responses: StubResponses = ["GET files/{}": .json(#"{"title":"Gone"}"#, status: 410)]
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: try carrier.transport()) { Problem(Problem.Details.self) }
            let error = await #expect(throws: APIError.self) {
                try await FileAPI(client: client).file().download(to: folder.file)
            }
            #expect(error?.problem(as: Problem.Details.self)?.title == "Gone")
            #expect(try folder.names == [])
        }
    }

    #if os(Linux)
        @Test(
            "A full disk is an error and leaves no incomplete file at the destination",
            .enabled(if: SmallDisk.isAvailable),
            arguments: Carrier.allCases
        )
        func diskFull(_ carrier: Carrier) async throws {
            let folder = try DownloadFolder()
            let disk = try SmallDisk(at: folder.directory.url)
            defer { disk.remove() }
            let served = ServedFile()
            let failure = try await Self.failure(carrier, served.described(.bytes(served.bytes)), to: folder.file)
            #expect(failure?.reason == .diskFull)
            #expect(try !folder.names.contains("export.zip"))
        }

        @Test(
            "A read-only folder is an error, even for the superuser",
            .enabled(if: SmallDisk.isAvailable),
            arguments: Carrier.allCases
        )
        func readOnly(_ carrier: Carrier) async throws {
            let folder = try DownloadFolder()
            let disk = try SmallDisk(at: folder.directory.url, options: "ro,")
            defer { disk.remove() }
            let failure = try await Self.failure(carrier, .text("file"), to: folder.file)
            #expect(failure?.reason == .notPermitted)
        }

        /// A 1 MB disk, which only the superuser can create.
        private struct SmallDisk {
            static var isAvailable: Bool {
                guard geteuid() == 0, let folder = try? DownloadFolder() else { return false }
                guard let disk = try? SmallDisk(at: folder.directory.url) else { return false }
                disk.remove()
                return true
            }

            let url: URL

            init(at url: URL, options: String = "") throws {
                self.url = url
                try Shell.run("mount -t tmpfs -o \(options)size=1m none '\(url.path)'", in: url)
            }

            func remove() { try? Shell.run("umount '\(url.path)'", in: url.deletingLastPathComponent()) }
        }
    #endif
}
