import Foundation
import Waybill

/// Work whose instructions are counted, in a process of its own that does little else.
///
/// Counts are the same in each run, on a busy machine too, where times are not.
enum CountedWork: String, CaseIterable {
    case declaration
    case plan
    case read

    /// The subject of a row.
    var name: String {
        switch self {
        case .declaration: "declaring a GET with three clauses"
        case .plan: "its plan"
        case .read: "the declaration and the plan of a read"
        }
    }

    /// Reads the arguments of such a process; nil if they are others.
    init?(_ arguments: some Sequence<String>) {
        let words = Array(arguments)
        guard words.count == 3, words[0] == "--count" else { return nil }
        self.init(rawValue: words[1])
    }

    /// Does the work as many times as the last argument says.
    func run() {
        guard let url = URL(string: "https://shop.example/v1"), let times = CommandLine.arguments.last.flatMap(Int.init)
        else { return }
        let shop = Shop(url, responseBody: ResponseBodies.one)
        let endpoint = shop.related(to: 7)
        for _ in 0..<times {
            switch self {
            case .declaration: _ = shop.related(to: 7)
            case .plan: _ = try? endpoint.plan()
            case .read: _ = try? shop.products.endpoints.read(7).plan()
            }
        }
    }

    /// The number of instructions for doing the work once, counted by callgrind.
    ///
    /// - Throws: ``Skip`` if the system lacks `valgrind` or `objcopy`.
    func instructions(of program: URL) async throws -> Int {
        let (few, many) = (100, 600)
        let counts = try await [few, many].asyncMap { try await self.total(program, times: $0) }
        return (counts[1] - counts[0]) / (many - few)
    }

    private func total(_ program: URL, times: Int) async throws -> Int {
        let result = URL(fileURLWithPath: program.path + ".callgrind")
        defer { try? FileManager.default.removeItem(at: result) }
        let options = ["--tool=callgrind", "--callgrind-out-file=\(result.path)"]
        let command = options + [program.path, "--count", rawValue, "\(times)"]
        try await Tool.run("valgrind", command, in: program.deletingLastPathComponent())
        let text = try String(contentsOf: result, encoding: .utf8)
        let total = text.split(separator: "\n").first { $0.hasPrefix("totals: ") || $0.hasPrefix("summary: ") }
        guard let count = total?.split(separator: " ").last.flatMap({ Int($0) }) else {
            throw Skip(description: "callgrind has counted nothing")
        }
        return count
    }
}

extension CountedWork {
    /// Returns a line for each kind of work; one that says why they are not counted, if they cannot be.
    static func lines() async -> [String] {
        do {
            // Valgrind does not read the debug information that Swift writes.
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let program = folder.appendingPathComponent("benchmarks")
            guard let own = Bundle.main.executableURL else { throw Skip(description: "the program has no file") }
            try await Tool.run("objcopy", ["--strip-debug", own.path, program.path], in: folder)
            return try await allCases.asyncMap { work in
                "\(work.name): \(try await work.instructions(of: program)) instructions"
            }
        } catch {
            return ["Instructions are not counted: \(error)"]
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Other>(_ transform: (Element) async throws -> Other) async throws -> [Other] {
        var others: [Other] = []
        for element in self { others.append(try await transform(element)) }
        return others
    }
}
