import Foundation

extension Suite {
    /// The time that endpoints add to an app's build.
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
    /// Wall-clock time per endpoint, in milliseconds.
    static let millisecondsPerEndpoint = Metric(name: "milliseconds per endpoint", decimals: 2)

    /// Processor time per endpoint, in milliseconds.
    static let processorMillisecondsPerEndpoint = Metric(name: "processor milliseconds per endpoint", decimals: 2)
}

extension Subject {
    /// Creates a subject that compiles a folder's endpoints; comparing results only ensures that they compile.
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
