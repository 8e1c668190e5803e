import Foundation

@main
enum Benchmarks {
    // Not `async`: valgrind does not survive the exit of the main thread.
    static func main() {
        let start = TimeSpent.now
        if let work = CountedWork(CommandLine.arguments.dropFirst()) {
            work.run()
            exit(0)
        }
        if let task = CountedTask(CommandLine.arguments.dropFirst()) {
            do { try task.run() } catch { fail("\(error)", status: 1) }
            exit(0)
        }
        Task.detached {
            await main(since: start)
            exit(0)
        }
        dispatchMain()
    }

    private static func main(since start: TimeSpent) async {
        do {
            if let role = ChildRole(CommandLine.arguments.dropFirst()) { return try await role.play(since: start) }
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.wantsHelp { return print(Options.usage) }
            try await run(options)
        } catch let error as Options.UsageError {
            fail("\(error)\n\n\(Options.usage)", status: 64)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func run(_ options: Options) async throws {
        let legend = "× is the multiple of the case's first subject."
        print(ReportHeader.current.text(legend, command: "swift run -c release benchmarks"))
        var all: [Measurement] = []
        var drawing: String?
        for suite in options.suites {
            print("\n\(suite.name): \(suite.summary); \(options.rounds ?? suite.rounds) rounds\n")
            do {
                let measurements = try await Runner.run(suite, options)
                if !measurements.isEmpty { print(suite.report(measurements)) }
                let minimumRounds = min(suite.rounds, NoiseWarnings.minimumRounds)
                for warning in suite.warnings(measurements, minimumRounds) { print("\n\(warning)") }
                if measurements.isEmpty, !options.filters.isEmpty { print("no case matches the filter") }
                all += measurements
                if options.chartPath != nil, drawing == nil, let chart = suite.chart {
                    drawing = try await chart(measurements)
                }
            } catch let skip as Skip {
                print("SKIPPED: \(skip)")
            }
        }
        if let path = options.jsonPath { try JSONReport.write(all, to: path) }
        if let path = options.csvPath { try CSVReport.write(all, to: path) }
        if let path = options.chartPath {
            guard let drawing else { throw Skip(description: "none of these suites has a chart") }
            try Data(drawing.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("benchmarks: \(text)\n".utf8))
        exit(status)
    }
}
