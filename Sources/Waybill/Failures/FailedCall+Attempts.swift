extension APIError.FailedCall {
    /// The text about the attempts before; nil if there were none.
    var earlierText: String? {
        // Equal failures in a row are listed once.
        var runs: [(text: String, count: Int)] = []
        for failure in earlierFailures {
            if let last = runs.last, last.text == failure.briefly {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((failure.briefly, 1))
            }
        }
        guard !runs.isEmpty else { return nil }
        let told = runs.prefix(5).map { $0.count > 1 ? "\($0.count) × \($0.text)" : $0.text }
        return "after " + (runs.count > told.count ? told + ["…"] : told).joined(separator: ", ")
    }
}

extension APIError {
    /// The error in a few words.
    fileprivate var briefly: String {
        switch self {
        case .request: "no request"
        case .authorization: "no credential"
        case .rejected: "a rejected call"
        case .transport(let failure): failure.error.kind.rawValue
        case .timeout: "a timeout"
        case .cancelled: "a cancellation"
        case .status(let failure): "\(failure.status)"
        case .decoding(let failure): "a body that does not decode as \(failure.typeName)"
        case .pagination: "a page that names no next page"
        case .items: "failed items"
        case .download: "a file that was not saved"
        case .upload: "an upload that cannot go on"
        case .middleware: "a middleware that stopped the call"
        }
    }
}
