import CallSupport
import Waybill
import WaybillURLSession

#if os(Linux)
    import WaybillCurl
#endif

extension Carrier {
    /// Returns a new transport configured for a fault.
    func transport(for fault: Fault) throws -> any Transport {
        switch self {
        #if os(Linux)
            case .libcurl: return try CurlTransport(try configuration(for: fault))
        #endif
        case .urlSession:
            guard case .time(_, let duration) = fault.limit else { return URLSessionTransport() }
            // A shorter timeout fires at once on Linux.
            return URLSessionTransport(idleTimeout: max(duration, .seconds(1)))
        }
    }

    #if os(Linux)
        private func configuration(for fault: Fault) throws -> CurlTransport.Configuration {
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .none
            switch fault.limit {
            case .usual: break
            case .headBytes(let count): configuration.limits.headBytes = count
            case .bodyBytes(let count): configuration.limits.bodyBytes = count
            case .decodedBytes(let count): configuration.limits.decodedBodyBytes = count
            case .time(let timeout, let duration):
                configuration.timeouts.connect = timeout == .connect ? duration : nil
                configuration.timeouts.firstByte = timeout == .firstByte ? duration : nil
                configuration.timeouts.idle = timeout == .idle ? duration : nil
                configuration.timeouts.total = timeout == .total ? duration : nil
            }
            if case .tls(_, isTrusted: true) = fault.place {
                configuration.tls.trust = .authorities(.file(try TLSServer.shared.get().file("authority.pem")))
            }
            return configuration
        }
    #endif
}
