import Testing

@Suite("Servers of the integration tests")
struct ServerTests {
    @Test("All integration test servers are reachable if they are required")
    func found() {
        for server in Server.allCases {
            let state = server.isRunning ? "found at \(server.url.absoluteString)" : "SKIPPED: \(server.absence)"
            print("integration tests: \(server.title): \(state)")
            if Server.areRequired, !server.isRunning { Issue.record("\(server.absence)") }
        }
    }
}
