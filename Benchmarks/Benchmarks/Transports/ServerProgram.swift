import Foundation
import Waybill
import WaybillTesting

/// The program of the server process: nginx if it is installed, otherwise a loopback server.
enum ServerProgram {
    /// Serves until standard input ends, and prints the server's name and URL on standard output.
    static func run() async throws {
        // Ctrl-C also signals this process, which must not end before its parent.
        for each in [SIGINT, SIGTERM, SIGHUP] { signal(each, SIG_IGN) }
        #if os(macOS) || os(Linux)
            if let program = Nginx.program {
                let nginx = try await Nginx(program)
                defer { nginx.stop() }
                return try await announce("nginx", nginx.url)
            }
        #endif
        let server = try LoopbackServer(responses, keepsRequests: false)
        defer { server.stop() }
        try await announce("LoopbackServer", server.url)
    }

    private static func announce(_ name: String, _ url: URL) async throws {
        try FileHandle.standardOutput.write(contentsOf: Data("\(name) \(url)\n".utf8))
        _ = try await OwnThread.run { try FileHandle.standardInput.readToEnd() }
    }

    private static let responses: StubResponses = [
        "GET product": .bytes(Exchange.body, headers: [.init(name: .contentType, value: "application/json")]),
        "GET large": .response { _ in StubResponse(body: largeBody) },
    ]

    private static let largeBody = Data(count: LargeBody.length)
}
