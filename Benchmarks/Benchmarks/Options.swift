import Foundation

/// The command-line options.
struct Options: Sendable {
    /// The error for an invalid command line.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    /// The suites to run.
    private(set) var suites: [Suite] = []

    /// The number of rounds; nil for each suite's default.
    private(set) var rounds: Int?

    /// The path of the JSON report; nil for none.
    private(set) var jsonPath: String?

    /// The path of the CSV report; nil for none.
    private(set) var csvPath: String?

    /// The path of the SVG chart; nil for none.
    private(set) var chartPath: String?

    /// Whether to print only the usage text.
    private(set) var wantsHelp = false

    /// The size of the largest transfer in the `streams` suite, in megabytes; nil for the suite's default.
    private(set) var megabytes: Int?

    /// The path of a document for the `decoding` suite to measure in place of the generated ones.
    private(set) var documentPath: String?

    /// The path of an array in that document to read element by element, such as `data.items`.
    private(set) var elementsPath: String?

    private(set) var filters: [String] = []

    /// Parses the arguments.
    ///
    /// - Throws: ``UsageError`` with the invalid argument.
    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw UsageError(description: "\(option) needs a value") }
            return value
        }
        func number(of option: String) throws -> Int {
            let text = try value(of: option)
            guard let number = Int(text), number > 0, number <= 1_000_000 else {
                throw UsageError(description: "\(option) needs a number from 1 to 1000000, not \(text)")
            }
            return number
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--filter": filters.append(try value(of: argument).lowercased())
            case "--json": jsonPath = try value(of: argument)
            case "--csv": csvPath = try value(of: argument)
            case "--chart": chartPath = try value(of: argument)
            case "--rounds": rounds = try number(of: argument)
            case "--document": documentPath = try value(of: argument)
            case "--at": elementsPath = try value(of: argument)
            case "--megabytes": megabytes = try number(of: argument)
            default:
                guard let suite = Suite.all.first(where: { $0.name == argument }) else {
                    let names = Suite.all.map(\.name).joined(separator: ", ")
                    throw UsageError(description: "there is no suite or option \(argument); the suites are \(names)")
                }
                suites.append(suite)
            }
        }
        if elementsPath != nil, documentPath == nil {
            throw UsageError(description: "--at is a path in a document: name it with --document")
        }
        if documentPath != nil {
            guard suites.allSatisfy({ $0.name == Suite.decoding.name }) else {
                throw UsageError(description: "--document is for the suite decoding")
            }
            suites = [.decoding]
        }
        if suites.isEmpty { suites = Suite.all }
        try checkOutput()
    }

    /// Rejects output files that cannot be written, before a run that can take an hour.
    private func checkOutput() throws {
        for (option, path) in [("--json", jsonPath), ("--csv", csvPath), ("--chart", chartPath)] {
            guard let path else { continue }
            let file = URL(fileURLWithPath: path)
            let folder = file.deletingLastPathComponent().path
            var isFolder: ObjCBool = false
            let files = FileManager.default
            guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                throw UsageError(
                    description: "\(option) \(path): there is no folder \(folder); create it, or name another"
                )
            }
            guard files.isWritableFile(atPath: folder) else {
                throw UsageError(description: "\(option) \(path): the folder cannot be written to; name another")
            }
            isFolder = false
            guard !files.fileExists(atPath: file.path, isDirectory: &isFolder) || !isFolder.boolValue else {
                throw UsageError(description: "\(option) \(path) is a folder; name a file in it")
            }
        }
        if chartPath != nil, !suites.contains(where: { $0.chart != nil }) {
            throw UsageError(description: "--chart: none of these suites has a chart; decoding and resilience have one")
        }
    }

    /// Returns whether the filters select a subject, given its suite, case and name in one string.
    func selects(_ name: String) -> Bool { filters.allSatisfy(name.lowercased().contains) }

    /// The usage text.
    static var usage: String {
        let suites = Suite.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n")
        return """
            usage: swift run -c release benchmarks [SUITE…] [OPTION…]
                   swift run -c release benchmarks decoding --document FILE [--at data.items]

            Runs the named suites, or all of them:
            \(suites)

              --filter TEXT    only subjects whose suite, case and name contain the text; several narrow further
              --document FILE  a JSON document or JSON Lines (.jsonl, .ndjson) of yours, in place of the suite's own
              --at PATH        the array in that document whose elements are read one by one: data.items, pages.0.rows
              --rounds N       how many rounds are measured
              --megabytes N    the size of the uploads and downloads of streams; lists have half of it
              --json FILE      write the medians to a file: [{"suite", "case", "subject", "metric", "value"}]
              --csv FILE       write the medians and the quartiles to a file, with a line for each metric
              --chart FILE     draw the first suite that has a chart (decoding, resilience), as SVG
              --help           this text
            """
    }
}
