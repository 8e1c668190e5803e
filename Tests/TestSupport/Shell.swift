#if os(Linux)
    import Foundation

    /// The error of a failed script.
    package struct ShellError: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// The shell `/bin/sh`.
    package enum Shell {
        /// Runs a script until it exits.
        ///
        /// - Throws: ``ShellError`` with the script's output if its exit status is not 0.
        package static func run(_ script: String, in folder: URL) throws {
            let process = process(script, in: folder)
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw ShellError(description: String(decoding: text, as: UTF8.self))
            }
        }

        package static func process(_ script: String, in folder: URL) -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", script]
            process.currentDirectoryURL = folder
            return process
        }

        /// Returns whether a program is installed.
        package static func finds(_ name: String) -> Bool {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            return (path.split(separator: ":").map(String.init) + ["/usr/sbin"])
                .contains { FileManager.default.isExecutableFile(atPath: $0 + "/" + name) }
        }
    }
#endif
