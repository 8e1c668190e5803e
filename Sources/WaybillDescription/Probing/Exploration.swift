import Waybill
import WaybillSystem

/// A series of runs of one initializer: first until it succeeds, then through branches that read different values.
final class Exploration {
    private let probe: TypeProbe
    private let read: (any Decoder) throws -> Any?
    private var attemptsLeft = 1_000

    /// The remaining number of runs with sample values instead of generated ones.
    private var sampleAttemptsLeft = 300
    private var prefersSamples = false

    /// One run, with the created value or the thrown error.
    struct Attempt {
        let run: ProbeRun
        let value: Any?
        let error: (any Error)?

        var hasSucceeded: Bool { error == nil }
    }

    init(_ probe: TypeProbe, _ read: @escaping (any Decoder) throws -> Any?) {
        self.probe = probe
        self.read = read
    }

    /// The first successful attempt, or else the one with the most requests.
    private(set) lazy var attempt: Attempt = {
        let attempt = bestAttempt(from: [], keeping: 0)
        if attempt.hasSucceeded || probe.samples.isEmpty { return attempt }
        // Samples contain values that must be consistent with each other, such as a number and its checksum.
        prefersSamples = true
        attemptsLeft = max(attemptsLeft, 200)
        let sampled = bestAttempt(from: [], keeping: 0)
        return sampled.hasSucceeded ? sampled : attempt
    }()

    /// The schema of everything requested by the initializer in any run.
    var schema: JSONSchema {
        if let cases = casesSchema() { return cases }
        exploreAlternatives(of: attempt)
        var schema = attempt.run.root.schema
        if let error = attempt.error, schema.origin == .asked {
            schema.origin = .unknown("the initializer rejected all attempted values: \(Self.text(of: error))")
        }
        return schema
    }

    /// Runs the initializer until it succeeds, changing one choice at a time.
    ///
    /// A change is kept if it results in more requests.
    private func bestAttempt(from script: [Int], keeping kept: Int, mismatches: Set<Int> = []) -> Attempt {
        var best = run(script, mismatches)
        search: while !best.hasSucceeded, !best.run.isExhausted, attemptsLeft > 0 {
            let taken = best.run.taken
            for index in taken.indices.reversed() where index >= kept {
                for option in 0..<best.run.choices[index].options where option != taken[index] && attemptsLeft > 0 {
                    let next = run(taken[..<index] + [option], mismatches)
                    if next.hasSucceeded || next.run.requests > best.run.requests {
                        // The best run stopped at a type without a known value, so its requests are kept.
                        if case ProbeError.noInstance? = best.error { next.run.root.merge(best.run.root) }
                        best = next
                        continue search
                    }
                }
            }
            break
        }
        return best
    }

    private func run(_ script: [Int], _ mismatches: Set<Int> = []) -> Attempt {
        attemptsLeft -= 1
        let run = ProbeRun(probe, script: script, mismatches: mismatches, prefersSamples: prefersSamples)
        do {
            let value = try read(ProbeDecoder(run: run, node: run.root, codingPath: []))
            return Attempt(run: run, value: value, error: nil)
        } catch {
            return Attempt(run: run, value: nil, error: error)
        }
    }

    /// Returns the schema of a type that reads different members for each case of an enum or each key.
    ///
    /// The result is nil if all cases read the same members.
    private func casesSchema() -> JSONSchema? {
        let taken = attempt.run.taken
        for (index, choice) in attempt.run.choices.enumerated() {
            let values: [JSONValue]
            switch choice.kind {
            case .enumeration(let cases): values = cases
            case .keys(let keys): values = keys.map(JSONValue.string)
            default: continue
            }
            guard (2...256).contains(values.count) else { continue }
            var schemas: [JSONSchema] = []
            var rejected: [String] = []
            var shapes: Set<JSONSchema> = []
            for (option, value) in values.enumerated() {
                attemptsLeft = max(attemptsLeft, 50)
                let attempt = bestAttempt(from: taken[..<index] + [option], keeping: index + 1)
                guard attempt.hasSucceeded, attempt.run.choices.indices.contains(index) else {
                    rejected.append(value.plainText)
                    continue
                }
                shapes.insert(attempt.run.root.schema)
                exploreAlternatives(of: attempt)
                if case .enumeration = choice.kind { attempt.run.choices[index].node.constant = value }
                schemas.append(attempt.run.root.schema)
            }
            guard shapes.count > 1 else { continue }
            var schema = JSONSchema(.oneOf(schemas))
            if !rejected.isEmpty {
                schema.origin = .inferred("the initializer rejects \(rejected.joined(separator: ", "))")
            }
            return schema
        }
        return nil
    }

    /// Adds the requests of runs in which members are absent or have different types.
    private func exploreAlternatives(of base: Attempt) {
        if base.run.isExhausted { return }
        let node = base.run.root
        let taken = base.run.taken
        for (index, choice) in base.run.choices.enumerated() where attemptsLeft > 0 {
            switch choice.kind {
            case .presence(let member?) where choice.taken == 0:
                let absent = bestAttempt(from: taken[..<index] + [1], keeping: index + 1)
                if absent.hasSucceeded, let value = absent.value {
                    member.defaultValue = node.path(to: member).flatMap { Self.json(in: value, at: $0) }
                }
                add(absent, to: node)
            case .scalar, .type, .enumeration:
                let before = choice.node.requestCount
                let other = alternative(to: base, mismatching: [index])
                add(other, to: node)
                exploreFallbacks(of: other, [index], into: node)
                exploreSamples(of: base, at: index, into: node)
                guard other.hasSucceeded, choice.node.requestCount == before, let value = other.value else { continue }
                if let member = node.member(with: choice.node) {
                    member.toleratesOtherTypes = true
                    member.defaultValue = node.path(to: member).flatMap { Self.json(in: value, at: $0) }
                } else if choice.node === node {
                    node.toleratesOtherTypes = true
                }
            default: break
            }
        }
    }

    /// Returns a run in which some choices simulate values of a different type.
    private func alternative(to base: Attempt, mismatching mismatches: Set<Int>) -> Attempt {
        let taken = base.run.taken
        let other = run(taken, mismatches)
        guard !other.hasSucceeded, let last = mismatches.max(), other.run.choices.count > last + 1 else { return other }
        // The initializer has requested something else, but rejected the usual value for it.
        return bestAttempt(from: Array(taken.prefix(last + 1)), keeping: last + 1, mismatches: mismatches)
    }

    /// Explores the branches reached if the fallback for a rejected value is also rejected.
    private func exploreFallbacks(of base: Attempt, _ mismatches: Set<Int>, into node: ProbeNode) {
        guard mismatches.count < Self.maximumChainLength, let last = mismatches.max() else { return }
        for (index, choice) in base.run.choices.enumerated() where index > last && attemptsLeft > 0 {
            switch choice.kind {
            case .scalar, .type, .enumeration:
                let other = alternative(to: base, mismatching: mismatches.union([index]))
                // If no choice follows, the initializer has no fallback.
                guard other.run.choices.count > index + 1 else { continue }
                let known = node.size
                add(other, to: node)
                if node.size > known { exploreFallbacks(of: other, mismatches.union([index]), into: node) }
            default: break
            }
        }
    }

    /// The maximum length of a chain of fallbacks.
    private static let maximumChainLength = 12

    /// Explores the branches reached with sample scalars, such as values of a type discriminator.
    private func exploreSamples(of base: Attempt, at index: Int, into node: ProbeNode) {
        let choice = base.run.choices[index]
        guard case .scalar = choice.kind, let first = choice.firstSample else { return }
        let taken = base.run.taken
        for option in first..<choice.options where option != choice.taken && sampleAttemptsLeft > 0 {
            let left = attemptsLeft
            attemptsLeft = min(sampleAttemptsLeft, 20)
            sampleAttemptsLeft -= attemptsLeft
            let other = bestAttempt(from: taken[..<index] + [option], keeping: index + 1)
            (sampleAttemptsLeft, attemptsLeft) = (sampleAttemptsLeft + max(attemptsLeft, 0), left)
            guard other.hasSucceeded, !other.run.root.hasSameMembers(as: base.run.root) else { continue }
            add(other, to: node)
        }
    }

    /// Adds the requests of another run; members not read by a successful run become optional.
    private func add(_ other: Attempt, to node: ProbeNode) {
        if other.hasSucceeded { node.makeOptional(unreadBy: other.run.root) }
        node.merge(other.run.root)
    }

    /// Returns the default value of an absent member, read from an instance.
    ///
    /// The value comes from the encoded instance or, if the instance cannot be encoded, from the property with the name
    /// of a single key.
    private static func json(in instance: Any, at keys: [String]) -> JSONValue? {
        var value: JSONValue?
        if let encodable = instance as? any Encodable, let document = json(of: encodable) {
            value = keys.reduce(document) { $0?[$1] }
        } else if keys.count == 1 {
            let property = Mirror(reflecting: instance).children.first { $0.label == keys[0] }?.value
            value = (property as? any Encodable).flatMap { json(of: $0) }
        }
        return value.flatMap { $0.isNull ? JSONValue?.none : $0 }
    }

    private static func json(of value: some Encodable) -> JSONValue? {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        return try? WaybillJSONDecoder().decode(JSONValue.self, from: encoder.encode(value))
    }

    private static func text(of error: any Error) -> String {
        switch error {
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.valueNotFound(_, let context):
            context.debugDescription.hasSuffix(".")
                ? String(context.debugDescription.dropLast()) : context.debugDescription
        case ProbeError.noInstance(let name): "no value of \(name) is known"
        default: "\(error)"
        }
    }
}

extension ProbeNode {
    /// Returns the coding keys of the path to a member; nil if the member is not below this node.
    func path(to member: Member) -> [String]? {
        for (key, own) in members {
            if own === member { return [key] }
            if let rest = own.node.path(to: member) { return [key] + rest }
        }
        return nil
    }

    /// Returns the member whose node is the given one; nil if no member has it.
    func member(with node: ProbeNode) -> Member? {
        for (_, member) in members {
            if member.node === node { return member }
            if let found = member.node.member(with: node) { return found }
        }
        return nil
    }
}
