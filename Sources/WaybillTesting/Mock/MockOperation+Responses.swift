import Foundation
import Waybill
import WaybillDescription
import WaybillTransfers

extension MockOperation {
    /// Returns the status of a success: the usual one, or the first declared one if the usual one is undeclared.
    func status(_ usual: HTTPResponse.Status) -> HTTPResponse.Status {
        let declared = shape.declaresStatuses ? shape.statuses : []
        if declared.isEmpty || declared.contains("\(usual.code)") || declared.contains("2XX") { return usual }
        return declared.lazy.compactMap { Int($0) }.first.map { HTTPResponse.Status(code: $0) } ?? usual
    }

    /// Returns a response with a value in the declared form and envelope, along with the declared metadata.
    func response(
        _ value: JSONValue,
        status: HTTPResponse.Status = 200,
        paging: [(path: [EnvelopeKey], value: JSONValue)] = []
    ) -> StubResponse {
        if case .sequence(let form) = shape.form {
            var elements = value.arrayValue ?? [value]
            if let last = elements.popLast() { elements.append(last.ending(as: endOfElements)) }
            let texts = elements.map { form.text(of: $0) }
            return response(Data(texts.joined().utf8), status)
        }
        var document = value.wrapped(at: envelope)
        for (path, value) in example.metadata { document = document.setting(value, at: path, keeps: true) }
        // A list without an envelope has no members for a total or a token.
        if document.arrayValue == nil, idKey == nil || !envelope.isEmpty {
            for (path, value) in paging { document = document.setting(value, at: path) }
        }
        return response(Data(document.description.utf8), status)
    }

    /// A stream of one event, followed by the declared end unless the event is the end itself.
    var events: StubResponse {
        var (fields, value, end) = ("", example.value, "")
        switch endOfEvents {
        case .data(let data)?: end = "data: \(data.replacing("\n", with: "\ndata: "))\n\n"
        case .names(let names)?: fields = names.first.map { "event: \($0)\n" } ?? ""
        case .member(let member)?: value = value.ending(as: member)
        case .noEvent?, nil: break
        }
        return .text("\(fields)data: \(value)\n\n\(end)", status: status(200))
            .header("Content-Type", shape.mediaType ?? "text/event-stream")
    }

    /// Returns a success with examples of the header fields that the call reads, unless it has them.
    func addingFields(to response: StubResponse) -> StubResponse {
        guard 200..<300 ~= response.status.code else { return response }
        var complete = response
        for field in shape.fields {
            guard let name = HTTPField.Name(field.name), !response.headerFields.contains(name) else { continue }
            complete.headerFields[name] = schemas.example(of: field.schema).plainText
        }
        return complete
    }

    private func response(_ body: Data, _ status: HTTPResponse.Status) -> StubResponse {
        .make(body, type: shape.mediaType ?? "application/json", status: self.status(status))
    }

    /// Returns the response to a write, with the declared part of the entity.
    ///
    /// - Parameters:
    ///   - entity: the entity after the write.
    ///   - sent: the value in the request, under the same keys as in the entity.
    ///   - status: the usual status of a response with the whole entity.
    /// - Returns: the response.
    func response(
        toWriteOf entity: JSONValue,
        sent: JSONValue,
        status: HTTPResponse.Status = 200
    ) -> StubResponse {
        let empty = StubResponse.status(self.status(status == 200 ? 204 : status))
        return switch shape.extent {
        case .whole: response(entity, status: status)
        case .partial: response(entity.withoutMembers(of: sent), status: status)
        case .wholeOrNothing: entity == sent ? empty : response(entity, status: status)
        case .unread: empty
        case .id(let path): response(toCreationOf: entity, idAt: path, status)
        }
    }

    /// Returns the response to a create that contains only the id.
    private func response(
        toCreationOf entity: JSONValue,
        idAt path: [EnvelopeKey],
        _ status: HTTPResponse.Status
    ) -> StubResponse {
        let id = self.entity?.idPath.flatMap { entity.value(at: $0) } ?? .null
        return response(Data(id.wrapped(at: path).description.utf8), status)
    }

    /// Returns the declared problem for a status, with the reason in a member such as `detail`; plain text if no
    /// problem is declared.
    func problem(_ status: HTTPResponse.Status, _ reason: String) -> StubResponse {
        guard let (rule, schema) = problems.first(where: { $0.rule.statuses.contains(status) }), rule.text == nil else {
            return .text(reason, status: status)
        }
        var value = schemas.example(of: schema)
        for key in ["detail", "message", "title", "error"] where value[key]?.stringValue != nil {
            value = value.setting(.string(reason), at: [.key(key)])
            break
        }
        for key in ["status", "statusCode", "status_code", "httpStatus", "http_status"] where value[key] != nil {
            let isText = value[key]?.stringValue != nil
            value = value.setting(isText ? .string("\(status.code)") : .integer(status.code), at: [.key(key)])
        }
        let body = Data(value.wrapped(at: rule.extra.path).description.utf8)
        return .make(body, type: rule.contentTypes.first ?? "application/json", status: status)
    }
}

extension JSONValue {
    /// Returns the value wrapped in the objects and arrays of a path.
    func wrapped(at path: [EnvelopeKey]) -> JSONValue {
        path.reversed().reduce(self) { inner, key in
            switch key {
            case .key(let name): [name: inner]
            case .index(let index): .array(Array(repeating: .null, count: max(index, 0)) + [inner])
            }
        }
    }
}

extension JSONValue {
    /// Returns the element with the member that marks the last one of a stream.
    fileprivate func ending(as end: Decode.StreamFormat.End?) -> JSONValue {
        guard let end, !end.marks(self), let value = end.values.first else { return self }
        return setting(value, at: end.path)
    }
}

extension JSONValue {
    /// Returns the members that differ from those of another object; returns the value itself unless both are objects.
    fileprivate func withoutMembers(of other: JSONValue) -> JSONValue {
        guard let members = objectValue, let others = other.objectValue else { return self }
        var rest: [String: JSONValue] = [:]
        for (key, value) in members where others[key] != value {
            rest[key] = others[key].map { value.withoutMembers(of: $0) } ?? value
        }
        return .object(rest)
    }
}

extension Decode.StreamFormat.Form {
    /// Returns an element of a JSON sequence with its separators.
    fileprivate func text(of value: JSONValue) -> String {
        switch self {
        case .jsonLines: "\(value)\n"
        case .jsonTextSequence: "\u{1E}\(value)\n"
        case .concatenatedJSON, .array: "\(value)"
        }
    }
}

extension ResponseShape {
    /// Whether the body is a sequence of JSON texts.
    var isSequence: Bool { if case .sequence = form { true } else { false } }
}

extension ProblemRule {
    /// Whether the problem can match a successful response.
    func mayApply(to shape: ResponseShape) -> Bool {
        let codes = [200, 201, 202] + shape.statuses.compactMap { Int($0) }
        return codes.contains { applies(to: HTTPResponse.Status(code: $0), contentType: shape.mediaType) }
    }
}
