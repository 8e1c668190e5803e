import Waybill

/// The calls of a resource's operations, with generated values.
struct ResourceCalls: Sendable {
    let context: ResourceContext
    let element: Any.Type
    let access: Any.Type
    let isSingleton: Bool

    /// Returns the calls of all operations allowed by the capabilities.
    func all(in library: SchemaLibrary) -> [DescribedCall] {
        let probe = library.probe(for: context.settings(for: .read))
        let id = isSingleton ? nil : id(probe)
        var calls: [DescribedCall] = []
        if !isSingleton, access is any Listable.Type, let decodable = element as? any Decodable.Type {
            calls.append(call(.list, .get, content: .value(decodable.listType)))
        }
        if access is any Creatable.Type, let type = element as? any Representation.Type {
            calls.append(write(.create, .post, of: type.draftType, returning: type, probe))
        }
        if !isSingleton, access is any BatchCreatable.Type, let type = element as? any Representation.Type {
            calls.append(write(.createBatch, .post, of: type.draftType, returning: type, probe))
        }
        if !isSingleton, access is any BatchUpdatable.Type, let type = element as? any Representation.Type {
            calls.append(write(.updateBatch, .patch, of: type, returning: type, probe))
        }
        guard isSingleton || id != nil else { return calls }
        if access is any Readable.Type, let decodable = element as? any Decodable.Type {
            calls.append(call(.read, .get, id: id, content: .value(decodable)))
        }
        if access is any Updatable.Type, let type = element as? any Representation.Type {
            calls.append(write(.update, .put, of: type.replacementType, returning: type, id: id, probe))
        }
        if !isSingleton, access is any Upsertable.Type, let type = element as? any Representation.Type {
            calls.append(write(.upsert, .put, of: type.replacementType, returning: type, id: id, probe))
        }
        if access is any Patchable.Type, let type = element as? any Representation.Type {
            calls.append(write(.patch, .patch, of: type.patchType, returning: type, id: id, probe))
        }
        if access is any Deletable.Type { calls.append(call(.delete, .delete, id: id, content: .ignored)) }
        return calls
    }

    private func call(
        _ operation: On.Operation,
        _ method: HTTPRequest.Method,
        id: OperationID? = nil,
        body: Body? = nil,
        write: WriteOperation? = nil,
        content: DescribedCall.Content,
        requestType: (any Decodable.Type)? = nil,
        unknownBody: String? = nil
    ) -> DescribedCall {
        let endpoint = context.endpoint(operation, method, id: id, body: body, write: write, .ignoring)
        return DescribedCall(
            endpoint,
            operation: operation,
            content: content,
            requestType: requestType,
            element: element,
            isSingleton: isSingleton,
            unknownBody: unknownBody
        )
    }

    /// Returns a call that writes one generated value, or a batch of one.
    private func write(
        _ operation: On.Operation,
        _ method: HTTPRequest.Method,
        of type: any Encodable.Type,
        returning element: any Representation.Type,
        id: OperationID? = nil,
        _ probe: TypeProbe
    ) -> DescribedCall {
        let example = probe.instance(of: type)
        let value = EncodableValue(value: example ?? UnknownValue())
        let isBatch = operation.isBatch
        let body: Body = isBatch ? Body([value]) : operation == .patch ? Body(.changes(value)) : Body(value)
        let requestType = type as? any Decodable.Type
        return call(
            operation,
            method,
            id: id,
            body: body,
            write: isBatch ? .batch(count: 1) : operation == .patch ? .changes : .state,
            content: .value(isBatch ? element.listType : element),
            requestType: isBatch ? requestType?.listType : requestType,
            unknownBody: example != nil ? nil : isBatch ? "[\(type)]" : "\(type)"
        )
    }

    private func id(_ probe: TypeProbe) -> OperationID? {
        guard let type = element as? any Identifiable.Type else { return nil }
        return type.exampleID(probe)
    }
}

/// An empty object in place of an unknown value, so that the rest of the request can be described.
private struct UnknownValue: Encodable {}

/// An encodable value of a type known only at run time.
private struct EncodableValue: Encodable, @unchecked Sendable {
    // Safe to send: the probe created the value, and nothing else references it.
    let value: any Encodable

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Decodable {
    fileprivate static var listType: any Decodable.Type { [Self].self }
}

extension Representation {
    fileprivate static var draftType: any Encodable.Type { Draft.self }
    fileprivate static var replacementType: any Encodable.Type { Replacement.self }
    fileprivate static var patchType: any Encodable.Type { Patch.self }
}

extension Identifiable {
    fileprivate static func exampleID(_ probe: TypeProbe) -> OperationID? {
        guard let type = ID.self as? any (Decodable & PathSegmentConvertible).Type else { return nil }
        return type.example(probe)
    }
}

extension Decodable where Self: PathSegmentConvertible {
    fileprivate static func example(_ probe: TypeProbe) -> OperationID? {
        (probe.instance(of: Self.self) as? Self).map { OperationID($0) }
    }
}
