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
