import Foundation

/// The server that transports talk to, in a process of its own, so that what it costs is not counted.
///
/// It ends when nobody needs it any more, and when this program ends, in whatever way.
final class ServerProcess: Sendable {
    /// What serves: `nginx` or `LoopbackServer`.
    let name: String

    /// Where it is.
    let url: URL

    private let input: FileHandle
    private let output: FileHandle

    /// Starts it, and waits until it listens.
    ///
    /// - Throws: ``Skip`` where a program cannot start another one; ``OwnProgram/Failure`` where the server does not
    ///   come up, which has said why on standard error.
    init() async throws {
        (input, output) = try OwnProgram.start(.serve)
        let output = output
        let line = try await OwnThread.run { Self.firstLine(of: output) }
        let words = line.split(separator: " ")
        guard words.count == 2, let name = words.first, let url = words.last.flatMap({ URL(string: String($0)) }) else {
            throw OwnProgram.Failure(description: "the server did not start")
        }
        self.name = String(name)
        self.url = url
    }

    deinit {
        try? input.close()
        // Nothing more is written, so this waits for the end.
        _ = try? output.readToEnd()
    }

    private static func firstLine(of output: FileHandle) -> String {
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let more = output.availableData
            guard !more.isEmpty else { break }
            line.append(more)
        }
        return String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
