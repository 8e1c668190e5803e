import Foundation
import Waybill
import WaybillTesting

/// The server's own process: nginx where it is installed, else the package's own server.
enum ServerProgram {
    /// Serves until standard input ends; says who serves and where on standard output.
    static func run() async throws {
        // Keys that interrupt reach this process too; it ends in order when the one that started it is gone.
        for each in [SIGINT, SIGTERM, SIGHUP] { signal(each, SIG_IGN) }
        #if os(macOS) || os(Linux)
            if let program = Nginx.program {
                let nginx = try await Nginx(program)
                defer { nginx.stop() }
                return try await announce("nginx", nginx.url)
            }
        #endif
        let server = try LoopbackServer(answers, keepsRequests: false)
        defer { server.stop() }
        try await announce("LoopbackServer", server.url)
    }

    private static func announce(_ name: String, _ url: URL) async throws {
        try FileHandle.standardOutput.write(contentsOf: Data("\(name) \(url)\n".utf8))
        _ = try await OwnThread.run { try FileHandle.standardInput.readToEnd() }
    }

    private static let answers: WaybillTesting.Answers = [
        "GET product": .bytes(Exchange.body, headers: [.init(name: .contentType, value: "application/json")]),
        "GET large": .answer { _ in Answer(body: largeBody) },
    ]

    private static let largeBody = Data(count: LargeBody.length)
}
