extension Carrier {
    /// Something that not every transport can do, and why.
    enum Deviation: String, Sendable {
        case collectsUploads = "URLSession on Linux mixes up streams, so a body is collected and sent with its length"
        case buffersWithoutBound = "URLSession cannot be held back: suspending sends the request again on Linux"
        case ignoresControls = "URLSession cannot be paused: suspending sends the request again on Linux"
        case repeatsNothing = "URLSession sends no request with a body again, whatever its method is"
        case opensFurtherConnections =
            "URLSession on Linux drops connections under load and opens others in their place"
        case readsLateBytes =
            "URLSession on Linux takes bytes that arrive on an idle connection for the next response (libcurl 7.87 to 8.0)"
        case hasOneTimeLimit =
            "URLSession's limits of time fire at once or not at all on Linux; silence has Waybill's own"
    }

    /// What this one does otherwise.
    var deviations: Set<Deviation> {
        switch self {
        #if os(Linux)
            case .libcurl: []
        #endif
        case .urlSession:
            [
                .collectsUploads, .buffersWithoutBound, .ignoresControls, .repeatsNothing, .opensFurtherConnections,
                .hasOneTimeLimit, .readsLateBytes,
            ]
        }
    }

    /// Those of which this does not hold.
    static func without(_ deviation: Deviation) -> [Carrier] {
        allCases.filter { !$0.deviations.contains(deviation) }
    }
}
