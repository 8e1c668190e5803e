import WaybillJSON
import WaybillSystem

extension APIError.DecodingFailure {
    /// The reasons and the ways out, line by line; the body is searched only when the text is read.
    var reasons: [String] {
        if body.isEmpty, merged == nil, !(underlying is DecodingError), !(underlying is UnmergeableRequest) {
            return ["\(underlying)"]
        }
        guard let diagnosis else { return ["\(underlying)"] + [advice].compactMap { $0 } }
        let media = headerFields[.contentType].map(MediaType.init)
        // The bytes decide: some servers call JSON text, and some send a page as JSON.
        guard isStreamed || merged != nil || JSONText.isContainer(body) else {
            let title = FirstLine.title(of: body, media, secretNames: secretNames).map { "  \($0)" }
            if FirstLine.isHTML(body, media) {
                let page = "the body is an HTML page and not JSON; the URL may be wrong; for the page, declare `String`"
                return [page] + [title].compactMap { $0 }
            }
            if let media, !media.isJSON {
                let other = "the body is \(media.essence) and not JSON; "
                return [other + (advice ?? "declare its decoder with Decode(with:), or `Data` for the bytes")]
            }
            return text(of: diagnosis)
        }
        return text(of: diagnosis)
    }

    private func text(of diagnosis: JSONDiagnosis) -> [String] {
        diagnosis.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            + [envelopeAdvice(diagnosis), keyAdvice(diagnosis), advice].compactMap { $0 }
    }

    /// Returns the envelope to declare for a list within an object; nil if the error is another one.
    private func envelopeAdvice(_ diagnosis: JSONDiagnosis) -> String? {
        guard typeName.hasPrefix("Array<") else { return nil }
        let paths = diagnosis.arrayPaths
        guard !paths.isEmpty else { return nil }
        let keys = paths.map { "\"\($0.joined(separator: "."))\"" }.joined(separator: ", ")
        let envelopes = paths.map { path in "Envelope(\(path.map { "\"\($0)\"" }.joined(separator: ", ")))" }
        return "\(keys) \(paths.count == 1 ? "holds an array" : "hold arrays"); declare "
            + envelopes.joined(separator: " or ")
    }

    /// Returns the way out for a missing key that is there in another form; nil if the error is another one.
    private func keyAdvice(_ diagnosis: JSONDiagnosis) -> String? {
        guard case .keyNotFound(let key, _)? = decodingError else { return nil }
        let name = key.stringValue
        let steps = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if steps.count > 1, diagnosis.hasValue(at: steps) {
            let path = steps.map { "\"\($0)\"" }.joined(separator: ", ")
            return "a dot is part of a key; write the keys of a path one by one: \(path)"
        }
        guard let nearest = diagnosis.nearestKey, nearest.contains("_") else { return nil }
        let converted = WaybillJSONDecoder.KeyDecodingStrategy.convertFromSnakeCase.converting(nearest, in: [])
        guard converted != nearest else { return nil }
        if converted == name {
            return "declare Decode(keys: .convertFromSnakeCase) for keys such as \"\(nearest)\""
        }
        guard nearest == name else { return nil }
        return "Decode(keys:) converts \"\(nearest)\" before coding keys are compared; call the coding key"
            + " \"\(converted)\""
    }
}
