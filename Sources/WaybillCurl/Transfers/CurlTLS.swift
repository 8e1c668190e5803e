#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransport {
        /// The trusted authorities and the client certificate of a transport.
        public struct TLS: Sendable, Hashable {
            /// Data in PEM format.
            public enum PEM: Sendable, Hashable {
                /// The path of a file.
                case file(String)
                /// The bytes, which require libcurl 7.77 or later.
                case bytes(Data)
            }

            /// The authorities trusted for servers, and for proxies over TLS.
            public enum Trust: Sendable, Hashable {
                /// The authorities trusted by the system.
                case system
                /// Only these authorities.
                case authorities(PEM)
            }

            /// A certificate and its key, for servers that require client certificates.
            public struct ClientCertificate: Sendable, Hashable {
                /// The certificate, with the intermediate certificates up to the authority.
                public var certificate: PEM
                /// The private key of the certificate.
                public var privateKey: PEM
                /// The password of the key; nil if the key is not encrypted.
                public var password: String?

                /// Creates a client certificate.
                ///
                /// - Parameters:
                ///   - certificate: the certificate, with the intermediate certificates up to the authority.
                ///   - privateKey: the private key of the certificate.
                ///   - password: the password of the key; nil if the key is not encrypted.
                public init(certificate: PEM, privateKey: PEM, password: String? = nil) {
                    self.certificate = certificate
                    self.privateKey = privateKey
                    self.password = password
                }
            }

            /// The trusted authorities.
            public var trust = Trust.system

            /// The client certificate, for servers that require one.
            public var clientCertificate: ClientCertificate?

            /// The Base64-encoded SHA-256 hashes of accepted server public keys; empty to accept any key.
            ///
            /// Each is the hash of a key's DER-encoded SubjectPublicKeyInfo (RFC 7469, section 2.4). The certificate
            /// must be trusted as well.
            public var pinnedPublicKeys: [String] = []

            /// Creates the default settings: the system's authorities, and no client certificate.
            public init() {}
        }
    }

    extension CurlTransport.TLS.ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible,
        PartlyShown
    {
        /// A fixed text that contains neither the key nor the password.
        public var description: String { "a client certificate" }

        /// The description.
        public var debugDescription: String { description }

        /// The description alone.
        package var shownParts: KeyValuePairs<String, Any> { ["certificate": description] }
    }
#endif
