import Foundation

extension Suite {
    /// The transports, over sockets to a local server.
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

extension Table {
    /// Returns the measurements of transports as text, with one table per set of metrics.
    static func transports(_ measurements: [Measurement]) -> String {
        var kinds: [[Metric]] = []
        for kind in measurements.map({ $0.metrics.map(\.metric) }) where !kinds.contains(kind) { kinds.append(kind) }
        return kinds.map { kind in
            Table(measurements.filter { $0.metrics.map(\.metric) == kind }).text
        }.joined(separator: "\n\n")
    }
}

/// The limit on this program's open files and sockets.
enum OpenFiles {
    /// Raises the limit to several hundred connections where the system allows it; some systems start at 256.
    static func makeRoom() {
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < enough else { return }
        limit.rlim_cur = min(limit.rlim_max, enough)
        _ = setrlimit(resource, &limit)
    }

    private static let enough: rlim_t = 4096
}
