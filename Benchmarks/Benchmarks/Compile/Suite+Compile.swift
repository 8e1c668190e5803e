import Foundation

extension Suite {
    /// The time that endpoints add to the build of an app.
    static let compile = Suite(
        name: "compile",
        summary:
            "the time to compile an endpoint, of \(CompileFolder.endpointCount) in a file, an empty file's taken off"
            + " (goal: at most 10 ms)",
        rounds: 3
    ) { _ in
        let folder = try CompileFolder()
        return [
            Case("type-checking", [Subject("waybill", in: folder, compiling: ["-typecheck"])]),
            Case("to an object file", [Subject("waybill", in: folder, compiling: ["-c", "-Onone"])]),
        ]
    }
}

extension Metric {
    /// Time on the wall clock.
    static let millisecondsPerEndpoint = Metric(name: "milliseconds per endpoint", decimals: 2)

    /// Time on processors.
    static let processorMillisecondsPerEndpoint = Metric(name: "processor milliseconds per endpoint", decimals: 2)
}

extension Subject {
    /// Creates a subject that compiles the endpoints of a folder; the check before the first round is that they
    /// compile.
    init(_ name: String, in folder: CompileFolder, compiling arguments: [String]) {
        self.init(name) {
            _ = try await folder.compile(arguments)
            return "compiled"
        } measure: {
            let time = try await folder.compile(arguments)
            let endpoints = Double(CompileFolder.endpointCount)
            return [
                Reading(metric: .millisecondsPerEndpoint, value: time.wall * 1000 / endpoints),
                Reading(metric: .processorMillisecondsPerEndpoint, value: time.processor * 1000 / endpoints),
            ]
        }
    }
}
