extension Carrier {
    /// A requirement that some transports do not meet, with the reason.
    package enum Deviation: String, Sendable {
        case collectsUploads = "URLSession on Linux mixes up streams, so a body is collected and sent with its length"
        case buffersWithoutBound = "URLSession cannot be held back: suspending sends the request again on Linux"
        case pausesUnsentOnly =
            "URLSession cannot be paused on its way: suspending sends the request again on Linux"
        case repeatsNothing = "URLSession sends no request with a body again, whatever its method is"
        case hidesInterimResponses =
            "URLSession on Linux does not pass interim responses on, so an upload is created without content"
        case opensFurtherConnections =
            "URLSession on Linux drops connections under load and opens others in their place"
        case readsLateBytes =
            "URLSession on Linux takes bytes that arrive on an idle connection for the next response (libcurl 7.87 to 8.0)"
        case believesVersions =
            "URLSession on Linux sends requests over one connection at once when a response claims HTTP/2"
        case rejectsUnknownCodings = "URLSession on Linux rejects a body in a content coding that it does not know"
        case hasOneTimeLimit =
            "URLSession's limits of time fire at once or not at all on Linux; silence has Waybill's own"
    }

    /// The deviations of this carrier.
    package var deviations: Set<Deviation> {
        switch self {
        #if os(Linux)
            case .libcurl: []
        #endif
        case .urlSession:
            #if os(Linux)
                [
                    .collectsUploads, .buffersWithoutBound, .pausesUnsentOnly, .repeatsNothing,
                    .opensFurtherConnections, .hasOneTimeLimit, .readsLateBytes, .hidesInterimResponses,
                    .believesVersions, .rejectsUnknownCodings,
                ]
            #else
                [
                    .repeatsNothing, .hidesInterimResponses, .opensFurtherConnections, .hasOneTimeLimit,
                    .readsLateBytes, .believesVersions,
                ]
            #endif
        }
    }

    /// Returns the carriers that do not have a deviation.
    package static func without(_ deviation: Deviation) -> [Carrier] {
        allCases.filter { !$0.deviations.contains(deviation) }
    }
}
