/// Origins that have answered; of very many, all count as such.
struct ReachedOrigins {
    private static let limit = 1000

    private var origins: Set<Origin> = []
    private var isFull = false

    mutating func insert(_ origin: Origin) {
        guard !isFull else { return }
        origins.insert(origin)
        guard origins.count > Self.limit else { return }
        isFull = true
        origins = []
    }

    func contains(_ origin: Origin) -> Bool { isFull || origins.contains(origin) }
}
