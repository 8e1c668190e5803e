#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// libcurl's options for certificates and proxies.
    enum CurlSecurity {
        /// Checks that the installed libcurl supports a configuration.
        ///
        /// - Parameter configuration: the configuration.
        /// - Throws: `TransportError` of kind `TransportError.Kind.unavailable` if a setting is invalid or unsupported.
        static func check(_ configuration: CurlTransport.Configuration) throws(TransportError) {
            try check(configuration.versions)
            let tls = configuration.tls
            var sources: [CurlTransport.TLS.PEM] = []
            if case .authorities(let pem) = tls.trust { sources.append(pem) }
            if let client = tls.clientCertificate { sources += [client.certificate, client.privateKey] }
            for source in sources {
                switch source {
                case .file(let path):
                    guard FileManager.default.isReadableFile(atPath: path) else {
                        throw TransportError(.unavailable, "the file \(path) of the TLS configuration cannot be read")
                    }
                case .bytes:
                    guard CurlLibrary.acceptsCertificateBytes else {
                        throw TransportError(
                            .unavailable,
                            "certificates as bytes require libcurl 7.77 or later, not \(CurlLibrary.version); use files"
                        )
                    }
                }
            }
            for sum in tls.pinnedPublicKeys {
                guard Data(base64Encoded: sum)?.count == 32 else {
                    throw TransportError(.unavailable, "\"\(sum)\" is not a Base64-encoded SHA-256 digest")
                }
            }
            if case .url(let url, _) = configuration.proxy {
                let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
                guard let scheme = url.scheme?.lowercased(), schemes.contains(scheme), url.host != nil else {
                    throw TransportError(
                        .unavailable,
                        "a proxy URL must have a host and one of the schemes \(schemes.joined(separator: ", "))"
                    )
                }
            }
        }

        private static func check(_ versions: CurlTransport.Versions) throws(TransportError) {
            guard versions.withoutTLS != .http3 else {
                throw TransportError(.unavailable, "HTTP/3 requires TLS; set versions.withoutTLS to another version")
            }
            guard versions.overTLS == .http3, waybill_curl_has_http3() == 0 || CurlLibrary.versionNumber < 0x075800
            else { return }
            throw TransportError(
                .unavailable,
                "HTTP/3 requires libcurl 7.88 or later, built with HTTP/3 support, unlike the installed version "
                    + "\(CurlLibrary.version); set versions.overTLS to .http2"
            )
        }

        /// Applies a configuration to a handle.
        static func apply(_ configuration: CurlTransport.Configuration, to easy: waybill_curl_easy) {
            let tls = configuration.tls
            if case .authorities(let pem) = tls.trust {
                // Otherwise, libcurl would also trust the file and the directory configured when it was built, usually
                // the system's.
                for option in [
                    WAYBILL_CURL_CAINFO, WAYBILL_CURL_CAPATH, WAYBILL_CURL_PROXY_CAINFO, WAYBILL_CURL_PROXY_CAPATH,
                ] {
                    _ = waybill_curl_set_text(easy, option, nil)
                }
                set(pem, file: WAYBILL_CURL_CAINFO, bytes: WAYBILL_CURL_CAINFO_BLOB, on: easy)
                set(pem, file: WAYBILL_CURL_PROXY_CAINFO, bytes: WAYBILL_CURL_PROXY_CAINFO_BLOB, on: easy)
            }
            if let client = tls.clientCertificate {
                set(client.certificate, file: WAYBILL_CURL_SSLCERT, bytes: WAYBILL_CURL_SSLCERT_BLOB, on: easy)
                set(client.privateKey, file: WAYBILL_CURL_SSLKEY, bytes: WAYBILL_CURL_SSLKEY_BLOB, on: easy)
                // Without a password, OpenSSL would prompt for it at the terminal and block the event loop.
                _ = waybill_curl_set_text(easy, WAYBILL_CURL_KEYPASSWD, client.password ?? "")
            }
            if !tls.pinnedPublicKeys.isEmpty {
                let sums = tls.pinnedPublicKeys.map { "sha256//" + $0 }.joined(separator: ";")
                _ = waybill_curl_set_text(easy, WAYBILL_CURL_PINNEDPUBLICKEY, sums)
            }
            switch configuration.proxy {
            case .environment: break
            case .none: _ = waybill_curl_set_text(easy, WAYBILL_CURL_PROXY, "")
            case .url(let url, let exceptions):
                _ = waybill_curl_set_text(easy, WAYBILL_CURL_PROXY, url.absoluteString)
                _ = waybill_curl_set_text(easy, WAYBILL_CURL_NOPROXY, exceptions.joined(separator: ","))
            }
        }

        private static func set(
            _ pem: CurlTransport.TLS.PEM,
            file: waybill_curl_text_option,
            bytes: waybill_curl_blob_option,
            on easy: waybill_curl_easy
        ) {
            switch pem {
            case .file(let path): _ = waybill_curl_set_text(easy, file, path)
            case .bytes(let data):
                data.withUnsafeBytes { _ = waybill_curl_set_blob(easy, bytes, $0.baseAddress, $0.count) }
            }
        }
    }
#endif
