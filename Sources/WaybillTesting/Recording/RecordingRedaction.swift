import Foundation
import Waybill

/// The secrets of a request, for removal from its recorded exchange.
struct RecordingRedaction: Sendable {
    private let names: SecretNameSet
    private let template: String
    private let url: URL
    /// The random boundary of a multipart body, which differs between runs.
    private let boundary: String?
    /// The decoded request body, which is searched for secrets; nil if the request has none.
    private let body: RecordedBody?

    /// Collects the secrets of a request: the names that its call declares, and the values that it sends.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - template: the template of the request; nil for a request without a call.
    ///   - base: the secrets of the call.
    init(_ request: HTTPRequest, template: String?, _ base: SecretNameSet = .usual) {
        self.template = template ?? request.url.path
        url = request.url
        boundary = Self.boundary(of: request)
        body = request.body?.bytes.map { Self.content(of: $0, request.headerFields) }
        var plain = request
        plain.body = body.map { HTTPBody($0.bytes) }
        var values = SentSecrets.values(of: plain, base)
        if let body {
            if let boundary { values += MultipartSecrets.values(in: body.bytes, boundary: boundary, base) }
            values += body.split(base).values
        }
        names = base.hiding(values.filter { $0.count >= Self.shortestValue })
    }

    /// The minimum length, in characters, of a value that is removed wherever it occurs.
    private static let shortestValue = 4

    /// Fields that differ between runs and are not needed for replays.
    private static let omitted: Set<String> = ["date", "idempotency-key", "traceparent", "tracestate"]

    /// Returns the recorded form of a request.
    func recorded(_ request: HTTPRequest) -> RecordedExchange {
        var exchange = RecordedExchange(
            method: request.method,
            template: template,
            url: request.url.absoluteString,
            requestFields: kept(request.headerFields)
        )
        exchange.requestBody = body.map { body in
            var body = body.withoutSecrets(at: names)
            body.mediaType = kept(request.headerFields)[.contentType] ?? ""
            return withFixedBoundary(body)
        }
        exchange.remove(names)
        return exchange
    }

    /// Returns the recorded form of a request and of the head of its response.
    ///
    /// ``adding(_:_:to:)`` removes the secrets of the response.
    func recorded(
        _ response: HTTPResponse,
        to request: HTTPRequest,
        isDecoded: Bool = false
    ) -> RecordedExchange {
        var exchange = recorded(request)
        exchange.status = response.status
        exchange.responseFields = kept(response.headerFields)
        exchange.isDecoded = isDecoded
        exchange.responseURL = response.url.flatMap { $0 == request.url ? nil : $0.absoluteString }
        return exchange
    }

    /// The secret values of the request.
    var secrets: Set<String> { names.values }

    /// Returns the secret values of the request and its response.
    func secrets(in response: HTTPResponse, _ body: Data) -> Set<String> {
        let fields = response.headerFields
        var values = SentSecrets.values(in: fields, names) + SentSecrets.values(in: response.body.trailerFields, names)
        for field in fields where field.name == .location {
            values += SentSecrets.values(inRedirect: field.value, names)
        }
        // A different URL is the target of a followed redirect.
        if let url = response.url, url != self.url {
            values += SentSecrets.values(inRedirect: url.absoluteString, names)
        }
        if case .plain(let plain) = RecordedCoding.content(of: body, fields) {
            values += RecordedBody(bytes: plain, mediaType: fields[.contentType] ?? "").split(names).values
        }
        return secrets.union(values)
    }

    /// Returns an exchange with the body of its response added and secrets removed.
    func adding(_ bytes: Data, _ trailerFields: HTTPFields, to exchange: RecordedExchange) -> RecordedExchange {
        var exchange = exchange
        let media = kept(exchange.responseFields)[.contentType] ?? ""
        exchange.responseBody = withFixedBoundary(RecordedBody(bytes: bytes, mediaType: media))
        exchange.trailerFields = kept(trailerFields)
        exchange.keepLength(of: bytes.count)
        exchange.remove(names)
        return exchange
    }

    /// Returns a text without the secret values.
    func text(_ text: String) -> String { Redaction.removing(names.longValues, from: text) }

    /// Returns the fields that do not differ between runs, with a fixed multipart boundary.
    private func kept(_ fields: HTTPFields) -> HTTPFields {
        var kept = fields
        kept.removeAll { Self.omitted.contains($0.name.canonicalName) }
        if let boundary, let type = kept[.contentType] {
            kept[.contentType] = type.replacing(bytes: boundary, with: Self.fixedBoundary)
        }
        return kept
    }

    /// Returns the decoded body of a request, or an empty one if its coding is unreadable.
    private static func content(of bytes: Data, _ fields: HTTPFields) -> RecordedBody {
        let media = fields[.contentType] ?? ""
        switch RecordedCoding.content(of: bytes, fields) {
        case .plain(let plain): return RecordedBody(bytes: plain, mediaType: media)
        case .unreadable(let codings):
            let note = "left out: the content coding \(codings) hides the secrets in it"
            return RecordedBody(mediaType: media, note: note)
        }
    }

    private func withFixedBoundary(_ body: RecordedBody) -> RecordedBody {
        guard let boundary else { return body }
        var body = body
        body.bytes = body.bytes.replacing(Data(boundary.utf8), with: Data(Self.fixedBoundary.utf8))
        return body
    }

    private static let fixedBoundary = "boundary"

    private static func boundary(of request: HTTPRequest) -> String? {
        guard let field = request.headerFields[.contentType], MediaType(field).essence.hasPrefix("multipart/"),
            let start = field.firstRange(ofBytes: "boundary=")?.upperBound
        else { return nil }
        let value = field[start...].prefix { $0 != ";" }.filter { $0 != "\"" }
        return value.isEmpty ? nil : value
    }
}

extension RecordedBody {
    /// Returns the body of a request without the values at secret paths; any other body is unchanged.
    fileprivate func withoutSecrets(at names: SecretNameSet) -> RecordedBody {
        guard !names.bodyPaths.isEmpty,
            let value = try? WaybillJSONDecoder().decode(JSONValue.self, from: bytes)
        else { return self }
        let shown = value.replacingSecrets(at: names)
        guard shown != value else { return self }
        var body = self
        body.bytes = Data(shown.description.utf8)
        return body
    }
}
