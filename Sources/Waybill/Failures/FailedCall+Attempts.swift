extension FailedCall {
    /// What an error's text says of the attempts before; nil where there were none.
    var earlierText: String? {
        // Failures that follow each other and say the same are told once.
        var runs: [(text: String, count: Int)] = []
        for failure in earlierFailures {
            if let last = runs.last, last.text == failure.summary {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((failure.summary, 1))
            }
        }
        guard !runs.isEmpty else { return nil }
        let told = runs.prefix(5).map { $0.count > 1 ? "\($0.count) × \($0.text)" : $0.text }
        return "after " + (runs.count > told.count ? told + ["…"] : told).joined(separator: ", ")
    }
}

extension APIError {
    /// What happened, in a few words.
    fileprivate var summary: String {
        switch self {
        case .request: "no request"
        case .authorization: "no credential"
        case .refused: "a call held back"
        case .transport(let failure): failure.error.kind.rawValue
        case .timeout: "a timeout"
        case .cancelled: "a cancellation"
        case .status(let failure): "\(failure.status)"
        case .decoding(let failure): "a body that is no \(failure.typeName)"
        case .pagination: "a page that leads nowhere"
        case .items: "failed items"
        case .middleware: "a middleware that gave up"
        }
    }
}
