import Foundation

/// The server for the transports, in a process of its own, so that its cost is not counted.
///
/// It ends with the last reference to this object, and when this program ends, even by a crash.
final class ServerProcess: Sendable {
    /// The name of the server: `nginx` or `LoopbackServer`.
    let name: String

    /// The URL of the server.
    let url: URL

    private let input: FileHandle
    private let output: FileHandle

    /// Starts the server, and waits until it listens.
    ///
    /// - Throws: ``Skip`` if a program cannot start another one; ``OwnProgram/Failure`` if the server does not start,
    ///   which prints the reason on standard error.
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
        // The process writes nothing more, so this waits for its end.
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
