#if os(Linux)
    import Foundation

    extension CurlTransport.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The proxy's scheme, host and port; neither its user nor its password.
        public var description: String {
            switch self {
            case .environment: "environment"
            case .none: "none"
            case .url(let url, let exceptions):
                "\(Redaction.url(url, secretNames: .usual))"
                    + (exceptions.isEmpty ? "" : " except \(exceptions.joined(separator: ", "))")
            }
        }

        /// The same.
        public var debugDescription: String { description }

        /// The same.
        public var customMirror: Mirror { Mirror(self, children: ["proxy": description], displayStyle: .struct) }
    }
#endif
