import Waybill
import WaybillJSON
import WaybillSystem

/// The findings of a detector, grouped by endpoint.
struct DriftStore {
    private struct Endpoint {
        var responses = 0
        let root = DriftNode()
    }

    /// The identity of an endpoint.
    struct ID: Hashable {
        let method: HTTPRequest.Method
        let template: String
    }

    private var endpoints: [ID: Endpoint] = [:]
    private var remainingKeyPaths = DriftDetector.maximumKeyPaths
    private var omitted = 0

    /// Adds the findings of one response.
    mutating func add(_ comparison: BodyComparison, of id: ID) {
        omitted += comparison.omittedCount
        if endpoints[id] == nil {
            guard remainingKeyPaths > 0 else {
                omitted += 1
                return
            }
            remainingKeyPaths -= 1
            endpoints[id] = Endpoint()
        }
        endpoints[id]?.responses += 1
        endpoints[id]?.root.add(comparison.root, remainingKeyPaths: &remainingKeyPaths, omitted: &omitted)
    }

    /// The findings, sorted by endpoint, key path and kind.
    var report: DriftDetector.Report {
        let described = endpoints.map { id, endpoint in
            var entries: [DriftDetector.Report.Entry] = []
            Self.collect(endpoint.root, [], into: &entries)
            entries.sort { ($0.keyPath, $0.kind.description) < ($1.keyPath, $1.kind.description) }
            return DriftDetector.Report.Endpoint(
                method: id.method,
                template: id.template,
                responseCount: endpoint.responses,
                entries: entries
            )
        }
        return DriftDetector.Report(
            endpoints: described.sorted { ($0.template, $0.method.rawValue) < ($1.template, $1.method.rawValue) },
            omittedCount: omitted
        )
    }

    private static func collect(
        _ node: DriftNode,
        _ path: [DriftNode.Step],
        into entries: inout [DriftDetector.Report.Entry]
    ) {
        for (kind, tally) in node.tallies where kind != .neverPresent || node.valueCount == 0 {
            entries.append(DriftDetector.Report.Entry(keyPath: text(of: path), kind: kind, tally: tally))
        }
        for (step, node) in node.children { collect(node, path + [step], into: &entries) }
    }

    private static func text(of path: [DriftNode.Step]) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .element: text += "[]"
            case .value: text += text.isEmpty ? "*" : ".*"
            case .member(let key):
                let isPlain = key.wholeMatch(of: /[-_$@A-Za-z0-9]+/) != nil
                text += (text.isEmpty ? "" : ".") + (isPlain ? key : quoted(key))
            }
        }
    }

    /// Returns a key as a JSON string, with control characters replaced by spaces and long keys truncated.
    private static func quoted(_ key: String) -> String {
        let isLong = key.unicodeScalars.count > maximumKeyLength
        let scalars = key.unicodeScalars.prefix(maximumKeyLength).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .format: " "
            default: scalar
            }
        }
        return JSONValue.string(String(String.UnicodeScalarView(scalars)) + (isLong ? "…" : "")).description
    }

    /// The maximum number of Unicode scalars in a quoted key.
    private static let maximumKeyLength = 100
}

/// A node in the tree of a body's key paths, with the findings at one key path.
///
/// This is a class because a recursive comparison writes to the nodes of one tree.
final class DriftNode {
    /// A step from a node to a child.
    enum Step: Hashable {
        case member(String)
        /// Any element of an array.
        case element
        /// Any value of an object whose keys are data.
        case value

        /// Whether the step leads to a member whose name satisfies a condition.
        func isMember(_ condition: (String) -> Bool) -> Bool {
            if case .member(let name) = self { condition(name) } else { false }
        }
    }

    /// The number and the dates of the occurrences of one kind of finding.
    struct Tally {
        var count: Int
        var responses: Int
        var first: Date
        var last: Date

        mutating func add(_ other: Tally) {
            count += other.count
            responses += other.responses
            first = min(first, other.first)
            last = max(last, other.last)
        }
    }

    /// The number of received values, including `null`.
    var valueCount = 0
    private(set) var tallies: [DriftDetector.Report.Kind: Tally] = [:]
    private(set) var children: [Step: DriftNode] = [:]

    /// Returns the child at a step, creating it if needed; nil once the maximum number of children is reached.
    func child(at step: Step) -> DriftNode? {
        if let node = children[step] { return node }
        guard children.count < DriftDetector.maximumKeysPerObject else { return nil }
        let node = DriftNode()
        children[step] = node
        return node
    }

    /// Records occurrences in the current response.
    func record(_ kind: DriftDetector.Report.Kind, count: Int = 1, at date: Date) {
        guard tallies[kind] != nil else {
            tallies[kind] = Tally(count: count, responses: 1, first: date, last: date)
            return
        }
        tallies[kind]?.count += count
    }

    /// Adds the findings of another response.
    ///
    /// - Parameters:
    ///   - other: the corresponding node of the other response.
    ///   - remainingKeyPaths: the number of nodes that can still be created.
    ///   - omitted: the number of findings dropped because a limit was reached.
    func add(_ other: DriftNode, remainingKeyPaths: inout Int, omitted: inout Int) {
        valueCount += other.valueCount
        for (kind, tally) in other.tallies {
            if tallies[kind]?.add(tally) == nil { tallies[kind] = tally }
        }
        for (step, node) in other.children {
            if children[step] == nil {
                guard remainingKeyPaths > 0, let _ = child(at: step) else {
                    omitted += node.findingCount
                    continue
                }
                remainingKeyPaths -= 1
            }
            children[step]?.add(node, remainingKeyPaths: &remainingKeyPaths, omitted: &omitted)
        }
    }

    /// The number of findings at this node and below it.
    private var findingCount: Int {
        tallies.values.reduce(0) { $0 + $1.count } + children.values.reduce(0) { $0 + $1.findingCount }
    }
}
