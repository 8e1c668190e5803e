import Foundation

extension StreamProbe {
    /// The installed `curl` program; nil if it is missing.
    static var curl: URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent("curl") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Performs the transfer with `curl`.
    func transferByCurl() async throws -> Outcome {
        let report = "\n%{size_upload} %{size_download} %{time_starttransfer}"
        var arguments = ["--silent", "--show-error", "--fail", "--write-out", report]
        switch task {
        case .multipart: arguments += ["--form", "file=@\(files.source.path)"]
        case .download: arguments += ["--output", files.target(client).path]
        default: arguments += ["--output", "/dev/null"]
        }
        let before = TimeSpent.byOtherPrograms
        let (output, peak) = try await output(
            of: arguments + [server.appendingPathComponent(task.rawValue).absoluteString]
        )
        let spent = TimeSpent.byOtherPrograms - before
        let words = output.split(whereSeparator: \.isWhitespace)
        guard words.count >= 3, let sent = Int(words[words.count - 3]), let received = Int(words[words.count - 2])
        else {
            throw UnexpectedResult(description: "curl printed \(output)")
        }
        let expected = task == .multipart ? files.size.fileLength : StreamBody(task, files.size).length
        let bytes = task == .multipart ? sent : received
        guard task == .multipart ? bytes > expected && output.contains(#""isComplete":true"#) : bytes == expected else {
            throw UnexpectedResult(description: "curl transferred \(bytes) bytes, not \(expected): \(output)")
        }
        let first = task == .multipart ? nil : words.last.flatMap { Double($0) }
        return Outcome(bytes: bytes, firstElement: first, others: (spent.processor, peak))
    }

    /// Runs `curl`, and returns its output and its peak resident memory in bytes.
    private func output(of arguments: [String]) async throws -> (String, Double?) {
        #if os(macOS) || os(Linux)
            guard let curl = Self.curl else { throw UnexpectedResult(description: "curl is not installed") }
            let process = Process()
            process.executableURL = curl
            process.arguments = arguments
            let output = Pipe()
            process.standardOutput = output
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let identifier = process.processIdentifier
            let peak = Task {
                var peak: Double?
                // The peak is unavailable once the process has ended.
                while !Task.isCancelled {
                    peak = ResidentMemory.peak(of: identifier) ?? peak
                    try? await Task.sleep(for: .milliseconds(5))
                }
                return peak
            }
            let text = try await OwnThread.run { try output.fileHandleForReading.readToEnd() ?? Data() }
            process.waitUntilExit()
            peak.cancel()
            guard process.terminationStatus == 0 else {
                throw UnexpectedResult(description: "curl ended with \(process.terminationStatus)")
            }
            return (String(decoding: text, as: UTF8.self), await peak.value)
        #else
            throw UnexpectedResult(description: "a program cannot start another one here")
        #endif
    }

    /// Copies the source in pieces of 1 MiB.
    ///
    /// For the download task, also synchronizes the copy to disk, as a download does.
    func copyFile() throws -> Outcome {
        let target = files.target(client)
        try Data().write(to: target)
        let (input, output) = (try FileHandle(forReadingFrom: files.source), try FileHandle(forWritingTo: target))
        defer {
            try? input.close()
            try? output.close()
        }
        var memory = [UInt8](repeating: 0, count: 1 << 20)
        var bytes = 0
        while true {
            let count = memory.withUnsafeMutableBytes { read(input.fileDescriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            let written = memory.withUnsafeBytes { write(output.fileDescriptor, $0.baseAddress, count) }
            guard written == count else { throw UnexpectedResult(description: "only \(written) bytes were written") }
            bytes += count
        }
        if task == .download { try output.synchronize() }
        return Outcome(bytes: bytes)
    }
}
