import Foundation

/// The role of this program if another process of it has started it.
///
/// It is not an option for users, so the usage does not list it.
enum ChildRole: Sendable {
    /// A server, until standard input ends.
    case serve

    /// A measurement of the memory of one transport, which prints the values by their metrics' names, as JSON.
    case probe(MemoryProbe, transport: String, server: URL)

    /// The server of the suite `streams`, until standard input ends.
    case serveStreams(StreamFiles)

    /// The first call of the suite `start`, which prints the values by their metrics' names, as JSON.
    case start(StartClient, server: URL)

    /// A transfer of the suite `streams`, which prints the values by their metrics' names, as JSON.
    case stream(StreamProbe)

    /// Reads the arguments; nil if they are those of a user.
    init?(_ arguments: some Sequence<String>) {
        let words = Array(arguments)
        switch words.first {
        case "--serve" where words.count == 1: self = .serve
        case "--probe" where words.count == 4:
            guard let probe = MemoryProbe(rawValue: words[1]), let server = URL(string: words[3]) else { return nil }
            self = .probe(probe, transport: words[2], server: server)
        case "--serve-streams" where words.count == 3:
            guard let files = StreamFiles(words[1...]) else { return nil }
            self = .serveStreams(files)
        case "--start" where words.count == 3:
            guard let client = StartClient(rawValue: words[1]), let server = URL(string: words[2]) else { return nil }
            self = .start(client, server: server)
        case "--stream" where words.count == 6:
            guard let task = StreamTask(rawValue: words[1]), let client = StreamClient(rawValue: words[2]),
                let server = URL(string: words[3]), let files = StreamFiles(words[4...])
            else { return nil }
            self = .stream(StreamProbe(task: task, client: client, server: server, files: files))
        default: return nil
        }
    }

    /// The arguments that ``init(_:)`` reads.
    var arguments: [String] {
        switch self {
        case .serve: ["--serve"]
        case .probe(let probe, let transport, let server):
            ["--probe", probe.rawValue, transport, server.absoluteString]
        case .serveStreams(let files): ["--serve-streams"] + files.arguments
        case .start(let client, let server): ["--start", client.rawValue, server.absoluteString]
        case .stream(let probe):
            ["--stream", probe.task.rawValue, probe.client.rawValue, probe.server.absoluteString]
                + probe.files.arguments
        }
    }

    /// Plays the role in a program whose `main` began at a moment.
    func play(since start: TimeSpent) async throws {
        switch self {
        case .serve: try await ServerProgram.run()
        case .serveStreams(let files): try await StreamServer.run(files)
        case .probe(let probe, let name, let server):
            endWithParent()
            guard let measured = MeasuredTransport.all.first(where: { $0.name == name }) else {
                throw OwnProgram.Failure(description: "there is no transport \(name)")
            }
            let transport = try measured.make(connections: probe.connections)
            try printValues(try await probe.run(with: transport, server))
        case .start(let client, let server):
            // A thread that waits for the parent's end would be part of the measurement.
            try printValues(try await client.run(server, since: start))
        case .stream(let probe):
            endWithParent()
            try printValues(try await probe.run())
        }
    }

    /// Ends this process when the one that started it has ended.
    private func endWithParent() {
        let parent = Thread {
            _ = try? FileHandle.standardInput.readToEnd()
            exit(1)
        }
        parent.start()
    }

    private func printValues(_ values: [String: Double]) throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(values))
    }
}
