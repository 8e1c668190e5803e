import Foundation

extension Suite {
    /// Long transfers, whose bodies are never held in memory as a whole.
    static let streams = Suite(
        name: "streams",
        summary: "multipart uploads, downloads, lists and events that are longer than memory should hold",
        rounds: 3,
        report: { Table($0).text + "\n\n" + streamsLegend }
    ) { options in
        #if os(macOS) || os(Linux)
            let size = StreamSize(megabytes: options.megabytes ?? 2000)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("streams-\(UUID().uuidString)")
            let files = StreamFiles(folder: folder, size: size)
            let server = try await ServerProcess(.serveStreams(files))
            let hasCurl = StreamProbe.curl != nil
            if !hasCurl { print("SKIPPED: curl is not installed\n") }
            return StreamTask.allCases.map { task in
                Case(
                    task.name,
                    task.clients.filter { $0 != .curl || hasCurl }.map { Subject(task, $0, files, on: server) }
                )
            }
        #else
            throw Skip(description: "a program cannot start another one here")
        #endif
    }

    private static let streamsLegend = """
        Client and server are processes of their own on this machine. MB are millions of bytes. The peak is that of the
        client's resident memory. curl and copy are the program curl and a copy by read and write; a download and its
        copy end on the disk itself, that of curl in the system's memory. whole is the decoding of a body of at most
        100 MB that is in memory, without a transfer; of events, the decoding of their data. The first element of curl
        is its first byte.
        """
}

extension Subject {
    /// Creates a subject that performs a transfer in a dedicated process.
    init(_ task: StreamTask, _ client: StreamClient, _ files: StreamFiles, on server: ServerProcess) {
        // Each transfer checks its result.
        self.init(client.rawValue) {
            task.rawValue
        } measure: {
            let probe = StreamProbe(task: task, client: client, server: server.url, files: files)
            let output = try await OwnProgram.output(of: .stream(probe))
            let values = try JSONDecoder().decode([String: Double].self, from: output)
            return StreamProbe.metrics.map { Reading(metric: $0, value: values[$0.name]) }
        }
    }
}
