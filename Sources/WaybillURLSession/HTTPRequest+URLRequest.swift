import Foundation
import WaybillHTTP
import WaybillTransports

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPRequest {
    /// Returns the body in the form required by `URLSession`.
    func outgoingBody() async throws(TransportError) -> OutgoingBody {
        guard let body else { return .none }
        #if !canImport(FoundationNetworking)
            if body.bytes == nil, body.length != 0 { return .stream(Upload(stream: body)) }
        #endif
        return .bytes(try await collected(body))
    }

    private func collected(_ body: HTTPBody) async throws(TransportError) -> Data {
        let bytes = try await body.collect()
        // Some sequences end early without an error if the task is cancelled.
        guard !Task.isCancelled else { throw TransportError(.cancelled) }
        if let length = body.length, length != bytes.count {
            throw TransportError(
                .unsupportedRequest,
                "its body has \(bytes.count) bytes, not the declared \(length) bytes"
            )
        }
        return bytes
    }

    /// Returns the request as a `URLRequest`.
    ///
    /// - Parameter body: the body in the form required by `URLSession`.
    /// - Returns: the request.
    /// - Throws: `TransportError` of kind `TransportError.Kind.unsupportedRequest` if `URLSession` cannot send the
    ///   request or would send a different one.
    func urlRequest(body: OutgoingBody) throws(TransportError) -> URLRequest {
        try checkHeadSize(urlBytes: url.absoluteString.utf8.count)
        var request = URLRequest(url: try sendableURL(), cachePolicy: .reloadIgnoringLocalCacheData)
        // The transport enforces idle timeouts itself. This one would include the wait for a connection, and on Linux
        // it crashes the process if it fires during the reply to a redirect.
        request.timeoutInterval = 7 * 24 * 3600
        request.httpShouldHandleCookies = false
        request.httpMethod = method.rawValue
        guard request.httpMethod == method.rawValue, method != .connect else {
            throw TransportError(.unsupportedRequest, "URLSession cannot send the method \(method)")
        }
        if !body.isEmpty, method == .get || method == .head {
            throw TransportError(.unsupportedRequest, "URLSession cannot send a body with \(method)")
        }
        if case .bytes(let bytes) = body, !bytes.isEmpty { request.httpBody = bytes }
        for (name, value) in try joinedFields(bodyLength: body.length) {
            request.setValue(value, forHTTPHeaderField: name.rawName)
        }
        if case .stream(let upload) = body, let length = upload.length {
            // Without a declared length, `URLSession` would send the stream in chunks.
            request.setValue("\(length)", forHTTPHeaderField: HTTPField.Name.contentLength.rawName)
        }
        if !body.isEmpty, !headerFields.contains(.contentType) {
            request.setValue("application/octet-stream", forHTTPHeaderField: HTTPField.Name.contentType.rawName)
        }
        #if canImport(FoundationNetworking)
            // Otherwise, a truncated compressed body would be accepted as complete.
            if !headerFields.contains(.acceptEncoding) {
                request.setValue("identity", forHTTPHeaderField: HTTPField.Name.acceptEncoding.rawName)
            }
        #endif
        return request
    }

    /// Returns the URL with a lowercase scheme, as required by `URLSession` on Linux.
    private func sendableURL() throws(TransportError) -> URL {
        let scheme = url.scheme ?? ""
        guard ["http", "https"].contains(scheme.asciiLowercased) else {
            throw TransportError(.unsupportedRequest, "the URL's scheme is \"\(scheme)\"; it must be http or https")
        }
        guard let host = url.host, !host.isEmpty else {
            throw TransportError(.unsupportedRequest, "the URL has no host")
        }
        #if canImport(FoundationNetworking)
            guard !host.contains(":") else {
                throw TransportError(
                    .unsupportedRequest,
                    "URLSession on Linux cannot send to the IPv6 address \(host); use CurlTransport"
                )
            }
        #endif
        guard url.user == nil, url.password == nil else {
            throw TransportError(
                .unsupportedRequest,
                "the URL of \(host) has a user or a password; send an Authorization field instead"
            )
        }
        guard scheme != scheme.asciiLowercased else { return url }
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.scheme = scheme.asciiLowercased
        guard let lowercased = components?.url else {
            throw TransportError(.unsupportedRequest, "the URL of \(host) is invalid")
        }
        return lowercased
    }

    /// Returns the header fields with a single value for each name, as a dictionary requires.
    private func joinedFields(bodyLength: Int?) throws(TransportError) -> [(HTTPField.Name, String)] {
        var joined: [(name: HTTPField.Name, value: String)] = []
        for field in headerFields {
            if field.name == .contentLength {
                guard let bodyLength, Int(field.value) == bodyLength else {
                    let length = bodyLength.map { "\($0) bytes" } ?? "a stream of bytes"
                    throw TransportError(
                        .unsupportedRequest,
                        "Content-Length is \(field.value), but the body is \(length)"
                    )
                }
                // `URLSession` adds this field itself.
                continue
            }
            guard field.name != .transferEncoding else {
                throw TransportError(.unsupportedRequest, "the transport sets Transfer-Encoding")
            }
            guard !FieldText.containsOpaqueBytes(field.value) else {
                throw TransportError(
                    .unsupportedRequest,
                    "URLSession cannot send \(field.name), whose value is not valid UTF-8; use CurlTransport"
                )
            }
            if let first = joined.firstIndex(where: { $0.name == field.name }) {
                guard !Self.singletonFields.contains(field.name) else {
                    throw TransportError(.unsupportedRequest, "\(field.name) occurs more than once")
                }
                joined[first].value += (field.name == .cookie ? "; " : ", ") + field.value
            } else {
                joined.append((field.name, field.value))
            }
        }
        return joined.map { ($0.name, $0.value) }
    }

    /// Fields whose values are not lists, so that they cannot be joined (RFC 9110, section 5.3).
    private static let singletonFields: Set<HTTPField.Name> = [
        .authorization, .contentLocation, .contentType, .date, .host, .ifModifiedSince, .ifUnmodifiedSince,
        .proxyAuthorization, .range, .userAgent,
    ]
}

/// The body of a request in the form required by `URLSession`.
///
/// On Linux, bodies are held in memory, because `URLSession` treats a stream without available bytes as ended, and can
/// send the stream of one request with another request. On Apple platforms, streams are read as they are sent.
enum OutgoingBody: Sendable {
    case none
    case bytes(Data)
    case stream(Upload)

    /// The number of bytes; nil if unknown.
    var length: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .stream(let upload): upload.length
        }
    }

    /// Whether the body has no bytes.
    var isEmpty: Bool { length == 0 }

    /// The body if it is read as it is sent; nil if it is in memory.
    var upload: Upload? { if case .stream(let upload) = self { upload } else { nil } }
}
