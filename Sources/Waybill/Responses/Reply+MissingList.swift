import WaybillJSON
import WaybillSystem

extension Reply {
    /// Checks that the body does not contain a list, treated as empty, under a similar key.
    ///
    /// - Parameters:
    ///   - path: the path of the list.
    ///   - type: the type of the list.
    ///   - plan: the call's plan.
    /// - Throws: ``APIError/decoding(_:)`` with the missing key if the same object contains a nonempty list under a
    ///   similar key.
    func checkMissingList(at path: [EnvelopeKey], _ type: Any.Type, plan: Call.Plan) throws(APIError) {
        guard case .missing(let index, let names)? = try? content(at: path, findsNames: true, with: plan.decoder),
            case .key(let key) = path[index]
        else { return }
        let isKeyed = plan.settings[Envelope.self]?.idKey != nil
        for name in SimilarKeys.misspellings(of: key, among: names, includesExtensions: false) {
            var similar = path
            similar[index] = .key(name)
            let value = (try? content(at: similar, findsNames: false, with: plan.decoder))?.value
            let isList = value?.arrayValue?.isEmpty == false || isKeyed && value?.objectValue?.isEmpty == false
            guard isList else { continue }
            let context = DecodingError.Context(
                codingPath: path[..<index].map { EnvelopeCodingKey(step: $0) },
                debugDescription: "the envelope has no key \"\(key)\""
            )
            let error = DecodingError.keyNotFound(EnvelopeCodingKey(key), context)
            throw .decoding(failure(error, decoding: "\(type)", plan: plan))
        }
    }

    /// Returns advice to declare a `missingList` that matches the server's behavior.
    ///
    /// The advice has been verified: the body decodes with the suggested declaration.
    ///
    /// - Parameters:
    ///   - error: the decoder's error.
    ///   - type: the type of the value.
    ///   - extraction: the extraction that failed.
    ///   - plan: the call's plan.
    /// - Returns: the advice; nil if the error has another cause.
    func missingListAdvice<Value: Decodable>(
        _ error: any Error,
        decoding type: Value.Type,
        _ extraction: Extraction,
        plan: Call.Plan
    ) -> String? {
        guard Value.self is any _ListValue.Type, plan.write == nil, extraction.item == nil,
            let path = (error as? DecodingError)?.pathOfMissingList, path.count <= extraction.path.count
        else { return nil }
        // Other code gives advice for a key that contains a dot.
        if case DecodingError.keyNotFound(let key, _) = error, key.stringValue.contains(".") { return nil }
        var tolerant = extraction
        (tolerant.treatsMissingListAsEmpty, tolerant.treatsValueAsOnlyItem) = (true, true)
        guard let list = try? tolerant.decode(Value.self, from: body, with: plan.decoder).value as? any Collection
        else { return nil }
        let envelope = plan.settings[Envelope.self] ?? .none
        let missing: Envelope.MissingList = list.isEmpty ? .isEmpty : .isOneItem
        guard missing != .isOneItem || envelope.idKey == nil else { return nil }
        let sent =
            if missing == .isOneItem {
                "sends a list of one item as the item itself"
            } else if case DecodingError.keyNotFound = error {
                "leaves out an empty list"
            } else {
                "sends null for an empty list"
            }
        let declaration = envelope.declaration(missingList: plan.missingList.union(missing))
        return "if the server \(sent), declare \(declaration)"
    }

    /// Returns the body's content at the given path.
    func content(
        at path: [EnvelopeKey],
        findsNames: Bool,
        with decoder: any ResponseDecoder
    ) throws -> PlaceContent {
        guard !body.isEmpty else { return .missing(index: 0, names: []) }
        var extraction = Extraction()
        extraction.extras = [Extraction.SideValue(contentAt: path, findsNames: findsNames)]
        let extras = try extraction.decode(IgnoredValue.self, from: body, with: decoder).extras
        return extras.first as? PlaceContent ?? .null
    }
}

extension DecodingError {
    /// The path of a missing value or a value of an unexpected type; nil for any other error.
    ///
    /// For a missing key, the path includes the key.
    fileprivate var pathOfMissingList: [any CodingKey]? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context): context.codingPath
        case .keyNotFound(let key, let context): context.codingPath + [key]
        default: nil
        }
    }
}

extension Envelope {
    /// Returns a declaration of this envelope that accepts the given values in place of a list.
    fileprivate func declaration(missingList: MissingList) -> String {
        var arguments: [String] = []
        if item == list, idKey == nil {
            if !list.isEmpty { arguments.append(list.arguments) }
        } else if item.isEmpty {
            if !list.isEmpty { arguments.append("list: \(list.arguments)") }
            if let idKey { arguments.append("keyedBy: \(idKey.debugDescription)") }
        } else {
            arguments.append("itemPath: [\(item.arguments)], listPath: [\(list.arguments)]")
        }
        arguments.append("missingList: \(missingList)")
        let keyed = item.isEmpty ? nil : idKey.map { ".keyed(by: \($0.debugDescription))" }
        return "Envelope(\(arguments.joined(separator: ", ")))\(keyed ?? "")"
    }
}
