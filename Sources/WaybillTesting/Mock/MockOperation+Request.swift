import Foundation
import Waybill
import WaybillDescription

extension MockOperation {
    /// A part of a request that a clause declares.
    enum Part: Hashable, Sendable, CustomStringConvertible {
        case query(String)
        case field(HTTPField.Name)
        case member([EnvelopeKey])

        var description: String {
            switch self {
            case .query(let name): "the query item \(name)"
            case .field(let name): "the header field \(name.rawName)"
            case .member(let path): "the member \(path.pathDescription)"
            }
        }
    }

    /// The shape of a call's response; calls with equal shapes need no selection.
    struct Answer: Hashable {
        let form: ResponseShape.Form
        let mediaType: String?
        let value: JSONSchema
        let envelope: [EnvelopeKey]
        let idKey: String?
    }

    /// The shape of the call's response.
    var answer: Answer {
        Answer(form: shape.form, mediaType: shape.mediaType, value: value, envelope: envelope, idKey: idKey)
    }

    /// Whether a call is the same operation on the same resource, with a response of the same shape.
    func isSameOperation(as call: MockOperation) -> Bool {
        operation == call.operation && place?.template == call.place?.template && answer == call.answer
    }

    /// Returns the words in the query, the header fields and the declared members of an operation's requests.
    static func words(of operation: DescribedOperation) -> [Part: String] {
        var words: [Part: String] = [:]
        for (name, value) in operation.features.values {
            guard let value, value.isWord else { continue }
            switch name {
            case .query(let name): words[.query(name)] = value
            case .field(let name): words[.field(name)] = value
            case .member: break
            }
        }
        for (path, value) in operation.declaredMembers {
            if let text = value.stringValue, text.isWord { words[.member(path)] = text }
        }
        return words
    }

    /// Returns the names in an operation's requests, and the names that only requests for later pages contain.
    static func names(
        of operation: DescribedOperation
    ) -> (names: Set<RequestFeatures.Name>, later: Set<RequestFeatures.Name>) {
        let names = Set(operation.features.values.keys)
        let isPaged = operation.content.isList && operation.operation.map { $0 == .list } ?? true
        guard isPaged, let scheme = operation.plan.settings[Paginated.self]?.scheme else { return (names, []) }
        let first = scheme.first.query.fields.map { RequestFeatures.Name.query($0.name) }
        return (names.union(first), Set(scheme.kind.targets).subtracting(names).subtracting(first))
    }
}

extension DescribedOperation {
    /// The members that clauses declare, and their values; the id is excluded.
    fileprivate var declaredMembers: [(path: [EnvelopeKey], value: JSONValue)] {
        (plan.settings[BodyMembers.self]?.members ?? []).compactMap { path, value in
            guard case .value = value else { return nil }
            return body?.example?.value(at: path).map { (path, $0) }
        }
    }
}

extension RequestFeatures {
    /// Returns the features with the values of undeclared members removed, keeping their names.
    func withoutGeneratedMembers(_ operation: DescribedOperation) -> RequestFeatures {
        let declared = Set(operation.declaredMembers.compactMap(\.path.first))
        var features = self
        for case .member(let key) in values.keys where !declared.contains(.key(key)) {
            features.values[.member(key)] = .some(nil)
        }
        return features
    }
}

extension Paginated.Scheme.Kind {
    /// The names of the values that select a page.
    fileprivate var targets: [RequestFeatures.Name] {
        switch self {
        case .pageNumber(let target, _, _, _, _), .offset(let target, _, _, _), .after(_, let target, _, _, _):
            [target.featureName].compactMap { $0 }
        case .cursor(_, let target, let previous, _, _, _):
            [target.featureName, previous?.featureName].compactMap { $0 }
        case .links, .next: [.query(MockPage.offsetName)]
        case .custom: []
        }
    }
}

extension Paginated.Scheme.Target {
    fileprivate var featureName: RequestFeatures.Name? {
        switch place {
        case .query(let name): .query(name)
        case .field(let name): HTTPField.Name(name).map { .field($0) }
        case .body(let path): if case .key(let key)? = path.first { .member(key) } else { nil }
        }
    }
}

extension String {
    /// Whether the text is a word: not empty, and not a number, a Boolean, a UUID or a date.
    var isWord: Bool {
        !isEmpty && Double(self) == nil && Bool(self) == nil && UUID(uuidString: self) == nil
            && (try? Date(self, strategy: .iso8601)) == nil
    }
}
