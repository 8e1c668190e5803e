import Foundation

extension Suite {
    /// What endpoints cost when an app is built.
    static let compile = Suite(
        name: "compile",
        summary:
            "the time to compile an endpoint, of \(CompileFolder.endpointCount) in a file, an empty file's taken off"
            + " (goal: at most 10 ms)",
        rounds: 3
    ) {
        let folder = try CompileFolder()
        return [
            Case("type-checking", [Subject("waybill", in: folder, compiling: ["-typecheck"])]),
            Case("to an object file", [Subject("waybill", in: folder, compiling: ["-c", "-Onone"])]),
        ]
    }
}
