#if !canImport(FoundationNetworking)
    import Foundation
    import WaybillHTTP
    import WaybillTransports

    extension TransferOptions.Report.Metrics {
        /// Creates the metrics of a task's last request; returns nil if the task has not sent a request.
        init?(_ metrics: URLSessionTaskMetrics) {
            guard let transaction = metrics.transactionMetrics.last, let start = transaction.fetchStartDate else {
                return nil
            }
            func time(_ date: Date?) -> Duration? { date.map { .seconds($0.timeIntervalSince(start)) } }
            self.init()
            isConnectionReused = transaction.isReusedConnection
            protocolVersion =
                switch transaction.networkProtocolName {
                case "http/1.1"?: "HTTP/1.1"
                case "h2"?: "HTTP/2"
                case "h3"?: "HTTP/3"
                case let name: name
                }
            nameLookup = time(transaction.domainLookupEndDate)
            secure = time(transaction.secureConnectionEndDate)
            // `URLSession` includes TLS in the connect time.
            connect = time(transaction.secureConnectionStartDate ?? transaction.connectEndDate)
            firstByte = time(transaction.responseStartDate)
            total = time(transaction.responseEndDate)
            bytesSent = Int(clamping: transaction.countOfRequestBodyBytesSent)
            bytesReceived = Int(clamping: transaction.countOfResponseBodyBytesReceived)
        }
    }
#endif
