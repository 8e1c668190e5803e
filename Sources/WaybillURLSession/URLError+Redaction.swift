import Foundation
import WaybillHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLError: URLLoadingError {
    /// Returns the error without the URLs in its user information, which it prints, and without the secrets of a call.
    package func redacted(by secrets: SecretNameSet) -> any Error {
        let texts = userInfo.compactMapValues { ($0 as? String).map { secrets.removed(from: $0) } }
        return URLError(code, userInfo: texts.filter { !$0.key.contains("FailingURL") })
    }
}
