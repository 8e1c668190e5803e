import WaybillSystem

/// The findings of a detector, by endpoint.
struct DriftStore {
    private struct Endpoint {
        var responses = 0
        let root = DriftPlace()
    }

    private var endpoints: [DriftReport.Endpoint.ID: Endpoint] = [:]
    private var room = DriftDetector.mostKeyPaths
    private var omitted = 0

    /// Adds what was found in a response.
    mutating func add(_ comparison: BodyComparison, of id: DriftReport.Endpoint.ID) {
        omitted += comparison.omittedCount
        if endpoints[id] == nil {
            guard room > 0 else {
                omitted += 1
                return
            }
            room -= 1
            endpoints[id] = Endpoint()
        }
        endpoints[id]?.responses += 1
        endpoints[id]?.root.add(comparison.root, room: &room, omitted: &omitted)
    }

    /// The findings in the order of endpoints, key paths and kinds.
    var report: DriftReport {
        let described = endpoints.map { id, endpoint in
            var entries: [DriftReport.Entry] = []
            Self.collect(endpoint.root, [], into: &entries)
            entries.sort { ($0.keyPath, $0.kind.description) < ($1.keyPath, $1.kind.description) }
            return DriftReport.Endpoint(id: id, responseCount: endpoint.responses, entries: entries)
        }
        return DriftReport(
            endpoints: described.sorted { ($0.template, $0.method.rawValue) < ($1.template, $1.method.rawValue) },
            omittedCount: omitted
        )
    }

    private static func collect(
        _ place: DriftPlace,
        _ path: [DriftPlace.Step],
        into entries: inout [DriftReport.Entry]
    ) {
        for (kind, tally) in place.tallies where kind != .neverPresent || place.valueCount == 0 {
            entries.append(DriftReport.Entry(keyPath: text(of: path), kind: kind, tally: tally))
        }
        for (step, place) in place.places { collect(place, path + [step], into: &entries) }
    }

    private static func text(of path: [DriftPlace.Step]) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .element: text += "[]"
            case .value: text += text.isEmpty ? "*" : ".*"
            case .member(let key):
                let isPlain = !key.isEmpty && key.utf8.allSatisfy { $0.isPlainInKeyPath }
                text += (text.isEmpty ? "" : ".") + (isPlain ? key : KeyPathText.quoted(key))
            }
        }
    }
}

extension UInt8 {
    /// Whether the byte is a letter, a digit or a character that is usual in keys.
    fileprivate var isPlainInKeyPath: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"),
            UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
