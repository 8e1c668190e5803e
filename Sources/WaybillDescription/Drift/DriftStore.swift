import Waybill
import WaybillJSON
import WaybillSystem

/// The findings of a detector, by endpoint.
struct DriftStore {
    private struct Endpoint {
        var responses = 0
        let root = DriftPlace()
    }

    /// The identity of an endpoint.
    struct ID: Hashable {
        let method: HTTPRequest.Method
        let template: String
    }

    private var endpoints: [ID: Endpoint] = [:]
    private var remainingPlaces = DriftDetector.maximumKeyPaths
    private var omitted = 0

    /// Adds the findings of one response.
    mutating func add(_ comparison: BodyComparison, of id: ID) {
        omitted += comparison.omittedCount
        if endpoints[id] == nil {
            guard remainingPlaces > 0 else {
                omitted += 1
                return
            }
            remainingPlaces -= 1
            endpoints[id] = Endpoint()
        }
        endpoints[id]?.responses += 1
        endpoints[id]?.root.add(comparison.root, remainingPlaces: &remainingPlaces, omitted: &omitted)
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
        _ place: DriftPlace,
        _ path: [DriftPlace.Step],
        into entries: inout [DriftDetector.Report.Entry]
    ) {
        for (kind, tally) in place.tallies where kind != .neverPresent || place.valueCount == 0 {
            entries.append(DriftDetector.Report.Entry(keyPath: text(of: path), kind: kind, tally: tally))
        }
        for (step, place) in place.places { collect(place, path + [step], into: &entries) }
    }

    private static func text(of path: [DriftPlace.Step]) -> String {
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
        let isLong = key.unicodeScalars.count > longestKey
        let scalars = key.unicodeScalars.prefix(longestKey).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .format: " "
            default: scalar
            }
        }
        return JSONValue.string(String(String.UnicodeScalarView(scalars)) + (isLong ? "…" : "")).description
    }

    /// The maximum number of Unicode scalars in a quoted key.
    private static let longestKey = 100
}

/// A node in the tree of a body's key paths, with the findings at its key path.
///
/// This is a class because a recursive comparison writes to the nodes of a shared tree.
final class DriftPlace {
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

    /// The occurrences of one kind of finding.
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
    private(set) var places: [Step: DriftPlace] = [:]

    /// Returns the child at a step, creating it if needed; nil if the maximum number of children is reached.
    func place(_ step: Step) -> DriftPlace? {
        if let place = places[step] { return place }
        guard places.count < DriftDetector.maximumKeysPerObject else { return nil }
        let place = DriftPlace()
        places[step] = place
        return place
    }

    /// Adds occurrences in the current response.
    func note(_ kind: DriftDetector.Report.Kind, count: Int = 1, at date: Date) {
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
    ///   - remainingPlaces: the number of nodes that may still be created.
    ///   - omitted: the count of findings dropped because a limit was reached.
    func add(_ other: DriftPlace, remainingPlaces: inout Int, omitted: inout Int) {
        valueCount += other.valueCount
        for (kind, tally) in other.tallies {
            if tallies[kind]?.add(tally) == nil { tallies[kind] = tally }
        }
        for (step, place) in other.places {
            if places[step] == nil {
                guard remainingPlaces > 0, let _ = self.place(step) else {
                    omitted += place.findingCount
                    continue
                }
                remainingPlaces -= 1
            }
            places[step]?.add(place, remainingPlaces: &remainingPlaces, omitted: &omitted)
        }
    }

    /// The number of findings at this node and below it.
    private var findingCount: Int {
        tallies.values.reduce(0) { $0 + $1.count } + places.values.reduce(0) { $0 + $1.findingCount }
    }
}
