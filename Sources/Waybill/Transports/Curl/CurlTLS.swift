#if os(Linux)
    import Foundation

    extension CurlTransport {
        /// Whom a transport trusts, and how it shows who it is.
        public struct TLS: Sendable, Hashable {
            /// Something in PEM.
            public enum PEM: Sendable, Hashable {
                /// A file, by its path.
                case file(String)
                /// The bytes. They need libcurl 7.77 or newer.
                case bytes(Data)
            }

            /// Whose certificates are trusted: those of servers, and those of proxies that are called over TLS.
            public enum Trust: Sendable, Hashable {
                /// Those that the system trusts.
                case system
                /// Those that these authorities have signed, and no others.
                case authorities(PEM)
            }

            /// A certificate with its key, for servers that ask who calls.
            public struct ClientCertificate: Sendable, Hashable {
                /// The certificate, with those between it and the authority behind it.
                public var certificate: PEM
                /// Its private key.
                public var privateKey: PEM
                /// What the key is encrypted with, where it is.
                public var password: String?

                /// Creates a certificate with its key.
                public init(certificate: PEM, privateKey: PEM, password: String? = nil) {
                    self.certificate = certificate
                    self.privateKey = privateKey
                    self.password = password
                }
            }

            /// Whose certificates are trusted.
            public var trust = Trust.system

            /// What is shown to servers that ask for it.
            public var clientCertificate: ClientCertificate?

            /// The SHA-256 sums, in Base64, of the public keys of which a server has to have one; empty for any.
            ///
            /// It is the sum of the key's SubjectPublicKeyInfo in DER, as in RFC 7469, section 2.4. The certificate
            /// has to be trusted besides.
            public var pinnedPublicKeys: [String] = []

            /// Trusts whom the system trusts, and shows nothing.
            public init() {}
        }
    }

    extension CurlTransport.TLS.ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible,
        CustomReflectable
    {
        /// That there is one; neither key nor password.
        public var description: String { "a client certificate" }

        /// The same.
        public var debugDescription: String { description }

        /// The same.
        public var customMirror: Mirror { Mirror(self, children: ["certificate": description], displayStyle: .struct) }
    }
#endif
