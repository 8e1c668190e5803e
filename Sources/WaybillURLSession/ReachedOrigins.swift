import WaybillHTTP
import WaybillTransports

/// The origins that have responded; above 1,000 all origins count as such.
struct ReachedOrigins {
    private static let limit = 1000

    private var origins: Set<HTTPRequest.Origin> = []
    private var isFull = false

    mutating func insert(_ origin: HTTPRequest.Origin) {
        guard !isFull else { return }
        origins.insert(origin)
        guard origins.count > Self.limit else { return }
        isFull = true
        origins = []
    }

    func contains(_ origin: HTTPRequest.Origin) -> Bool { isFull || origins.contains(origin) }
}
