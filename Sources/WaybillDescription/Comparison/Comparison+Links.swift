import Waybill
import WaybillOperations
import WaybillTransfers

// The origins of links in responses.
extension Comparison {
    /// Reports calls that follow links if the client uses https but the document's servers do not.
    ///
    /// A server that generates such a document usually uses the same origin for its links, which the client rejects.
    mutating func addLinks(of calls: [DescribedOperation]) {
        let servers = document.serversWithoutTLS
        if servers.isEmpty { return }
        for call in calls where call.plan.url.scheme?.lowercased() == "https" && call.rejectsOtherOrigins {
            add(
                .warning,
                .response,
                call,
                "Route.Links",
                "#/servers",
                "it follows links in responses, which can be at \(servers.joined(separator: ", ")) like the document's"
                    + " servers, and rejects them because the base URL uses https",
                Route.Links.advice,
                requiresSamePlace: false
            )
        }
    }
}

extension DocumentReader {
    /// The origins of the document's servers if all of them use http; empty if one uses https or is unknown.
    fileprivate var serversWithoutTLS: [String] {
        let urls: [String?]
        if json["swagger"] != nil {
            let host = json["host"]?.stringValue
            urls = (json["schemes"]?.arrayValue ?? []).map { scheme in
                scheme.stringValue.flatMap { scheme in host.map { "\(scheme)://\($0)" } }
            }
        } else {
            urls = (json["servers"]?.arrayValue ?? []).map { $0["url"]?.stringValue }
        }
        let origins = urls.map { $0.flatMap { HTTPRequest.Origin($0) } }
        return origins.allSatisfy { $0?.scheme == "http" } ? origins.compactMap { $0?.description }.uniqued : []
    }
}

extension DescribedOperation {
    /// Whether the call follows links in its responses, and rejects those to other origins than the client's.
    fileprivate var rejectsOtherOrigins: Bool {
        let settings = plan.settings
        if isAtURL || settings[Route.Links.self]?.target == .baseOrigin { return false }
        if settings[Resumable.self]?.uploadProtocol != nil { return true }
        switch settings.operation?.location.form {
        case .fields, .member: return true
        case .path, nil: break
        }
        if operation == .create, let result = settings[WriteResult.self], result.source == .reread {
            return result.idPath == nil
        }
        guard content.isList else { return false }
        switch settings[Paginated.self]?.scheme?.kind {
        case .links, .next: return true
        default: return false
        }
    }
}
