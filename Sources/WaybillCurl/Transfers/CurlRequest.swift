#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// A validated request in the form required by libcurl.
    struct CurlRequest: Sendable {
        /// The body of a request.
        enum Content: Sendable {
            case none
            /// Bytes that libcurl copies and sends together with the head.
            case small(Data)
            case upload(Upload)
        }

        /// The maximum size of a body that is passed to libcurl in one piece, in bytes.
        private static let smallBodyBytes = 64 * 1024

        /// The methods whose requests have the same effect if a server receives them twice (RFC 9110, section 9.2.2).
        private static let idempotentMethods: Set<HTTPRequest.Method> = [
            .get, .head, .options, .put, .delete, .trace, .query,
        ]

        let target: CurlTarget
        let method: HTTPRequest.Method
        /// The header lines in libcurl's format.
        let fields: [String]
        let body: Content
        /// Information about the transfer from the call.
        let options: TransferOptions
        /// The receiver of interim responses, if any.
        let receiveInterim: (@Sendable (CurlHead) -> Void)?

        /// Whether the request may be resent automatically if a persistent connection turns out to be closed.
        var isIdempotent: Bool { Self.idempotentMethods.contains(method) }

        /// Whether a request without a body declares an empty one, because requests with its method usually have a body
        /// (RFC 9110, section 8.6).
        var declaresEmptyBody: Bool { Self.methodsWithContent.contains(method) }

        private static let methodsWithContent: Set<HTTPRequest.Method> = [.post, .put, .patch, .query]

        /// Validates a request.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - options: the options of the transfer.
        /// - Throws: `TransportError` of kind `TransportError.Kind.unsupportedRequest` if libcurl cannot send the
        ///   request or would send a different one.
        init(_ request: HTTPRequest, _ options: TransferOptions = TransferOptions()) throws(TransportError) {
            target = try CurlTarget(request.url)
            try request.checkHeadSize(urlBytes: target.url.utf8.count)
            method = request.method
            self.options = options
            if let part = options.uploadPart {
                let url = request.url
                receiveInterim = { part.receive($0.status, $0.fields, url) }
            } else {
                receiveInterim = nil
            }
            guard method != .connect else {
                throw TransportError(.unsupportedRequest, "only the transport itself can send CONNECT")
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
            var names: Set<HTTPField.Name> = []
            for field in request.headerFields {
                guard !singletonFields.contains(field.name) || names.insert(field.name).inserted else {
                    throw TransportError(.unsupportedRequest, "\(field.name) occurs more than once")
                }
                switch field.name {
                case .contentLength:
                    guard let length = request.body?.length ?? (request.body == nil ? 0 : nil),
                        Int(field.value) == length
                    else {
                        throw TransportError(
                            .unsupportedRequest,
                            "Content-Length is \(field.value), but the body is \(request.body?.description ?? "empty")"
                        )
                    }
                    // libcurl adds this field itself.
                    continue
                case .transferEncoding:
                    throw TransportError(.unsupportedRequest, "the transport sets Transfer-Encoding")
                default: break
                }
                // A semicolon denotes an empty value: with a colon, libcurl would remove the field.
                lines.append(field.value.isEmpty ? field.name.rawName + ";" : "\(field.name.rawName): \(field.value)")
            }
            return lines + addedLines(request)
        }

        /// Returns the fields added by the transport, and empty ones that prevent libcurl from adding fields.
        private static func addedLines(_ request: HTTPRequest) -> [String] {
            let declared = request.headerFields
            var lines: [String] = []
            if !declared.contains(.acceptEncoding) {
                // A range of an encoded body cannot be decoded.
                lines.append(declared.contains(.range) ? "Accept-Encoding: identity" : acceptEncoding)
            }
            if !declared.contains(.userAgent) { lines.append(userAgent) }
            if !declared.contains(.accept) { lines.append("Accept:") }
            // libcurl would declare any body as a form, even the empty body of a PUT or PATCH.
            if !declared.contains(.contentType), request.body != nil || methodsWithContent.contains(request.method) {
                lines.append("Content-Type:")
            }
            if !declared.contains(.expect) { lines.append("Expect:") }
            return lines
        }

        /// Fields whose values are not lists, so that two of them would contradict each other (RFC 9110, section 5.3).
        private static let singletonFields: Set<HTTPField.Name> = [
            .authorization, .contentLength, .contentType, .date, .host, .ifModifiedSince, .ifUnmodifiedSince,
            .proxyAuthorization, .range, .userAgent,
        ]

        private static let acceptEncoding = "Accept-Encoding: \(ContentCoding.acceptEncoding ?? "identity")"
        private static let userAgent = "User-Agent: Waybill libcurl/\(CurlLibrary.version)"
    }
#endif
