/// What the command line asks for.
struct Options: Sendable {
    /// The command line cannot be understood.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// The suites to run.
    private(set) var suites: [Suite] = []

    /// How many rounds; nil leaves it to the suites.
    private(set) var rounds: Int?

    /// Where the report goes.
    private(set) var jsonPath: String?

    /// Where the chart goes.
    private(set) var chartPath: String?

    /// Whether only the usage is to be told.
    private(set) var wantsHelp = false

    private var filters: [String] = []

    /// Reads the arguments.
    ///
    /// - Throws: ``Refusal`` with the argument that is wrong.
    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw Refusal(description: "\(option) needs a value") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--filter": filters.append(try value(of: argument).lowercased())
            case "--json": jsonPath = try value(of: argument)
            case "--chart": chartPath = try value(of: argument)
            case "--rounds":
                let text = try value(of: argument)
                guard let number = Int(text), number > 0 else {
                    throw Refusal(description: "--rounds needs a positive number, not \(text)")
                }
                rounds = number
            default:
                guard let suite = Suite.all.first(where: { $0.name == argument }) else {
                    let names = Suite.all.map(\.name).joined(separator: ", ")
                    throw Refusal(description: "there is no suite or option \(argument); the suites are \(names)")
                }
                suites.append(suite)
            }
        }
        if suites.isEmpty { suites = Suite.all }
    }

    /// Whether a suite, case and subject are to be run.
    func selects(_ name: String) -> Bool { filters.allSatisfy(name.lowercased().contains) }

    /// How the program is used.
    static var usage: String {
        let suites = Suite.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n")
        return """
            usage: swift run -c release benchmarks [SUITE…] [--filter TEXT] [--rounds N] [--json FILE] [--chart FILE]

            Runs the named suites, or all of them:
            \(suites)

              --filter TEXT  only subjects whose suite, case and name contain the text; several narrow further
              --rounds N     how many rounds are measured
              --json FILE    write the medians to a file: [{"suite", "case", "subject", "metric", "value"}]
              --chart FILE   draw the first suite that has a chart (decoding, resilience), as SVG
              --help         this text
            """
    }
}
