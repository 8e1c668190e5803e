import Waybill
import WaybillDescription

extension MockAPI {
    /// Names the entities of resources that share a path, as in an RPC-style API with a common prefix.
    ///
    /// Types with operations at the path itself share one collection, such as an entity and its summary. Singletons,
    /// and types without operations at the path, have separate collections.
    static func nameEntities(of operations: inout [MockOperation], _ described: [DescribedOperation]) {
        let holders = operations.indices.filter { operations[$0].entity != nil }
        for template in holders.compactMap({ operations[$0].place?.template }).uniqued {
            let atTemplate = holders.filter { operations[$0].place?.template == template }
            let kinds = Dictionary(grouping: atTemplate) { index in
                let type = described[index].element.map { ObjectIdentifier($0) }
                return Kind(type: type, isSingleton: operations[index].isSingleton)
            }
            guard kinds.count > 1 else { continue }
            let apart = kinds.filter { kind, indices in
                kind.isSingleton || !indices.contains { operations[$0].isAtPathOfResource }
            }
            for index in apart.values.joined() {
                let type = described[index].element.map { String(reflecting: $0) } ?? ""
                operations[index].entitiesName = operations[index].isSingleton ? "the one \(type)" : type
            }
            guard kinds.count - apart.count > 1 else { continue }
            for (kind, indices) in kinds where apart[kind] == nil {
                for index in indices { operations[index].sharesCollection = true }
            }
        }
    }

    private struct Kind: Hashable {
        let type: ObjectIdentifier?
        let isSingleton: Bool
    }
}

extension MockOperation {
    /// Whether both operations have the same collection.
    func hasCollection(of other: MockOperation) -> Bool {
        guard let place, let otherPlace = other.place else { return false }
        return place.template == otherPlace.template && entitiesName == other.entitiesName
    }

    /// Whether the operation has the path of its resource or of a single entity.
    fileprivate var isAtPathOfResource: Bool {
        guard let place else { return false }
        let parent = place.template.isEmpty || place.template.hasSuffix("/") ? place.template : place.template + "/"
        return template == place.template || template == parent + "{}"
    }
}
