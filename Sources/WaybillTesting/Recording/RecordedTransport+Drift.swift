import Foundation
import Waybill
import WaybillDescription

extension RecordedTransport {
    /// A recorded response that no longer fits the declaration of its API.
    public struct Drift: Sendable, Hashable, CustomStringConvertible {
        /// The path of the file.
        public let path: String

        /// The line at which the exchange begins, from 1; nil if it is not known.
        public let line: Int?

        /// The method and the template of the request.
        public let call: String

        /// The member that does not fit, and why; or that no call of the API has this template.
        public let reason: String

        /// The path, the line, the call and the reason.
        public var description: String { "\(path)\(line.map { ", line \($0)" } ?? ""): \(call): \(reason)" }
    }
}

extension RecordedTransport {
    /// Compares the recorded responses of a file with the types that an API declares.
    ///
    /// ```swift
    /// #expect(try RecordedTransport.drift(of: file, from: Shop(url)).isEmpty)
    /// ```
    ///
    /// It finds a member that is missing or of another type, a body that is not JSON though a value is declared, and a
    /// request without a call in the API. The response of a write is read as `WriteResult` declares. Responses whose
    /// status the API does not declare are left out, and so are requests to URLs that the server gave, such as that of
    /// a created entity.
    ///
    /// - Parameters:
    ///   - file: the file, with all of its recordings.
    ///   - api: the API; its client is not used.
    /// - Returns: what does not fit, in the order of the file.
    /// - Throws: ``RecordedTransport/Failure`` if the file is no recording, and `APIDescription.Failure` if calls
    ///   cannot be planned.
    public static func drift(of file: URL, from api: some DescribedAPI) throws -> [RecordedTransport.Drift] {
        let recording = RecordingFile(url: file)
        guard let data = try recording.contents() else { throw RecordedTransport.Failure(.missingFile, file: file) }
        let entries = try recording.read(data).entries
        let calls = api.calls
        let library = try calls.library()
        let operations = try calls.everyCall(in: library)
        let schemas = JSONSchema.Document(definitions: library.definitions)
        return entries.enumerated().compactMap { index, exchange in
            exchange.drift(from: operations, schemas).map {
                RecordedTransport.Drift(
                    path: file.path,
                    line: RecordingFile.line(ofEntry: index, in: data),
                    call: "\(exchange.method) \(exchange.template)",
                    reason: $0
                )
            }
        }
    }
}

extension RecordedExchange {
    /// Returns the reason for which the response does not fit; nil if it does.
    fileprivate func drift(from operations: [DescribedOperation], _ schemas: JSONSchema.Document) -> String? {
        let calls = operations.filter { $0.plan.method == method && $0.plan.template == template }
        guard !calls.isEmpty else {
            // A URL that the server gave, such as that of a created entity, is of no call in the list.
            return template == "{url}" ? nil : "the API has no call with this method and template"
        }
        guard status.code != 0, fault == nil else { return nil }
        let problems = calls.flatMap { call in
            call.responses(to: status).filter { !$0.isStream }.map { problem(for: $0, of: call, schemas) }
        }
        // Calls that share a template, such as a batch and a single one, share their recordings.
        return problems.contains { $0 == nil } ? nil : problems.first ?? nil
    }

    /// Returns the reason for which the body does not fit a response of a call; nil if it does.
    private func problem(
        for response: DescribedOperation.Response,
        of call: DescribedOperation,
        _ schemas: JSONSchema.Document
    ) -> String? {
        guard let schema = response.schema, let type = response.mediaType, MediaType(type).isJSON else { return nil }
        // A failure is read without regard to the result of a write.
        let result = status.kind == .successful ? call.writeResult : nil
        switch result {
        case .reread: return nil
        case .merged where responseBody.bytes.isEmpty, .sent where responseBody.bytes.isEmpty: return nil
        case .merged, .sent, .response, nil: break
        }
        do {
            let value = try JSONDefaults.lenientDecoder.decode(JSONValue.self, from: plainResponseBody)
            return schemas.problem(of: value, schema, isPartial: result == .merged)
        } catch {
            return "the body is not JSON"
        }
    }
}

extension DescribedOperation {
    /// Returns the described responses that a status may have.
    ///
    /// Any status that the call declares as a success has the value of one: servers respond to a create with 200 too.
    fileprivate func responses(to status: HTTPResponse.Status) -> [Response] {
        let fitting = responses.filter { $0.fits(status) }
        guard fitting.isEmpty, plan.isSuccess(status), ![204, 205, 304].contains(status.code) else { return fitting }
        return responses.filter { $0.status.hasPrefix("2") && $0.schema != nil }
    }
}

extension DescribedOperation.Response {
    /// Whether a status is the response's, which may be a class such as `4XX`.
    fileprivate func fits(_ code: HTTPResponse.Status) -> Bool {
        status == "\(code.code)" || status == "\(code.code / 100)XX"
    }
}
