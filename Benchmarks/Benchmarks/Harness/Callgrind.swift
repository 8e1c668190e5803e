import Foundation

/// A copy of this program whose instructions are counted by Callgrind.
///
/// Unlike times, counts are reproducible, even on a busy machine.
final class Callgrind: Sendable {
    private let folder: URL
    private let program: URL

    /// Copies this program.
    ///
    /// - Throws: ``Skip`` if `objcopy` is not installed.
    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        program = folder.appendingPathComponent("benchmarks")
        guard let own = Bundle.main.executableURL else { throw Skip(description: "the program has no file") }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Valgrind cannot read Swift's debug information.
        try await Tool.run("objcopy", ["--strip-debug", own.path, program.path], in: folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the number of instructions for one repetition of some work.
    ///
    /// The program runs twice, with different numbers of repetitions, so startup and other one-time work are not
    /// counted.
    ///
    /// - Parameters:
    ///   - few: the number of repetitions in the first run.
    ///   - many: the number of repetitions in the second run.
    ///   - environment: the variables to add to this process's environment.
    ///   - arguments: a closure that returns the program's arguments for a number of repetitions.
    /// - Returns: the number of instructions.
    /// - Throws: ``Skip`` if `valgrind` is not installed.
    func instructions(
        few: Int,
        many: Int,
        environment: [String: String] = [:],
        _ arguments: (Int) -> [String]
    ) async throws -> Int {
        let first = try await total(arguments(few), environment)
        let second = try await total(arguments(many), environment)
        return (second - first) / (many - few)
    }

    private func total(_ arguments: [String], _ environment: [String: String]) async throws -> Int {
        let result = folder.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: result) }
        let command = ["--tool=callgrind", "--callgrind-out-file=\(result.path)", program.path] + arguments
        try await Tool.run("valgrind", command, in: folder, environment: environment)
        let text = try String(contentsOf: result, encoding: .utf8)
        let total = text.split(separator: "\n").first { $0.hasPrefix("totals: ") || $0.hasPrefix("summary: ") }
        guard let count = total?.split(separator: " ").last.flatMap({ Int($0) }) else {
            throw Skip(description: "callgrind has counted nothing")
        }
        return count
    }
}
