import Waybill

/// One run of an initializer, with its first choices determined by a script.
final class ProbeRun {
    /// A point in a run at which the probe selects one of several values.
    struct Choice {
        let kind: Kind
        let options: Int
        let taken: Int
        /// The first option that is a sample value; nil if there is no such option.
        let firstSample: Int?
        let node: ProbeNode

        enum Kind {
            /// Whether a member or value is present.
            case presence(ProbeNode.Member?)
            /// The number of elements.
            case count
            /// A scalar from a list of candidates.
            case scalar
            /// A case of an enum, with the raw values of all cases.
            case enumeration([JSONValue])
            /// A key of a type with known keys.
            case keys([String])
            /// A generated key.
            case syntheticKeys
            /// A value of a type without alternatives.
            case type
        }
    }

    let probe: TypeProbe
    let root = ProbeNode()
    private(set) var choices: [Choice] = []

    /// The number of requests so far, which measures the progress of the run.
    private(set) var requests = 0

    /// The key type of the dictionary being decoded.
    var keyType: (any Decodable.Type)?

    private let script: [Int]
    private let mismatches: Set<Int>
    private let prefersSamples: Bool

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - probe: the probe.
    ///   - script: the options of the first choices, in order.
    ///   - mismatches: the indices of choices that simulate a value of a different type.
    ///   - prefersSamples: whether scalar choices after the script select the first sample value.
    init(_ probe: TypeProbe, script: [Int], mismatches: Set<Int> = [], prefersSamples: Bool = false) {
        self.prefersSamples = prefersSamples
        self.probe = probe
        self.script = script
        self.mismatches = mismatches
    }

    /// Returns the option of the next choice.
    ///
    /// - Parameters:
    ///   - kind: the kind of choice.
    ///   - options: the number of options.
    ///   - sample: the index of the first option that is a sample value.
    ///   - node: the node of the value.
    ///   - path: the coding path of the value.
    /// - Returns: the index of the option.
    /// - Throws: `DecodingError` if this choice simulates a value of a different type, or if the run is exhausted.
    func choose(
        _ kind: Choice.Kind,
        of options: Int,
        sample: Int? = nil,
        at node: ProbeNode,
        _ path: [any CodingKey]
    ) throws -> Int {
        try countRequest(path)
        let index = choices.count
        let usual = sample.flatMap { prefersSamples && $0 < options ? $0 : nil } ?? 0
        let taken = index < script.count ? min(script[index], max(options - 1, 0)) : usual
        let firstSample = sample.flatMap { $0 < options ? $0 : nil }
        choices.append(Choice(kind: kind, options: options, taken: taken, firstSample: firstSample, node: node))
        if mismatches.contains(index) {
            throw DecodingError.typeMismatch(
                Any.self,
                .init(codingPath: path, debugDescription: "The probe simulates a value of a different type.")
            )
        }
        return taken
    }

    /// Counts a request; throws an error to stop an initializer that does not terminate.
    func countRequest(_ path: [any CodingKey]) throws {
        requests += 1
        if isExhausted {
            throw DecodingError.dataCorrupted(
                .init(codingPath: path, debugDescription: "The initializer does not terminate.")
            )
        }
    }

    /// Whether the initializer has made more requests than any type needs.
    var isExhausted: Bool { requests > 2_000 }

    /// The selected options.
    var taken: [Int] { choices.map(\.taken) }
}
