extension Suite {
    /// A program's first call.
    static let start = Suite(
        name: "start",
        summary: "from main to the first decoded value, in a program that does nothing else",
        rounds: 15,
        report: { Table($0).text + "\n\n" + startLegend }
    ) { _ in
        let server = try await ServerProcess()
        print("The server is \(server.name), in a process of its own.\n")
        return [Case("the first value behind an envelope", StartClient.allCases.map { Subject($0, on: server) })]
    }

    private static let startLegend = """
        Each round starts the program anew. Both clients are in the same program: before main, the system loads the same
        libraries, which is not counted. Loading a library later is counted. MB are millions of bytes of resident memory
        when the value is there.
        """
}
