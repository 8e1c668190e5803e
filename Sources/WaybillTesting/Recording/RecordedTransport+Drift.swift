import Foundation
import Waybill
import WaybillDescription

extension RecordedTransport {
    /// A recorded exchange that no longer matches the declaration of its API.
    public struct Drift: Sendable, Hashable, CustomStringConvertible {
        /// The path of the file.
        public let path: String

        /// The one-based line where the exchange begins; nil if it is unknown.
        public let line: Int?

        /// The method and template of the request.
        public let call: String

        /// The reason: the member that does not match and why, or that the API has no call with this template.
        public let reason: String

        /// The path, line, call and reason.
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
    /// It reports missing members, members of a different type, bodies that are not JSON although a value is declared,
    /// and requests for which the API has no call. The response to a write is compared as its `WriteResult` declares.
    /// Responses with undeclared statuses are skipped, and so are requests to URLs supplied by the server, such as the
    /// URL of a created entity.
    ///
    /// - Parameters:
    ///   - file: the file; all of its recordings are compared.
    ///   - api: the API; its client is not used.
    /// - Returns: the mismatches, in file order.
    /// - Throws: ``RecordedTransport/Failure`` if the file is missing or not a recording, or `APIDescription.Failure`
    ///   if the API's calls cannot be planned.
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
    /// Returns the reason that the exchange does not match, or nil if it matches.
    fileprivate func drift(from operations: [DescribedOperation], _ schemas: JSONSchema.Document) -> String? {
        let calls = operations.filter { $0.plan.method == method && $0.plan.template == template }
        guard !calls.isEmpty else {
            // A URL supplied by the server, such as that of a created entity, belongs to no listed call.
            return template == "{url}" ? nil : "the API has no call with this method and template"
        }
        guard status.code != 0, fault == nil else { return nil }
        let problems = calls.flatMap { call in
            call.responses(to: status).filter { !$0.isStream }.map { problem(for: $0, of: call, schemas) }
        }
        // Calls with the same template, such as a single write and a batch, share their recordings.
        return problems.contains { $0 == nil } ? nil : problems.first ?? nil
    }

    /// Returns the reason that the body does not match a response of a call, or nil if it matches.
    private func problem(
        for response: DescribedOperation.Response,
        of call: DescribedOperation,
        _ schemas: JSONSchema.Document
    ) -> String? {
        guard let schema = response.schema, let type = response.mediaType, MediaType(type).isJSON else { return nil }
        // An error response does not depend on the result of the write.
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
    /// Returns the described responses for a status.
    ///
    /// If no described response has the status but the call declares it a success, returns all successes with a value.
    /// For example, some servers respond to a create with 200 instead of 201.
    fileprivate func responses(to status: HTTPResponse.Status) -> [Response] {
        let fitting = responses.filter { $0.fits(status) }
        guard fitting.isEmpty, plan.isSuccess(status), ![204, 205, 304].contains(status.code) else { return fitting }
        return responses.filter { $0.status.hasPrefix("2") && $0.schema != nil }
    }
}

extension DescribedOperation.Response {
    /// Whether the response is for a status, either exactly or by its class, such as `4XX`.
    fileprivate func fits(_ code: HTTPResponse.Status) -> Bool {
        status == "\(code.code)" || status == "\(code.code / 100)XX"
    }
}
