import Waybill

/// One run of an initializer, with decisions that are made in advance as far as they are known.
final class ProbeRun {
    /// A point of a run at which the probe has several values to give.
    struct Choice {
        let kind: Kind
        let options: Int
        let taken: Int
        /// The first option that is a value of a real body; nil without one.
        let firstSample: Int?
        let node: ProbeNode

        enum Kind {
            /// The member is there, or it is not.
            case presence(ProbeNode.Member?)
            /// The number of elements.
            case count
            /// A scalar, of several candidates.
            case scalar
            /// A case of an enum, by the values that the document has for them.
            case enumeration([JSONValue])
            /// A key of a type whose keys are known.
            case keys([String])
            /// A generated key.
            case syntheticKeys
            /// A type, which has no alternatives of its own.
            case type
        }
    }

    let probe: TypeProbe
    let root = ProbeNode()
    private(set) var choices: [Choice] = []

    /// The number of requests that the initializer has made: the progress of the run.
    private(set) var requests = 0

    /// The type of the keys of the dictionary that is being read.
    var keyType: (any Decodable.Type)?

    private let script: [Int]
    private let mismatches: Set<Int>
    private let prefersSamples: Bool

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - probe: the probe.
    ///   - script: the options of the first choices.
    ///   - mismatches: the choices at which a value of another type is given.
    ///   - prefersSamples: whether scalars after the script are those of the first real body.
    init(_ probe: TypeProbe, script: [Int], mismatches: Set<Int> = [], prefersSamples: Bool = false) {
        self.prefersSamples = prefersSamples
        self.probe = probe
        self.script = script
        self.mismatches = mismatches
    }

    /// Returns the option of the next choice.
    ///
    /// - Parameters:
    ///   - kind: the kind of the choice.
    ///   - options: the number of options.
    ///   - sample: the first option that is a value of a real body.
    ///   - node: the place.
    ///   - path: the coding path of the place.
    /// - Returns: the option, from 0.
    /// - Throws: `DecodingError` if this run is the one that gives a value of another type here.
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
                .init(codingPath: path, debugDescription: "The probe gives a value of another type.")
            )
        }
        return taken
    }

    /// Counts a request; an initializer without an end is stopped.
    func countRequest(_ path: [any CodingKey]) throws {
        requests += 1
        if isExhausted {
            throw DecodingError.dataCorrupted(
                .init(codingPath: path, debugDescription: "The initializer reads without an end.")
            )
        }
    }

    /// Whether the initializer has made more requests than any type needs.
    var isExhausted: Bool { requests > 2_000 }

    /// The options that were taken.
    var taken: [Int] { choices.map(\.taken) }
}
