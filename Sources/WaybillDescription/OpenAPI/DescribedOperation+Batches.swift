import Waybill

extension [DescribedOperation] {
    /// The operations with each batch joined to the one that has its method and path: either body is sent.
    var joiningBatches: [DescribedOperation] {
        var joined: [DescribedOperation] = []
        for operation in self {
            let index = joined.firstIndex { $0.method == operation.method && $0.path == operation.path }
            if let index { joined[index].join(operation) } else { joined.append(operation) }
        }
        return joined
    }
}

extension DescribedOperation {
    fileprivate mutating func join(_ other: DescribedOperation) {
        if let schema = other.body?.schema, let own = body?.schema, schema != own {
            body?.schema = JSONSchema(.anyOf([own, schema]))
        }
        responses = responses.map { response in
            let twin = other.responses.first { $0.status == response.status && $0.mediaType == response.mediaType }
            guard let own = response.schema, let schema = twin?.schema, schema != own else { return response }
            var response = response
            response.schema = JSONSchema(.anyOf([own, schema]))
            return response
        }
    }
}
