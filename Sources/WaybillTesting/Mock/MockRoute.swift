import Foundation
import Waybill
import WaybillDescription

/// The operations that have one method and one path, or one name; a request selects one of them.
struct MockRoute: Sendable {
    /// The method and the template, or the name of the calls.
    let key: String
    var operations: [MockOperation]

    /// Returns the operations by method and template, and by method and name for those that have one.
    static func all(_ operations: [MockOperation]) -> [MockRoute] {
        var routes: [MockRoute] = []
        for operation in operations {
            let names = [operation.template, operation.callName].compactMap { $0 }.uniqued
            for name in names {
                let key = "\(operation.method) \(name)"
                if let index = routes.firstIndex(where: { $0.key == key }) {
                    routes[index].operations.append(operation)
                } else {
                    routes.append(MockRoute(key: key, operations: [operation]))
                }
            }
        }
        return routes
    }

    /// Returns the operation of a request, or the operations that cannot be told apart.
    func operations(for request: ReceivedRequest) -> [MockOperation] {
        let possible = operations.filter { $0.pathValues(request) != nil }
        guard possible.count > 1 else { return possible }
        let sent = RequestFeatures(request, possible[0])
        let names = Set(possible.flatMap(\.features.values.keys)).filter { name in
            Set(possible.map { $0.features.values[name] }).count > 1
        }
        let scores = possible.map { operation in
            names.reduce(operation.features.score(ofBody: sent)) { score, name in
                score + operation.features.score(of: name, in: sent, among: possible)
            }
        }
        let best = zip(possible, scores).filter { $1 == scores.max() }.map(\.0)
        // An operation of a resource wins over other calls at its path.
        guard best.count > 1, let first = best.first(where: { $0.operation != nil }) else { return best }
        return [first]
    }
}

extension RequestFeatures {
    fileprivate init(_ request: ReceivedRequest, _ operation: MockOperation) {
        self.init()
        for item in request.queryItems {
            let earlier = values[.query(item.name)] ?? nil
            values[.query(item.name)] = .some((earlier.map { $0 + "," } ?? "") + (item.value ?? ""))
        }
        for field in request.headerFields { values[.field(field.name)] = .some(field.value) }
        mediaType = request.headerFields[.contentType].map { MediaType($0).essence }
        let document = request.body.isEmpty ? nil : try? request.document(operation)
        add(members: document)
        isArray = document.map { $0.arrayValue != nil }
    }

    /// Returns the degree to which a request has the body of these features.
    fileprivate func score(ofBody sent: RequestFeatures) -> Int {
        var score = 0
        if let mediaType, let other = sent.mediaType {
            let bothJSON = MediaType(mediaType).isJSON && MediaType(other).isJSON
            score += mediaType == other ? 30 : bothJSON ? 20 : 0
        } else if mediaType == nil, sent.mediaType == nil {
            score += 20
        }
        if let isArray, let other = sent.isArray { score += isArray == other ? 50 : -50 }
        return score
    }

    /// Returns the degree to which a request has a part of these features, which other calls do not have so.
    fileprivate func score(of name: Name, in sent: RequestFeatures, among others: [MockOperation]) -> Int {
        // A constant of the query says more than an item that may be left out; a member of JSON is rarely constant.
        let isMember = if case .member = name { sent.mediaType.map { MediaType($0).isJSON } ?? false } else { false }
        let weight = isMember ? 2 : 20
        switch (values[name], sent.values[name]) {
        case (nil, nil): return 1
        case (nil, _?), (_?, nil): return -5
        case (let own?, let value?):
            if own == value, own != nil { return weight }
            // The value of another call is not an example of this one.
            return others.contains { $0.features.values[name] == value } ? -weight : 1
        }
    }
}
