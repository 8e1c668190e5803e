import Foundation

/// A server in a separate process, so its cost is not measured.
///
/// The server stops when this object is deinitialized, and when this program exits or crashes.
final class ServerProcess: Sendable {
    /// The name of the server: `nginx`, `LoopbackServer` or `StreamServer`.
    let name: String

    /// The URL of the server.
    let url: URL

    private let input: FileHandle
    private let output: FileHandle

    /// Starts the server, and waits until it listens.
    ///
    /// - Throws: ``Skip`` if this system cannot start processes, or ``OwnProgram/Failure`` if the server does not
    ///   start; the server prints the reason to standard error.
    init(_ role: ChildRole = .serve) async throws {
        (input, output) = try OwnProgram.start(role)
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
        // The process writes no further output, so this waits until it ends.
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
