import TestSupport

#if os(Linux)
    import Foundation
    import Testing

    @testable import WaybillTesting

    /// An `openssl s_server` that, unlike nginx, ends the handshake if the client has no certificate from its
    /// authority.
    final class CertificateServer: Sendable {
        let url: URL
        private let process: Process

        /// Starts a server with the certificates in a folder.
        ///
        /// - Parameters:
        ///   - folder: the folder with the files of ``TestCertificates``.
        ///   - version: the TLS version, as an option of `openssl s_server`.
        init(in folder: URL, version: String) throws {
            let port = try Socket.listening().port
            url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
            process = Shell.process(
                """
                exec openssl s_server -accept 127.0.0.1:\(port) -\(version) -www -Verify 1 -verify_return_error \
                  -cert good.pem -key good.key -CAfile authority.pem
                """,
                in: folder
            )
            let output = Pipe()
            (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
            try process.run()
            // It prints `ACCEPT` when it is listening.
            while true {
                let text = output.fileHandleForReading.availableData
                guard !text.isEmpty else { throw ShellError(description: "openssl did not start") }
                if String(decoding: text, as: UTF8.self).contains("ACCEPT") { break }
            }
        }

        func stop() { process.terminate() }
    }
#endif
