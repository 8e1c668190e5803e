import Foundation

/// A small app that depends on the package, in a temporary folder that is removed on deinitialization.
final class AppBuild: Sendable {
    /// The package's modules that the app links, in dependency order.
    static let modules = ["WaybillSystem", "WaybillHTTP", "WaybillJSON", "WaybillTransports", "WaybillCurl", "Waybill"]

    private let location: URL
    private let configuration: String
    private let program: String

    /// Creates the app.
    ///
    /// - Parameters:
    ///   - configuration: `debug` or `release`.
    ///   - program: the app's source; by default, an app that declares and reads a resource.
    /// - Throws: ``Skip`` if the package's sources are missing, or the error of a file that cannot be written.
    init(_ configuration: String, program: String = AppBuild.program) throws {
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { package.deleteLastPathComponent() }
        guard FileManager.default.fileExists(atPath: package.appendingPathComponent("Package.swift").path) else {
            throw Skip(description: "the sources of the package are not at \(package.path)")
        }
        self.configuration = configuration
        self.program = program
        location = FileManager.default.temporaryDirectory.appendingPathComponent("app-\(UUID().uuidString)")
        let sources = location.appendingPathComponent("Sources/app")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try write(Self.manifest(package), to: "Package.swift")
        try write(program, to: "Sources/app/main.swift")
    }

    deinit { try? FileManager.default.removeItem(at: location) }

    /// Builds the app, and returns the build times of the modules and of the app itself.
    func build(_ arguments: [String] = []) async throws -> [(name: String, time: TimeSpent)] {
        // Compiles the manifest first, so its time is not attributed to a module.
        _ = try await swift(["package", "describe"])
        var times: [(name: String, time: TimeSpent)] = []
        for module in Self.modules {
            times.append((module, try await swift(["build", "--target", module] + arguments)))
        }
        times.append(("the app", try await swift(["build"] + arguments)))
        return times
    }

    /// Rebuilds the app after an edit.
    func rebuild() async throws -> TimeSpent {
        try write(program + "\nprint(\"changed\")\n", to: "Sources/app/main.swift")
        return try await swift(["build"])
    }

    /// Runs the app, and returns its output.
    func run(_ arguments: [String]) async throws -> String {
        let program = location.appendingPathComponent(".build/\(configuration)/app").path
        return String(decoding: try await Tool.run(program, arguments, in: location).text, as: UTF8.self)
    }

    /// Returns the size of the stripped program, in bytes.
    func strippedSize() async throws -> Int {
        let program = location.appendingPathComponent(".build/\(configuration)/app").path
        try await Tool.run("strip", ["-o", location.appendingPathComponent("stripped").path, program], in: location)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: location.appendingPathComponent("stripped").path
        )
        return (attributes[.size] as? Int) ?? 0
    }

    /// Rebuilds a module, and returns the files that take longest to type-check, with their times in seconds.
    func slowestFiles(of module: String, count: Int) async throws -> [(file: String, seconds: Double)] {
        try? FileManager.default.removeItem(at: location.appendingPathComponent(".build"))
        let flags = ["-Xfrontend", "-debug-time-function-bodies"].flatMap { ["-Xswiftc", $0] }
        let output = try await Tool.run(
            "swift",
            ["build", "-c", configuration, "--target", module] + flags,
            in: location
        )
        // A line has the form `12.34ms<tab>/path/file.swift:line:column<tab>declaration`.
        var seconds: [String: Double] = [:]
        for line in String(decoding: output.text, as: UTF8.self).split(separator: "\n") {
            let columns = line.split(separator: "\t")
            guard columns.count >= 2, columns[0].hasSuffix("ms"), let time = Double(columns[0].dropLast(2)),
                let place = columns[1].split(separator: ":").first, place.contains("/Sources/\(module)/")
            else { continue }
            seconds[URL(fileURLWithPath: String(place)).lastPathComponent, default: 0] += time / 1000
        }
        return seconds.sorted { $0.value > $1.value }.prefix(count).map { ($0.key, $0.value) }
    }

    private func swift(_ arguments: [String]) async throws -> TimeSpent {
        let options = arguments.first == "build" ? ["-c", configuration] : []
        return try await Tool.run("swift", arguments + options, in: location).time
    }

    private func write(_ text: String, to file: String) throws {
        try Data(text.utf8).write(to: location.appendingPathComponent(file))
    }

    private static func manifest(_ package: URL) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(
            name: "app",
            platforms: [.macOS(.v13)],
            dependencies: [.package(name: "Waybill", path: "\(package.path)")],
            targets: [
                .executableTarget(name: "app", dependencies: [.product(name: "Waybill", package: "Waybill")])
            ]
        )
        """
    }

    static let program = """
        import Foundation
        import Waybill

        struct Product: Entity {
            let id: Int
            var name: String
        }

        struct Shop: API {
            let client: Client

            init(_ url: URL) { client = Client(url) { Envelope("data") } }

            var products: Resource<Product, ReadOnly> { resource("products") }
        }

        if let url = URL(string: CommandLine.arguments.last ?? "") {
            print(try await Shop(url).products.read(1).name)
        }
        """
}

/// Command-line tools of the system.
enum Tool {
    /// The output and running time of a finished program.
    struct Output {
        let text: Data
        let time: TimeSpent
    }

    /// Runs a program to completion.
    ///
    /// - Parameters:
    ///   - name: the name of the program, or its path.
    ///   - arguments: the arguments.
    ///   - folder: the working directory.
    ///   - environment: the variables to add to this process's environment.
    /// - Returns: the output and the running time.
    /// - Throws: ``Skip`` if the program is not installed, or ``Failure`` with the end of its output if it fails.
    @discardableResult
    static func run(
        _ name: String,
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:]
    ) async throws -> Output {
        #if os(macOS) || os(Linux)
            try await OwnThread.run {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = [name] + arguments
                process.currentDirectoryURL = folder
                // Random hash seeds would cause different collisions in each run.
                process.environment = ProcessInfo.processInfo.environment
                    .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
                    .merging(environment) { $1 }
                let output = Pipe()
                process.standardInput = FileHandle.nullDevice
                process.standardOutput = output
                process.standardError = output
                let start = TimeSpent.byOtherPrograms
                try process.run()
                let text = try output.fileHandleForReading.readToEnd() ?? Data()
                process.waitUntilExit()
                let time = TimeSpent.byOtherPrograms - start
                guard process.terminationStatus != 127 else { throw Skip(description: "the system has no \(name)") }
                guard process.terminationStatus == 0 else {
                    throw Failure(text: "\(name) failed:\n\(String(decoding: text.suffix(2000), as: UTF8.self))")
                }
                return Output(text: text, time: time)
            }
        #else
            throw Skip(description: "a program cannot start another one here")
        #endif
    }

    /// The error for a program that failed.
    struct Failure: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}
