import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Downloads whose partial file another program changes", .inTurn, .safetyNet)
struct ChangedPartTests {
    private static let served = ServedFile(bytes: .sample(count: 800_000))

    /// A change to the partial file.
    enum Change: String, Sendable, CaseIterable {
        case removed
        case replaced
        case truncated
        /// Truncated, and then filled with zeros to the old length.
        case emptied
        case appended
        /// Appended so much that the partial file is longer than the complete file.
        case appendedMore
        case overwritten
        /// One changed byte in the middle.
        case overwrittenByte

        func make(of part: URL) throws {
            let bytes = try Data(contentsOf: part)
            let foreign = Data(repeating: 7, count: bytes.count)
            switch self {
            case .removed: return try FileManager.default.removeItem(at: part)
            case .replaced: try foreign.write(to: part, options: .atomic)
            case .truncated: try Self.write(bytes.prefix(4), to: part)
            case .emptied: try Self.write(Data(count: bytes.count), to: part)
            case .appended: try Self.write(bytes + Data("more".utf8), to: part)
            case .appendedMore: try Self.write(bytes + Data(repeating: 7, count: 1_000_000), to: part)
            case .overwritten: try Self.write(foreign, to: part)
            case .overwrittenByte:
                var bytes = bytes
                bytes[bytes.count / 2] ^= 1
                try Self.write(bytes, to: part)
            }
            // A modification time that differs from the last write's, which may have been a moment ago.
            let date = Date(timeIntervalSince1970: 1_600_000_000)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: part.path)
        }

        /// Overwrites a file in place.
        private static func write(_ bytes: Data, to file: URL) throws {
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: bytes)
            try handle.close()
        }
    }

    /// The moment of the change.
    enum Moment: String, Sendable, CaseIterable {
        /// During the call, after the connection broke and some bytes were written.
        case betweenAttempts
        /// During the call, after all bytes were written but before the file was renamed.
        case atTheEnd
        /// Between a failed call and the next one.
        case betweenCalls
    }

    private typealias Expected = APIError.DownloadFailure.PartChange

    /// Returns the failure expected after a change, or `nil` if the download must succeed.
    private static func expected(_ change: Change, _ moment: Moment) -> Expected? {
        switch (moment, change) {
        case (.betweenCalls, _): nil
        case (_, .removed): .removed
        case (_, .replaced): .replaced
        case (_, .appendedMore): .resized
        case (.atTheEnd, .truncated), (.atTheEnd, .appended): .resized
        // The next write overwrites the appended bytes.
        case (.betweenAttempts, .appended): nil
        default: .overwritten
        }
    }

    @Test(
        "A changed partial file fails the download with the cause, or the downloaded file is intact",
        arguments: Thoroughness.some(Change.allCases, oneIn: 3),
        Moment.allCases
    )
    func changed(_ change: Change, _ moment: Moment) async throws {
        for carrier in Carrier.allCases {
            let folder = try DownloadFolder()
            let responses = Self.served.responses { response, number in
                number == 1 && moment != .atTheEnd ? response.truncated(afterBytes: 300_000) : response
            }
            try await LoopbackServer.run(responses) { server async throws in
                let isDone = Locked(false)
                let client = Client(server.url, transport: try carrier.transport(), clock: SkippingClock()) {
                    if moment == .betweenAttempts { Retry() }
                    Observe { event in
                        switch event.kind {
                        case .retried where moment == .betweenAttempts, .body where moment == .atTheEnd:
                            let wasDone = isDone.withLock { isDone in
                                defer { isDone = true }
                                return isDone
                            }
                            if !wasDone { try? change.make(of: folder.part) }
                        default: break
                        }
                    }
                }
                let endpoint = FileAPI(client: client).file()
                if moment == .betweenCalls {
                    await #expect(throws: APIError.self) { try await endpoint.download(to: folder.file) }
                    try change.make(of: folder.part)
                }
                if let expected = Self.expected(change, moment) {
                    let error = await #expect(throws: APIError.self) { try await endpoint.download(to: folder.file) }
                    guard case .download(let failure)? = error else { return unexpected(error) }
                    #expect(failure.reason == .partChanged(expected), "\(carrier)")
                    #expect("\(failure)".contains("another program has \(expected.rawValue) the unfinished file"))
                    // The file of the other program stays.
                    #expect(try folder.names == (change == .replaced ? ["export.zip.part"] : []))
                }
                let file = try await endpoint.download(to: folder.file)
                #expect(file.length == Self.served.bytes.count)
                #expect(try Data(contentsOf: folder.file) == Self.served.bytes, "\(carrier)")
                #expect(try folder.names == ["export.zip"])
                if moment == .betweenCalls {
                    #expect(file.wasResumed == (change == .appended || change == .appendedMore))
                }
            }
        }
    }

    @Test("A download does not write through hard links to a partial file or record", arguments: Carrier.allCases)
    func hardLink(_ carrier: Carrier) async throws {
        let responses: StubResponses = ["GET files/{}": .response { Self.served.response(to: $0) }]
        try await LoopbackServer.run(responses) { server async throws in
            let endpoint = FileAPI(client: Client(server.url, transport: try carrier.transport())).file()
            for suffix in [".part", ".part.json", ".part.json.new"] {
                let folder = try DownloadFolder()
                let other = folder.directory.url.appendingPathComponent("other")
                try Data("precious".utf8).write(to: other)
                #expect(link(other.path, folder.file.path + suffix) == 0)
                let file = try await endpoint.download(to: folder.file)
                #expect(file.length == Self.served.bytes.count)
                #expect(try Data(contentsOf: folder.file) == Self.served.bytes)
                #expect(try Data(contentsOf: other) == Data("precious".utf8))
                #expect(try folder.names == ["export.zip", "other"])
            }
        }
    }

    @Test(
        "A folder or symbolic link at the path of a partial file or record is an error with that path",
        arguments: Carrier.allCases
    )
    func blocked(_ carrier: Carrier) async throws {
        let responses: StubResponses = ["GET files/{}": .response { Self.served.response(to: $0) }]
        try await LoopbackServer.run(responses) { server async throws in
            let endpoint = FileAPI(client: Client(server.url, transport: try carrier.transport())).file()
            for (suffix, isLink) in [
                (".part", false), (".part", true), (".part.json", false), (".part.json.new", false),
                (".part.json.new", true),
            ] {
                let folder = try DownloadFolder()
                let other = folder.directory.url.appendingPathComponent("other")
                try Data("precious".utf8).write(to: other)
                let path = folder.file.path + suffix
                if isLink {
                    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other.path)
                } else {
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                }
                let error = await #expect(throws: APIError.self) { try await endpoint.download(to: folder.file) }
                guard case .download(let failure)? = error else { return unexpected(error) }
                #expect(failure.reason == .blocked(path: path))
                #expect("\(failure)".contains("\(path) exists and is not a regular file"))
                #expect(try Data(contentsOf: other) == Data("precious".utf8))
                #expect(!FileManager.default.fileExists(atPath: folder.file.path))
            }
        }
    }

    @Test("A download cut off anywhere ends with the server's bytes", arguments: [true, false])
    func cutAnywhere(_ hasTag: Bool) async throws {
        var served = ServedFile(bytes: .sample(count: 300_000))
        if !hasTag { served.eTag = nil }
        let file = served
        for carrier in Carrier.allCases {
            for stop in [0, 1, 2, 16_383, 16_384, 16_385, 65_536, 150_000, 299_999] {
                let folder = try DownloadFolder()
                let responses = file.responses { response, number in
                    // Each of three responses ends early, and later ones after fewer bytes.
                    number <= 3 ? response.truncated(afterBytes: stop / (number * number)) : response
                }
                try await LoopbackServer.run(responses) { server async throws in
                    let client = Client(server.url, transport: try carrier.transport(), clock: SkippingClock()) {
                        Retry(attempts: 2)
                    }
                    let endpoint = FileAPI(client: client).file()
                    // The first call gets two responses that end early, and the second call gets the third.
                    await #expect(throws: APIError.self) { try await endpoint.download(to: folder.file) }
                    #expect(!FileManager.default.fileExists(atPath: folder.file.path))
                    _ = try await endpoint.download(to: folder.file)
                    #expect(try Data(contentsOf: folder.file) == file.bytes, "\(carrier) \(stop)")
                    #expect(try folder.names == ["export.zip"])
                }
            }
        }
    }
}
