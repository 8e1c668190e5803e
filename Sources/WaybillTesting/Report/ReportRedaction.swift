import Foundation
import Waybill

/// Redaction of the secrets in a HAR from any tool, recognized by their usual names.
///
/// An exchange's secrets are removed from it in every encoding. A secret value of at least eight characters is also
/// removed from all other exchanges.
struct ReportRedaction {
    private var known = RecordingSecrets()

    /// Removes the secrets from all calls of a log.
    static func remove(from log: inout ReportLog) {
        var redaction = ReportRedaction()
        for call in log.calls.indices {
            for exchange in log.calls[call].exchanges.indices {
                redaction.removeOwn(from: &log.calls[call].exchanges[exchange])
            }
        }
        let search = SecretSearch(redaction.known.names().longValues)
        for call in log.calls.indices {
            log.calls[call].url = search.removed(from: Redaction.url(text: log.calls[call].url, secretNames: .usual))
            for event in log.calls[call].events.indices {
                log.calls[call].events[event].text = search.removed(from: log.calls[call].events[event].text)
            }
            for exchange in log.calls[call].exchanges.indices {
                log.calls[call].exchanges[exchange].change(search.removed)
            }
        }
    }

    private mutating func removeOwn(from exchange: inout ReportExchange) {
        let values = Self.values(in: exchange)
        known.formUnion(Set(values))
        let names = SecretNameSet.usual.hiding(values.filter { $0.count >= 4 && !$0.contains(Redaction.mark) })
        exchange.url = Redaction.url(text: exchange.url, secretNames: names)
        exchange.requestFields = exchange.requestFields.map { Self.field($0, names) }
        exchange.responseFields = exchange.responseFields.map { Self.field($0, names) }
        exchange.requestBody.remove(names)
        exchange.responseBody.remove(names)
        exchange.statusText = names.removed(from: exchange.statusText)
        exchange.failure = exchange.failure.map { names.removed(from: $0) }
    }

    private static func field(_ field: ReportExchange.Field, _ names: SecretNameSet) -> ReportExchange.Field {
        var field = field
        if let name = HTTPField.Name(field.name), HTTPField.isValid(value: field.value) {
            let shown = Redaction.fields([HTTPField(name: name, value: field.value)], secretNames: names)
            field.value = shown.first?.value ?? Redaction.mark
        } else if names.contains(field.name) {
            field.value = Redaction.mark
        } else {
            // The `:path` of HTTP/2 contains the query.
            field.value = Redaction.url(text: field.value, secretNames: names)
        }
        return field
    }

    private static func values(in exchange: ReportExchange) -> [String] {
        let names = SecretNameSet.usual
        var values = SentSecrets.values(inURL: exchange.url, names) + exchange.cookies.map(\.value)
        for fields in [exchange.requestFields, exchange.responseFields] {
            let valid = fields.compactMap { field in
                HTTPField.isValid(value: field.value)
                    ? HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) } : nil
            }
            values += SentSecrets.values(in: HTTPFields(valid), names)
            for field in valid where field.name == .location {
                values += SentSecrets.values(inRedirect: field.value, names)
            }
        }
        for body in [exchange.requestBody, exchange.responseBody] where !body.bytes.isEmpty {
            values += SentSecrets.values(in: body.bytes, MediaType(body.mediaType), names)
            if let start = body.mediaType.firstRange(ofBytes: "boundary=")?.upperBound {
                let boundary = body.mediaType[start...].prefix { $0 != ";" }.filter { $0 != "\"" }
                if !boundary.isEmpty { values += MultipartSecrets.values(in: body.bytes, boundary: boundary, names) }
            }
            if let text = body.text { values += SecretMembers.split(text, names).values }
        }
        return values
    }
}

extension ReportExchange {
    /// Applies a change to each text.
    fileprivate mutating func change(_ change: (String) -> String) {
        url = change(url)
        statusText = change(statusText)
        failure = failure.map(change)
        for index in requestFields.indices { requestFields[index].value = change(requestFields[index].value) }
        for index in responseFields.indices { responseFields[index].value = change(responseFields[index].value) }
        for path in [\ReportExchange.requestBody, \.responseBody] {
            guard let text = self[keyPath: path].text else { continue }
            self[keyPath: path].bytes = Data(change(text).utf8)
        }
    }
}
