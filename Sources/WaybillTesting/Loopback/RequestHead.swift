import Foundation
import Waybill

/// The head of a request, as parsed from its bytes (RFC 9112, sections 3 and 5).
struct RequestHead: Sendable, Hashable {
    /// The framing that marks the end of the body.
    enum Framing: Sendable, Hashable {
        case length(Int)
        case chunked
    }

    let method: HTTPRequest.Method
    let target: String
    /// The `x` of `HTTP/1.x`.
    let minorVersion: Int
    let headerFields: HTTPFields
    let framing: Framing
    /// The bytes, from the request line to the empty line.
    let bytes: Data

    /// Whether the connection may be used for another request (RFC 9112, section 9.3).
    var isPersistent: Bool {
        let options = list(.connection)
        if options.contains("close") { return false }
        return minorVersion >= 1 || options.contains("keep-alive")
    }

    /// Whether the client waits for a 100 before it sends the body (RFC 9110, section 10.1.1).
    var expectsContinue: Bool { minorVersion >= 1 && list(.expect).contains("100-continue") }

    /// The path of the target, with its leading slash, without the query.
    var path: String {
        let path = originForm.prefix { $0 != "?" }
        return path.isEmpty ? "/" : String(path)
    }

    /// The query of the target, without the question mark.
    var query: String? {
        originForm.firstIndex(of: "?").map { String(originForm[originForm.index(after: $0)...]) }
    }

    /// Whether the target is a whole URL, as a proxy gets it (RFC 9112, section 3.2.2).
    var hasAbsoluteTarget: Bool { target.contains("://") && !target.hasPrefix("/") }

    private var originForm: Substring {
        guard hasAbsoluteTarget, let scheme = target.range(of: "://") else { return target[...] }
        return target[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    }

    private func list(_ name: HTTPField.Name) -> [String] {
        (headerFields[name] ?? "").split(separator: ",").map { $0.lowercased().trimmingCharacters(in: .whitespaces) }
    }
}
