import Testing

/// Each clause with every reading of a declaration: either a test that the reading reads the clause, or the sentence
/// on its page that says that it does not.
nonisolated struct ReadingTable {
    /// A part of the library that reads a declaration without making its calls, or alongside them.
    enum Reading: String, CaseIterable, Sendable {
        case document, mock, comparison, drift, recording

        var page: String {
            switch self {
            case .document, .comparison: "Documentation/Test/Describing.md"
            case .mock: "Documentation/Test/Mocking.md"
            case .drift: "Documentation/Operate/Drift.md"
            case .recording: "Documentation/Test/Recording.md"
            }
        }
    }

    enum Cell: Sendable {
        case read(NamedTest)

        /// A clause that is not read, with the sentence on the reading's page, or a part of it.
        case notRead(String)

        static func read(_ file: String, _ name: String) -> Cell { .read(NamedTest(file, name)) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let clause: String
        let cells: [Reading: Cell]

        var testDescription: String { clause }

        init(_ clause: String, document: Cell, mock: Cell, comparison: Cell, drift: Cell, recording: Cell) {
            self.clause = clause
            cells = [
                .document: document, .mock: mock, .comparison: comparison, .drift: drift, .recording: recording,
            ]
        }
    }

    static let rows: [Row] = [
        methods, links, head, bundles, requests, bodies, credentials, responses, results, streams, unrecordedCalls,
        recordedCalls,
    ].flatMap(\.self)
}

// Cells shared by several clauses.
nonisolated extension ReadingTable.Cell {
    static let method = Self.read(
        "WaybillDescriptionTests/Readings/DeclarationReadingTests",
        "A method is described, mocked, compared, recorded and, with content, checked for drift"
    )

    static let wrapped = Self.read(
        "WaybillDescriptionTests/Readings/DeclarationReadingTests",
        "Clauses in a style, in a scope and on an operation apply like those of the resource"
    )

    static let described = Self.read(
        "WaybillDescriptionTests/Readings/ClauseReadingTests",
        "A described clause changes the document"
    )

    static let compared = Self.read(
        "WaybillDescriptionTests/Readings/ClauseReadingTests",
        "A described clause is a difference between a call with it and one without it"
    )

    static let matched = Self.read(
        "WaybillDescriptionTests/Readings/ClauseReadingTests",
        "A replay matches a request only if it has the clauses of the recorded request"
    )

    static let recorded = Self.read(
        "WaybillDescriptionTests/Readings/ClauseReadingTests",
        "A recorded response is compared according to the clauses of its call"
    )

    static let drifting = Self.read(
        "WaybillDescriptionTests/Drift/DriftTests",
        "Each kind of drift is reported at its key path, and a matching body has none"
    )

    static let sameMessages = Self.notRead(
        "They say how the client makes a call. The messages are the same without them."
    )

    static let ofCall = Self.notRead("They say how the client makes a call, and not what it decodes.")

    static let ofRequest = Self.notRead(
        "A report contains the method and the template of a request, and nothing else about it."
    )

    static let field = Self.notRead("Header fields are recorded, and a replay does not compare them.")

    static let sending = Self.notRead(
        "They decide when requests are sent, and how much of a response is read. Each request that is sent is recorded"
            + " by itself."
    )
}

// Methods, routes, and clauses that contain other clauses.
nonisolated extension ReadingTable {
    private static let methods: [Row] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "Route"].map {
        method($0, drift: .method)
    }

    private static let links: [Row] = [
        Row(
            "Route.Links",
            document: .notRead("A document does not contain the origins of links."),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockLinkTests",
                "A mock sends links with another origin to a call that replaces the origin"
            ),
            comparison: .read(
                "WaybillDescriptionTests/Comparison/LinkComparisonTests",
                "Servers without TLS are a finding for calls that follow links without replacing the origin"
            ),
            drift: .ofCall,
            recording: .notRead("A request is recorded with its URL, and a link as the server wrote it.")
        )
    ]

    private static let head: [Row] = [method("HEAD", drift: .notRead("The response has no body."))]

    private static let bundles: [Row] = ["Style", "Scope", "On"].map { clause in
        Row(clause, document: .wrapped, mock: .wrapped, comparison: .wrapped, drift: .wrapped, recording: .wrapped)
    }

    private static func method(_ clause: String, drift: Cell) -> Row {
        Row(clause, document: .method, mock: .method, comparison: .method, drift: drift, recording: .method)
    }
}

// Clauses that control how a call is made.
nonisolated extension ReadingTable {
    private static let unrecordedCalls: [Row] = [
        "Retry.Budget", "CircuitBreaker", "Timeout", "WaitsForConnectivity", "Cached.Policy", "Coalesced", "Redirects",
        "BodyLimits", "Control",
    ].map { call($0, recording: .sending) }

    private static let recordedCalls: [Row] = [
        call(
            "Retry",
            recording: .observed("Attempts have the number of their call, and the call contains the wait between them")
        ),
        call("Limit", recording: .observed("A call that waits for a limit's permit is recorded as queued")),
        call(
            "Cached",
            recording: .observed(
                "A call served from a cache has no exchange and is recorded with the cache use"
            )
        ),
        call("Use", recording: .observed("Without the Use clause, calls are recorded without messages")),
        call(
            "Observe",
            drift: .read(
                "WaybillDescriptionTests/Drift/DriftTests",
                "A drift detector leaves the events of other observers unaffected"
            ),
            recording: .observed(
                "Without the Observe clause, exchanges have only their attempt and response time"
            )
        ),
    ]

    private static func call(_ clause: String, drift: Cell = .ofCall, recording: Cell) -> Row {
        Row(
            clause,
            document: .sameMessages,
            mock: .sameMessages,
            comparison: .sameMessages,
            drift: drift,
            recording: recording
        )
    }
}

nonisolated extension ReadingTable.Cell {
    fileprivate static func observed(_ name: String) -> Self {
        .read("WaybillTestingTests/Recording/TrafficObservationTests", name)
    }
}
