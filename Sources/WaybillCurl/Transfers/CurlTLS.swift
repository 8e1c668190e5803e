#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransport {
        /// The trusted authorities of a transport, and the certificate of the client.
        public struct TLS: Sendable, Hashable {
            /// Data in PEM format.
            public enum PEM: Sendable, Hashable {
                /// The path of a file.
                case file(String)
                /// The bytes, which need libcurl 7.77 or newer.
                case bytes(Data)
            }

            /// The trusted authorities for servers, and for proxies over TLS.
            public enum Trust: Sendable, Hashable {
                /// The authorities that the system trusts.
                case system
                /// These authorities and no others.
                case authorities(PEM)
            }

            /// A certificate with its key, for servers that require one from their clients.
            public struct ClientCertificate: Sendable, Hashable {
                /// The certificate, with the intermediate ones up to the authority.
                public var certificate: PEM
                /// Its private key.
                public var privateKey: PEM
                /// The password of the key; nil if the key is not encrypted.
                public var password: String?

                /// Creates a certificate with its key.
                ///
                /// - Parameters:
                ///   - certificate: the certificate, with the intermediate ones up to the authority.
                ///   - privateKey: its private key.
                ///   - password: the password of the key; nil if the key is not encrypted.
                public init(certificate: PEM, privateKey: PEM, password: String? = nil) {
                    self.certificate = certificate
                    self.privateKey = privateKey
                    self.password = password
                }
            }

            /// The trusted authorities.
            public var trust = Trust.system

            /// The certificate for servers that require one.
            public var clientCertificate: ClientCertificate?

            /// The SHA-256 hashes, in Base64, of the public keys of which a server must have one; empty for any.
            ///
            /// Each is the hash of the key's SubjectPublicKeyInfo in DER (RFC 7469, section 2.4). The certificate must
            /// be trusted as well.
            public var pinnedPublicKeys: [String] = []

            /// Creates the default settings: the system's authorities, and no client certificate.
            public init() {}
        }
    }

    extension CurlTransport.TLS.ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible,
        CustomReflectable
    {
        /// A fixed text, without the key and the password.
        public var description: String { "a client certificate" }

        /// The description.
        public var debugDescription: String { description }

        /// A mirror with the description alone.
        public var customMirror: Mirror { Mirror(self, children: ["certificate": description], displayStyle: .struct) }
    }
#endif
