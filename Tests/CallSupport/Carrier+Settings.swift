import Waybill
import WaybillURLSession

#if os(Linux)
    import WaybillCurl
#endif

extension Carrier {
    /// The settings of a suite for its transport.
    package struct Settings: Sendable {
        /// The maximum number of calls in flight to one origin.
        package var callsPerOrigin: Int
        /// The number of bytes buffered while the caller does not read; a carrier that buffers without bound ignores
        /// it.
        package var bufferedBytes: Int?
        /// The time limits; a carrier with only one limit uses the first that is set.
        package var firstByte: Duration?
        package var idle: Duration?
        package var total: Duration?
        /// Whether a connection may be silent indefinitely.
        package var allowsSilence: Bool

        package init(
            callsPerOrigin: Int = 128,
            bufferedBytes: Int? = nil,
            firstByte: Duration? = nil,
            idle: Duration? = nil,
            total: Duration? = nil,
            allowsSilence: Bool = false
        ) {
            self.callsPerOrigin = callsPerOrigin
            self.bufferedBytes = bufferedBytes
            self.firstByte = firstByte
            self.idle = idle
            self.total = total
            self.allowsSilence = allowsSilence
        }
    }

    /// Returns a new transport with the settings.
    package func transport(_ settings: Settings = Settings()) throws -> any Transport {
        switch self {
        #if os(Linux)
            case .libcurl:
                var configuration = CurlTransport.Configuration()
                configuration.connections.perOrigin = settings.callsPerOrigin
                if let count = settings.bufferedBytes { configuration.limits.bufferedBytes = count }
                if let limit = settings.firstByte { configuration.timeouts.firstByte = limit }
                if let limit = settings.idle { configuration.timeouts.idle = limit }
                configuration.timeouts.total = settings.total
                if settings.allowsSilence { configuration.timeouts.idle = nil }
                return try CurlTransport(configuration)
        #endif
        case .urlSession:
            let configuration = URLSessionTransport.defaultConfiguration
            configuration.httpMaximumConnectionsPerHost = settings.callsPerOrigin
            let usual: Duration? = settings.allowsSilence ? nil : .seconds(60)
            let limit = settings.firstByte ?? settings.idle ?? settings.total ?? usual
            return URLSessionTransport(configuration: configuration, idleTimeout: limit)
        }
    }
}
