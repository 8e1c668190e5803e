#if os(Linux)
    import Foundation

    /// A request as libcurl takes it: everything about it is checked.
    struct CurlRequest: Sendable {
        /// What is sent behind the head.
        enum Content: Sendable {
            case none
            /// Bytes that go into libcurl's own memory, and out together with the head.
            case small(Data)
            case upload(Upload)
        }

        /// The most bytes that are given to libcurl at once.
        private static let smallBodyBytes = 64 * 1024

        /// Methods whose effect is the same when a server takes them twice (RFC 9110, section 9.2.2).
        private static let idempotentMethods: Set<HTTPRequest.Method> = [
            .get, .head, .options, .put, .delete, HTTPRequest.Method("TRACE") ?? .options,
        ]

        let target: CurlTarget
        let method: HTTPRequest.Method
        /// The lines of the head behind the first, in the form that libcurl wants.
        let fields: [String]
        let body: Content
        let control: TransferControl?
        let isMeasured: Bool

        /// Whether it may go out again by itself, when a kept connection turns out to be closed.
        var isIdempotent: Bool { Self.idempotentMethods.contains(method) }

        /// Whether a body of no bytes is announced: the method is one that has a body (RFC 9110, section 8.6).
        var announcesEmptyBody: Bool { method == .post || method == .put || method == .patch }

        /// Checks a request.
        ///
        /// - Throws: ``TransportError`` of kind ``TransportError/Kind/unsupportedRequest`` where libcurl would send
        ///   something else than this request, or could not send it.
        init(_ request: HTTPRequest) throws(TransportError) {
            target = try CurlTarget(request.url.value)
            try request.checkHeadSize(urlBytes: target.url.utf8.count)
            method = request.method
            control = request.control
            isMeasured = request.isMeasured
            guard method != .connect else {
                throw TransportError(.unsupportedRequest, "CONNECT is for the transport to send")
            }
            if let bytes = request.body?.bytes {
                body =
                    bytes.isEmpty
                    ? .none : bytes.count <= Self.smallBodyBytes ? .small(bytes) : .upload(Upload(bytes: bytes))
            } else if let streamed = request.body {
                body = .upload(Upload(stream: streamed))
            } else {
                body = .none
            }
            if method == .head, request.body?.length != 0, request.body != nil {
                throw TransportError(.unsupportedRequest, "HEAD cannot have a body")
            }
            fields = try Self.lines(of: request)
        }

        private static func lines(of request: HTTPRequest) throws(TransportError) -> [String] {
            var lines: [String] = []
            lines.reserveCapacity(request.headerFields.count + 5)
            var seen: (accept: Bool, coding: Bool, agent: Bool, type: Bool, expect: Bool, range: Bool) = (
                false, false, false, false, false, false
            )
            var names: Set<HTTPField.Name> = []
            for field in request.headerFields {
                guard !singleFields.contains(field.name) || names.insert(field.name).inserted else {
                    throw TransportError(.unsupportedRequest, "there are several fields of the name \(field.name)")
                }
                switch field.name {
                case .contentLength:
                    guard let length = request.body?.length ?? (request.body == nil ? 0 : nil),
                        Int(field.value) == length
                    else {
                        throw TransportError(
                            .unsupportedRequest,
                            "Content-Length is \(field.value), but the body has \(request.body?.description ?? "0 bytes")"
                        )
                    }
                    // libcurl writes it itself.
                    continue
                case .transferEncoding:
                    throw TransportError(.unsupportedRequest, "Transfer-Encoding is for the transport to decide")
                case .accept: seen.accept = true
                case .acceptEncoding: seen.coding = true
                case .userAgent: seen.agent = true
                case .contentType: seen.type = true
                case .expect: seen.expect = true
                case .range: seen.range = true
                default: break
                }
                // A semicolon stands for a field without a value: a colon alone would take the field away.
                lines.append(field.value.isEmpty ? field.name.rawName + ";" : "\(field.name.rawName): \(field.value)")
            }
            // A part of a coded representation cannot be decoded.
            if !seen.coding { lines.append(seen.range ? "Accept-Encoding: identity" : acceptEncoding) }
            if !seen.agent { lines.append(userAgent) }
            // Fields that libcurl would add.
            if !seen.accept { lines.append("Accept:") }
            if !seen.type, request.body != nil || request.method == .post { lines.append("Content-Type:") }
            if !seen.expect { lines.append("Expect:") }
            return lines
        }

        /// Fields that are no lists, so that two contradict each other (RFC 9110, section 5.3).
        private static let singleFields: Set<HTTPField.Name> = [
            .authorization, .contentLength, .contentType, .date, .host, .ifModifiedSince, .ifUnmodifiedSince,
            .proxyAuthorization, .range, .userAgent,
        ]

        private static let acceptEncoding = "Accept-Encoding: \(ContentCoding.acceptEncoding ?? "identity")"
        private static let userAgent = "User-Agent: Waybill libcurl/\(CurlLibrary.version)"
    }
#endif
