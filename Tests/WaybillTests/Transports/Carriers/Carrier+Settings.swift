import Waybill

extension Carrier {
    /// What a suite sets on a transport.
    struct Settings: Sendable {
        /// How many calls may be on their way to one origin.
        var callsPerOrigin = 128
        /// What is kept for a caller who does not read; a carrier that buffers without bound has no such limit.
        var bufferedBytes: Int?
        /// The limits of time: the first is the one that a carrier with but one has.
        var firstByte: Duration?
        var total: Duration?
        /// Whether a connection may be silent for any time.
        var allowsSilence = false
    }

    /// A transport of its own, as usual but for the settings.
    func transport(_ settings: Settings = Settings()) throws -> any Transport {
        switch self {
        #if os(Linux)
            case .libcurl:
                var configuration = CurlTransport.Configuration()
                configuration.connections.perOrigin = settings.callsPerOrigin
                if let count = settings.bufferedBytes { configuration.limits.bufferedBytes = count }
                if let limit = settings.firstByte { configuration.timeouts.firstByte = limit }
                configuration.timeouts.total = settings.total
                if settings.allowsSilence { configuration.timeouts.idle = nil }
                return try CurlTransport(configuration)
        #endif
        case .urlSession:
            let configuration = URLSessionTransport.defaultConfiguration
            configuration.httpMaximumConnectionsPerHost = settings.callsPerOrigin
            let limit = settings.firstByte ?? settings.total ?? (settings.allowsSilence ? nil : .seconds(60))
            return URLSessionTransport(configuration: configuration, idleTimeout: limit)
        }
    }
}
