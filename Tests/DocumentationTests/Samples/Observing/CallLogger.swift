import Waybill

struct CallLogger: CallObserver {
    let logger: Logger

    func observe(_ event: CallEvent) {
        switch event.kind {
        case .finished(let status): logger.debug("\(status)", metadata: metadata(of: event))
        case .retried(let wait, let error):
            logger.notice("retrying in \(wait): \(error.summary)", metadata: metadata(of: event))
        case .failed(.cancelled): logger.debug("cancelled", metadata: metadata(of: event))
        case .failed(let error): logger.error("\(error.summary)", metadata: metadata(of: event))
        default: break
        }
    }

    private func metadata(of event: CallEvent) -> Logger.Metadata {
        [
            "call": "\(event.number)",
            "method": "\(event.method)",
            "template": "\(event.template)",
            "attempt": "\(event.attempt)",
            "milliseconds": "\(event.time / .milliseconds(1))",
        ]
    }
}
