import Foundation
import WaybillBenchmarking

extension Suite {
    /// Decoding and encoding with and without assumptions about the standard library's memory layouts.
    static let safeMode = Suite(
        name: "safe-mode",
        summary: "instructions of decoding and encoding, by default and in safe mode",
        rounds: 1,
        report: { Table($0).text + "\n\n" + safeModeLegend },
        warnings: { _, _ in [] }
    ) { _ in
        let callgrind = Once { try await Callgrind() }
        let folder = try DocumentFolder()
        return CountedDocument.all.flatMap { document in
            let file = Once { try folder.write(try await document.bytes.value) }
            return CountedTask.Work.allCases.map { work in
                Case(
                    "\(document.name), \(work.rawValue)",
                    JSONMode.allCases.map { Subject(work, of: document, in: file, $0, callgrind) }
                )
            }
        }
    }

    private static let safeModeLegend = """
        Instructions for a document, counted by callgrind, with those that free the result. Counts hardly depend on the
        run. Before they are counted, both modes decode and encode the document, and must come to the same bytes.
        """
}

extension Metric {
    /// The number of instructions for one repetition of the work.
    static let instructions = Metric(name: "instructions", decimals: 0)
}

/// A mode of the JSON decoder and encoder, selected by the process's environment.
private enum JSONMode: String, CaseIterable, Sendable {
    case byDefault = "by default"
    case safe = "safe mode"

    var environment: [String: String] { ["WAYBILL_JSON_SAFE": self == .safe ? "1" : "0"] }
}

/// A temporary folder for documents, removed on deinitialization.
private final class DocumentFolder: Sendable {
    private let location = FileManager.default.temporaryDirectory
        .appendingPathComponent("documents-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: location) }

    /// Writes a document to a new file.
    func write(_ document: Data) throws -> DocumentFile {
        let url = location.appendingPathComponent(UUID().uuidString)
        try document.write(to: url)
        return DocumentFile(url: url, length: document.count, folder: self)
    }
}

/// A file that retains its ``DocumentFolder``.
private struct DocumentFile: Sendable {
    let url: URL
    let length: Int
    let folder: DocumentFolder
}

extension Subject {
    /// The minimum number of bytes that the first of the two counted processes decodes or encodes.
    private static let fewBytes = 200_000

    /// Creates a subject that works on a document in dedicated processes.
    fileprivate init(
        _ work: CountedTask.Work,
        of document: CountedDocument,
        in file: Once<DocumentFile>,
        _ mode: JSONMode,
        _ callgrind: Once<Callgrind>
    ) {
        self.init(mode.rawValue) {
            guard let program = Bundle.main.executableURL else { throw Skip(description: "the program has no file") }
            let task = CountedTask(.encoding, of: document, in: try await file.value.url, times: 1)
            let folder = program.deletingLastPathComponent()
            return try await Tool.run(program.path, task.arguments, in: folder, environment: mode.environment).text
        } measure: {
            let file = try await file.value
            // Excludes at least the first two repetitions, because the decoder learns the keys from them.
            let few = max(2, Self.fewBytes / max(1, file.length))
            let count = try await callgrind.value.instructions(
                few: few,
                many: 2 * few,
                environment: mode.environment
            ) {
                CountedTask(work, of: document, in: file.url, times: $0).arguments
            }
            return [Reading(metric: .instructions, value: Double(count))]
        }
    }
}
