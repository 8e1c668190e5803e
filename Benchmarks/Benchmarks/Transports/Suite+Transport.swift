extension Suite {
    /// The transports, over sockets to a server on this machine.
    static let transport = Suite(
        name: "transport",
        summary: "small requests and large bodies through each transport, to a server on this machine",
        rounds: 9,
        report: { Table.transports($0) + "\n\n" + transportLegend }
    ) { _ in
        OpenFiles.makeRoom()
        let transports = MeasuredTransport.available
        guard !transports.isEmpty else { throw Skip(description: "no transport can be made") }
        let server = try await ServerProcess()
        print("The server is \(server.name), in a process of its own.\n")
        return Case.exchanges(through: transports, on: server)
            + Case.largeBodies(through: transports, on: server)
            + Case.waitingCalls(through: transports, on: server)
            + Case.manyRequests(through: transports, on: server)
    }

    private static let transportLegend = """
        c= is the number of calls under way at a time, over connections that are kept. A transport alone collects the
        body. An endpoint over it is planned, sent, checked, and decoded behind an envelope. Processor time is the
        client's alone. × is the multiple of the first subject's figure. MB are millions of bytes of resident memory, in
        a process that does nothing else: the peak during the transfer, and its growth over the memory before; and the
        growth over 100,000 requests that follow 10,000 others. Endpoints that are called at once have a time limit and
        retries, and share 16 connections; kB are the peak's growth for each of them. The slow consumer pauses for 4 s
        in all.
        """
}
