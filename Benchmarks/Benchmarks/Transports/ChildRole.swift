import Foundation

/// The role of this process if another process of the same program started it.
///
/// Roles are internal, so the usage text does not list them.
enum ChildRole: Sendable {
    /// Runs the server until standard input ends.
    case serve

    /// Measures the memory usage of one transport, and prints the values as JSON, keyed by metric name.
    case probe(MemoryProbe, transport: String, server: URL)

    /// Runs the server of the `streams` suite until standard input ends.
    case serveStreams(StreamFiles)

    /// Makes the first call of the `start` suite, and prints the values as JSON, keyed by metric name.
    case start(StartClient, server: URL)

    /// Performs a transfer of the `streams` suite, and prints the values as JSON, keyed by metric name.
    case stream(StreamProbe)

    /// Parses the arguments; returns nil if they specify no role.
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

    /// The arguments that ``init(_:)`` parses.
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

    /// Performs the role in a process whose `main` began at a given time.
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
            // A thread that waits for the parent's exit would distort the measurement.
            try printValues(try await client.run(server, since: start))
        case .stream(let probe):
            endWithParent()
            try printValues(try await probe.run())
        }
    }

    /// Ends this process when its parent has ended.
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
