import WaybillBenchmarking

extension Runner {
    /// Measures a suite, as far as the command line selects its cases.
    ///
    /// - Throws: ``Skip``, `Disagreement`, and the errors of subjects.
    static func run(_ suite: Suite, _ options: Options) async throws -> [Measurement] {
        let runner = Runner(suite: suite.name, rounds: options.rounds ?? suite.rounds) { caseName, subject in
            options.selects("\(suite.name) \(caseName) \(subject)")
        }
        return try await runner.run(try await suite.cases(options))
    }
}
