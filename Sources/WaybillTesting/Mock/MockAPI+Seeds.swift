import Foundation
import Waybill
import WaybillDescription

extension MockAPI {
    /// Adds seeds to the collection of their resource.
    ///
    /// - Throws: ``Seeds/Failure`` if the seeds do not belong to exactly one resource or do not decode, the encoder's
    ///   error, or the parser's error for invalid JSON.
    func add(_ seeds: Seeds, _ described: [DescribedOperation]) throws {
        let (path, index) = try place(of: seeds, described)
        let operation = operations[index]
        guard let coding = operation.entity else { return }
        let values = try self.values(of: seeds, operation, coding)
        store.update(MockStore.Key(path: path, entities: operation.entitiesName)) { collection in
            for value in values {
                let id = operation.isSingleton ? "" : coding.id(of: value) ?? ""
                collection.add(id, value)
            }
        }
    }

    /// Returns the path of the collection for seeds, and the index of one of its operations.
    private func place(of seeds: Seeds, _ described: [DescribedOperation]) throws -> (path: String, index: Int) {
        let holders = operations.indices.filter { operations[$0].place != nil && operations[$0].entity != nil }
            .sorted { operations[$0].rank < operations[$1].rank }
        let ofType = holders.filter { index in
            seeds.type != nil && described[index].element.map { ObjectIdentifier($0) } == seeds.type?.id
        }
        if let path = seeds.path { return try place(at: path, seeds, holders: holders, ofType: ofType, described) }
        let name = seeds.type?.name ?? ""
        let templates = ofType.compactMap { operations[$0].place?.template }.uniqued
        guard templates.count == 1, let index = ofType.first, !templates[0].contains("{") else {
            throw Seeds.Failure(
                description: templates.isEmpty
                    ? "No resource of \(name) is described; list it, or pass the path: Seeds(…, at: \"products\")."
                    : "Seeds of \(name) belong in one of \(templates.joined(separator: ", ")); pass the path:"
                        + " Seeds(…, at: \"products/7/reviews\")."
            )
        }
        let segments = templates[0].split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        return (segments.map(PercentEncoding.encode).joined(separator: "/"), index)
    }

    /// Returns the collection for seeds with a given path, which may be the path of a resource or of its list.
    private func place(
        at path: String,
        _ seeds: Seeds,
        holders: [Int],
        ofType: [Int],
        _ described: [DescribedOperation]
    ) throws -> (path: String, index: Int) {
        let segments = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        let encoded = segments.map(PercentEncoding.encode).joined(separator: "/")
        let atPath = holders.filter { operations[$0].place?.template.matches(segments) ?? false }
        if let index = atPath.first(where: ofType.contains) { return (encoded, index) }
        let names = atPath.map { operations[$0].entitiesName }.uniqued
        if names.count == 1, let index = atPath.first { return (encoded, index) }
        // The path of the list may differ from that of the resource.
        for index in holders where operations[index].operation == .list {
            let template = operations[index].template
            guard template.matches(segments), let place = operations[index].place,
                let own = place.collection((try? PathPattern(template))?.values(in: segments) ?? []).path
            else { continue }
            return (own, index)
        }
        guard atPath.isEmpty else {
            let types = atPath.compactMap { described[$0].element.map { "\($0)" } }.uniqued.joined(separator: ", ")
            let list = atPath.first { operations[$0].operation == .list } ?? atPath[0]
            throw Seeds.Failure(
                description: "The resources of \(types) are at \(path); give values of one of these types, or the path"
                    + " of a list: Seeds(…, at: \"\(operations[list].template)\")."
            )
        }
        throw Seeds.Failure(
            description: "No described resource is at \(path); the resources are at "
                + holders.compactMap { operations[$0].place?.template }.uniqued.joined(separator: ", ") + "."
        )
    }

    private func values(
        of seeds: Seeds,
        _ operation: MockOperation,
        _ coding: EntityCoding
    ) throws -> [JSONValue] {
        switch seeds.content {
        case .json(let text):
            let document = try WaybillJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            return document.arrayValue ?? [document]
        case .values(let values):
            return try values.enumerated().map { index, value in
                let document = try operation.coding.json(of: value)
                if let problem = coding.problem(of: document) {
                    throw Seeds.Failure(
                        description: "Seed \(index + 1) of \(seeds.type?.name ?? "") encodes to a document that the"
                            + " declared decoder does not read (\(problem)); give it as JSON: Seeds(json: …, at: …)."
                    )
                }
                return document
            }
        }
    }
}

extension MockOperation {
    /// The rank of an operation as the source of a seed's coding: the lower, the better.
    fileprivate var rank: Int {
        switch operation {
        case .list: 0
        case .read: 1
        case .delete, nil: 3
        default: 2
        }
    }
}

extension String {
    /// Whether a path matches a template, with values in place of `{}`.
    fileprivate func matches(_ path: [String]) -> Bool {
        let own = split(separator: "/")
        return own.count == path.count && zip(own, path).allSatisfy { $0.contains("{") || $0 == $1 }
    }
}
