#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransport.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The proxy's scheme, host and port, without its user and password.
        public var description: String {
            switch self {
            case .environment: "environment"
            case .none: "none"
            case .url(let url, let exceptions):
                "\(Redaction.url(url, secretNames: .usual))"
                    + (exceptions.isEmpty ? "" : " except \(exceptions.joined(separator: ", "))")
            }
        }

        /// The description.
        public var debugDescription: String { description }

        /// A mirror with the description alone.
        public var customMirror: Mirror { Mirror(self, children: ["proxy": description], displayStyle: .struct) }
    }
#endif
