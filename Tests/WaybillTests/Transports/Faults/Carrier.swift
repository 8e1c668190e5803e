import Waybill

/// A transport that the faults are tried over.
enum Carrier: String, Sendable, CaseIterable {
    #if os(Linux)
        case libcurl
    #endif
    case urlSession

    /// A transport of its own, with one limit.
    func transport(_ limit: Fault.Limit = .usual) throws -> any Transport {
        switch self {
        #if os(Linux)
            case .libcurl: try CurlTransport(configuration(limit))
        #endif
        case .urlSession:
            if case .time = limit { URLSessionTransport(idleTimeout: .seconds(1)) } else { URLSessionTransport() }
        }
    }

    #if os(Linux)
        private func configuration(_ limit: Fault.Limit) -> CurlTransport.Configuration {
            var configuration = CurlTransport.Configuration()
            let moment = Duration.milliseconds(50)
            switch limit {
            case .usual: break
            case .headBytes(let count): configuration.limits.headBytes = count
            case .bodyBytes(let count): configuration.limits.bodyBytes = count
            case .time(let timeout):
                configuration.timeouts.connect = timeout == .connect ? moment : nil
                configuration.timeouts.firstByte = timeout == .firstByte ? moment : nil
                configuration.timeouts.idle = timeout == .idle ? moment : nil
                configuration.timeouts.total = timeout == .total ? moment : nil
            }
            return configuration
        }
    #endif
}
