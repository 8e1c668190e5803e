import Foundation
import WaybillJSON

/// A response whose body is not what was declared.
public struct DecodingFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// The status.
    public let status: HTTPResponse.Status

    /// The header fields of the response.
    public let headerFields: HTTPFields

    /// The type that was declared.
    public let typeName: String

    /// What the decoder threw: a `DecodingError` from most.
    ///
    /// One of `WaybillJSONDecoder` has a `JSONDiagnosis` as its own underlying error. Printed, neither shows the value of
    /// a secret name: the diagnosis redacts them, and a reason that repeats one is left out. An error of another type
    /// than these two is kept, and printed, as it was thrown.
    public let underlying: any Error

    /// The response's body.
    public let body: Data

    /// Names whose values must not appear in a text.
    let secretNames: SecretNameSet

    /// Creates a failure.
    public init(
        call: FailedCall,
        status: HTTPResponse.Status,
        headerFields: HTTPFields = [],
        typeName: String,
        underlying: any Error,
        body: Data
    ) {
        self.init(
            call: call,
            status: status,
            headerFields: headerFields,
            typeName: typeName,
            underlying: underlying,
            body: body,
            secretNames: call.secrets?.names ?? .usual
        )
    }

    package init(
        call: FailedCall,
        status: HTTPResponse.Status,
        headerFields: HTTPFields,
        typeName: String,
        underlying: any Error,
        body: Data,
        secretNames: SecretNameSet
    ) {
        self.call = call
        self.status = status
        self.headerFields = headerFields
        self.typeName = typeName
        self.underlying = call.redacted(underlying, secretNames, in: body)
        self.body = body
        self.secretNames = secretNames
    }

    /// The error of the decoder, where it threw Foundation's kind.
    public var decodingError: DecodingError? { underlying as? DecodingError }

    /// What is wrong in the body, and where: line and column, an excerpt, the nearest key; secrets redacted.
    ///
    /// Nil for an error that is not of the decoder. It is found out when one of its properties is asked for.
    public var diagnosis: JSONDiagnosis? {
        guard let decodingError else { return nil }
        let diagnosis = JSONDiagnosis(of: decodingError, inEncoded: body).redacting(secretNames.names)
        return call.secrets.map { diagnosis.redacting(texts: $0) } ?? diagnosis
    }

    /// The way from the top of the body to what is wrong, such as `data[3].price`; empty for the whole body, and for
    /// an error that is not of the decoder.
    ///
    /// Found in the body when it is asked for.
    public var path: String { diagnosis?.path ?? "" }

    /// The line and the column in the body where that is, both from 1; nil where the body does not show it.
    ///
    /// Found in the body when it is asked for.
    public var position: (line: Int, column: Int)? {
        guard let diagnosis, let line = diagnosis.line, let column = diagnosis.column else { return nil }
        return (line, column)
    }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String {
        var lines = ["\(call) answered \(status), but its body does not decode as \(typeName.asWritten)", call.detail]
        lines += reasons.map { $0.isEmpty ? "" : "  \($0)" }
        return call.redacted(lines.joined(separator: "\n"), isExcerpt: true)
    }

    /// The parts of the failure, secrets redacted.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "call": call, "status": status, "headerFields": headerFields, "typeName": typeName,
                "underlying": call.redacted("\(underlying)"), "body": "\(body.count) bytes",
            ],
            displayStyle: .struct
        )
    }

    /// Where and why, line by line; found in the body only now that somebody asks.
    private var reasons: [String] {
        if body.isEmpty {
            return [
                "the body is empty; declare `Void` or an optional where that is expected, or `MergeAnswers()` where the"
                    + " server repeats nothing of what was sent"
            ]
        }
        guard let diagnosis else { return ["\(underlying)"] }
        let media = headerFields[.contentType].map(MediaType.init)
        guard media?.isJSON ?? true else {
            return [
                "the body is \(media?.essence ?? "") and not JSON; declare its decoder with Decode(with:), or `Data` for the"
                    + " bytes"
            ]
        }
        return diagnosis.description.split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init
        )
    }
}

extension String {
    /// The name of a type as a declaration writes it: `[Product]`, `Product?`.
    fileprivate var asWritten: String {
        if hasPrefix("Array<"), hasSuffix(">") { return "[\(String(dropFirst(6).dropLast()).asWritten)]" }
        if hasPrefix("Optional<"), hasSuffix(">") { return String(dropFirst(9).dropLast()).asWritten + "?" }
        return self
    }
}
