import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPRequest {
    /// The body's bytes, or nil where there is none: `URLSession` cannot be trusted with streams on Linux.
    func collectedBody() async throws(TransportError) -> Data? {
        guard let body else { return nil }
        let bytes = try await body.collect()
        // Some sequences end early, and without an error, when their task is cancelled.
        guard !Task.isCancelled else { throw TransportError(.cancelled) }
        if let length = body.length, length != bytes.count {
            throw TransportError(.unsupportedRequest, "its body has \(bytes.count) bytes, not \(length) as it says")
        }
        return bytes
    }

    /// The request as `URLSession` takes it.
    ///
    /// - Throws: ``TransportError`` of kind ``TransportError/Kind/unsupportedRequest`` where `URLSession` would send
    ///   something else than this request, or could not send it.
    func urlRequest(body: Data?) throws(TransportError) -> URLRequest {
        try checkHeadSize(urlBytes: url.absoluteString.utf8.count)
        var request = URLRequest(url: try sendableURL(), cachePolicy: .reloadIgnoringLocalCacheData)
        // Idle timeouts are the session's own: here they would count the time that a request waits for a connection,
        // and on Linux they crash the process when they fire while a redirect is being answered.
        request.timeoutInterval = 7 * 24 * 3600
        request.httpShouldHandleCookies = false
        request.httpMethod = method.rawValue
        guard request.httpMethod == method.rawValue, method != .connect else {
            throw TransportError(.unsupportedRequest, "URLSession cannot send the method \(method)")
        }
        if let body, !body.isEmpty {
            guard method != .get, method != .head else {
                throw TransportError(.unsupportedRequest, "URLSession cannot send a body with \(method)")
            }
            request.httpBody = body
        }
        for (name, value) in try joinedFields(bodyLength: body?.count ?? 0) {
            request.setValue(value, forHTTPHeaderField: name.rawName)
        }
        if request.httpBody != nil, !headerFields.contains(.contentType) {
            request.setValue("application/octet-stream", forHTTPHeaderField: HTTPField.Name.contentType.rawName)
        }
        #if canImport(FoundationNetworking)
            // A compressed body that ends too early would pass for a complete one.
            if !headerFields.contains(.acceptEncoding) {
                request.setValue("identity", forHTTPHeaderField: HTTPField.Name.acceptEncoding.rawName)
            }
        #endif
        return request
    }

    /// The URL with its scheme in lower case, the only one that `URLSession` on Linux knows.
    private func sendableURL() throws(TransportError) -> URL {
        let scheme = url.scheme ?? ""
        guard ["http", "https"].contains(scheme.asciiLowercased) else {
            throw TransportError(.unsupportedRequest, "the URL's scheme is \"\(scheme)\", neither http nor https")
        }
        guard let host = url.host, !host.isEmpty else {
            throw TransportError(.unsupportedRequest, "the URL has no host")
        }
        #if canImport(FoundationNetworking)
            guard !host.contains(":") else {
                throw TransportError(.unsupportedRequest, "URLSession on Linux cannot send to an IPv6 address, \(host)")
            }
        #endif
        guard url.value.user == nil, url.value.password == nil else {
            throw TransportError(
                .unsupportedRequest,
                "the URL of \(host) has a user or a password; send an Authorization field instead"
            )
        }
        guard scheme != scheme.asciiLowercased else { return url.value }
        var components = URLComponents(url: url.value, resolvingAgainstBaseURL: true)
        components?.scheme = scheme.asciiLowercased
        guard let lowercased = components?.url else {
            throw TransportError(.unsupportedRequest, "the URL of \(host) cannot be read")
        }
        return lowercased
    }

    /// One value for each name, as a dictionary can hold them.
    private func joinedFields(bodyLength: Int) throws(TransportError) -> [(HTTPField.Name, String)] {
        var joined: [(name: HTTPField.Name, value: String)] = []
        for field in headerFields {
            if field.name == .contentLength {
                guard Int(field.value) == bodyLength else {
                    throw TransportError(
                        .unsupportedRequest,
                        "Content-Length is \(field.value), but the body has \(bodyLength) bytes"
                    )
                }
                // URLSession writes it itself.
                continue
            }
            guard field.name != .transferEncoding else {
                throw TransportError(.unsupportedRequest, "Transfer-Encoding is for the transport to decide")
            }
            if let first = joined.firstIndex(where: { $0.name == field.name }) {
                guard !Self.singleFields.contains(field.name) else {
                    throw TransportError(.unsupportedRequest, "there are several fields of the name \(field.name)")
                }
                joined[first].value += (field.name == .cookie ? "; " : ", ") + field.value
            } else {
                joined.append((field.name, field.value))
            }
        }
        return joined.map { ($0.name, $0.value) }
    }

    /// Fields that are no lists, so that joining two would make another value of them (RFC 9110, section 5.3).
    private static let singleFields: Set<HTTPField.Name> = [
        .authorization, .contentLocation, .contentType, .date, .host, .ifModifiedSince, .ifUnmodifiedSince,
        .proxyAuthorization, .range, .userAgent,
    ]
}
