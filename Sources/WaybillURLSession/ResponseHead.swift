import Foundation
import WaybillHTTP
import WaybillTransports

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The head of a response, and the declared length of its body.
struct ResponseHead: Sendable {
    let status: HTTPResponse.Status
    let headerFields: HTTPFields
    let url: URL?
    let bodyLength: BodyLength

    /// Whether `URLSession` has decoded a content coding of the body.
    let isDecoded: Bool

    init(_ response: HTTPURLResponse, method: HTTPRequest.Method) {
        var fields = Self.sortedFields(of: response)
        let hasNoBody = method == .head || [204, 304].contains(response.statusCode)
        isDecoded = !hasNoBody && Self.isDecoded(fields[.contentEncoding])
        bodyLength = hasNoBody ? .known(0) : isDecoded ? .unknown : BodyLength(fields)
        if isDecoded {
            fields.removeAll(named: .contentEncoding)
            fields.removeAll(named: .contentLength)
        }
        status = HTTPResponse.Status(code: response.statusCode)
        headerFields = fields
        url = response.url
    }

    private static func sortedFields(of response: HTTPURLResponse) -> HTTPFields {
        let fields = response.allHeaderFields.flatMap { key, value -> [HTTPField] in
            guard let key = key as? String, let name = HTTPField.Name(key) else { return [] }
            let value = value as? String ?? "\(value)"
            guard name == .setCookie else { return [HTTPField(name: name, value: value)] }
            return separatedCookies(value).map { HTTPField(name: name, value: $0) }
        }
        return HTTPFields(
            fields.sorted { ($0.name.canonicalName, $0.name.rawName) < ($1.name.canonicalName, $1.name.rawName) }
        )
    }

    /// Separates the values of several `Set-Cookie` fields, which `URLSession` joins with a comma and a space.
    ///
    /// A comma separates two fields if a name and an equals sign follow it, unlike the comma in a date. A value that
    /// contains this pattern is split incorrectly, and a field without a name is treated as part of the previous one.
    static func separatedCookies(_ value: String) -> [String] {
        var values: [String] = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "=" && $0 != ";" }
            let isName = name.endIndex < part.endIndex && part[name.endIndex] == "="
            if let last = values.last, !(isName && part.first == " " && HTTPField.Name(name.trimmed()) != nil) {
                values[values.count - 1] = "\(last),\(part)"
            } else {
                values.append(String(part))
            }
        }
        return values
    }

    /// Whether `URLSession` has decoded a content coding.
    private static func isDecoded(_ coding: String?) -> Bool {
        guard let coding = coding?.asciiLowercased, !coding.isEmpty, coding != "identity" else { return false }
        #if canImport(FoundationNetworking)
            // `URLSession` fails if it does not support a coding.
            return true
        #else
            return ["gzip", "x-gzip", "deflate", "br"].contains(coding)
        #endif
    }
}
