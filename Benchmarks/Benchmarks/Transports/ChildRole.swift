import Foundation

/// What this program does instead of measuring, where another process of it has started it.
///
/// That is no option for users, so the usage does not tell it.
enum ChildRole: Sendable {
    /// Be the server, until standard input ends.
    case serve

    /// Measure the memory of one transport, and print the values by their metrics' names, as JSON.
    case probe(MemoryProbe, transport: String, server: URL)

    /// Reads the arguments; nil where they are those of a user.
    init?(_ arguments: some Sequence<String>) {
        let words = Array(arguments)
        switch words.first {
        case "--serve" where words.count == 1: self = .serve
        case "--probe" where words.count == 4:
            guard let probe = MemoryProbe(rawValue: words[1]), let server = URL(string: words[3]) else { return nil }
            self = .probe(probe, transport: words[2], server: server)
        default: return nil
        }
    }

    /// What ``init(_:)`` reads.
    var arguments: [String] {
        switch self {
        case .serve: ["--serve"]
        case .probe(let probe, let transport, let server):
            ["--probe", probe.rawValue, transport, server.absoluteString]
        }
    }

    /// Does it.
    func play() async throws {
        switch self {
        case .serve: try await ServerProgram.run()
        case .probe(let probe, let name, let server):
            let parent = Thread {
                _ = try? FileHandle.standardInput.readToEnd()
                exit(1)
            }
            parent.start()
            guard let measured = MeasuredTransport.all.first(where: { $0.name == name }) else {
                throw OwnProgram.Failure(description: "there is no transport \(name)")
            }
            let values = try await probe.run(with: measured.make(), server)
            try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(values))
        }
    }
}
