import WaybillJSON
import WaybillSystem

extension APIError.FailedCall {
    /// Returns an error without the values of secret names, if it is one of decoding; others stay as they are.
    ///
    /// The text of another decoding, of a token perhaps, shows an excerpt of it.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - names: the names; nil for those of the call.
    ///   - document: the document of the error, if it is known.
    /// - Returns: the error without these values.
    func redacted(_ error: any Error, _ names: SecretNameSet? = nil, in document: Data? = nil) -> any Error {
        guard error is DecodingError || error is JSONDiagnosis else { return error }
        let names = names ?? secrets?.names ?? .usual
        var redaction = ErrorRedaction(ofKeys: names.names, in: document, from: secrets)
        return redaction.redacting(error)
    }
}

extension ErrorRedaction {
    /// Creates a redaction that also removes the secrets of a call by their values.
    init(ofKeys keys: [String], in document: Data?, from secrets: CallSecrets?) {
        var removal: (@Sendable (String) -> String)?
        if let secrets { removal = { secrets.removed(from: $0) } }
        self.init(ofKeys: keys, in: document, removal: removal)
    }
}

extension JSONDiagnosis {
    /// Returns the diagnosis without the secrets of a call, which a server may have repeated in the document.
    func redacting(texts secrets: CallSecrets) -> JSONDiagnosis {
        redacting(texts: { secrets.removed(from: $0, isExcerpt: true) })
    }
}
