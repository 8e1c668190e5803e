import Foundation

extension FuzzedDocument {
    private var elementPath: [EnvelopeKey] { settings.selector >> 6 & 1 == 1 ? ["items"] : [] }

    /// Checks that elements read one by one, from arbitrary chunks, equal those of the complete document.
    func checkElements() {
        let decoder = settings.decoder
        let whole = outcome { try decoder.decode([AnyJSON].self, from: data, at: elementPath) }
        let complete = read(decoder.elements(AnyJSON.self, from: data, at: elementPath))
        expect((complete.error == nil) == (whole.value != nil), "the reader and the decoder differ")
        if let elements = whole.value { expect(complete.elements == elements, "elements are \(complete.elements)") }
        // Chunks must be UTF-8.
        guard isJSON != nil else { return }
        let keeping: [[EnvelopeKey]] = elementPath.isEmpty ? [] : [["meta"], ["a", "b"]]
        var reader = decoder.elements(AnyJSON.self, at: elementPath, keeping: keeping)
        let read = readChunks(&reader)
        expect((read.error == nil) == (whole.value != nil), "chunks come to \(String(describing: read.error))")
        guard let elements = whole.value else { return }
        expect(read.elements == elements, "elements of chunks are \(read.elements)")
        for path in keeping {
            let kept = outcome { try reader.metadata(AnyJSON.self, at: path) }.value
            let value = outcome { try decoder.decode(AnyJSON.self, from: data, at: path) }.value
            expect(kept == value, "metadata is \(String(describing: kept)), not \(String(describing: value))")
        }
    }

    /// Reads the elements of a complete document.
    private func read(_ reader: WaybillJSONDecoder.ElementReader<AnyJSON>) -> (elements: [AnyJSON], error: (any Error)?)
    {
        var reader = reader
        var elements: [AnyJSON] = []
        let error = outcome {
            while let element = try reader.next() { elements.append(element) }
            try reader.finish()
        }.error
        return (elements, error)
    }

    /// Reads the elements from chunks whose sizes depend on the document's bytes.
    private func readChunks(_ reader: inout WaybillJSONDecoder.ElementReader<AnyJSON>) -> (
        elements: [AnyJSON], error: (any Error)?
    ) {
        var elements: [AnyJSON] = []
        let error = diagnosed {
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + 1 + Int((bytes[start] ^ settings.selector) % 23))
                reader.append(bytes[start..<end])
                while let element = try reader.next() { elements.append(element) }
                start = end
            }
            try reader.finish()
        }.error
        return (elements, error)
    }

    /// Checks that the element reader fails on exactly those elements that a lossy array drops.
    func checkResults() {
        guard isJSON != nil else { return }
        let decoder = settings.decoder
        let lossy = outcome { try decoder.decodeLossy([FuzzedTypes.Item].self, from: data, at: elementPath) }.value
        var reader = decoder.elements(FuzzedTypes.Item.self, at: elementPath)
        var elements: [FuzzedTypes.Item] = []
        var dropped: [Int] = []
        let error = outcome {
            for chunk in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
                reader.append(chunk)
                while let result = try reader.nextResult() {
                    switch result {
                    case .success(let element): elements.append(element)
                    case .failure(let failure):
                        _ = diagnosed { throw failure.error }
                        dropped.append(failure.index)
                    }
                }
            }
            try reader.finish()
        }.error
        expect((error == nil) == (lossy != nil), "results and lossy array differ: \(String(describing: error))")
        guard let lossy else { return }
        expect(elements == lossy.elements && dropped == lossy.dropped.map(\.index), "other elements are dropped")
    }

    /// The elements and errors of a sequence.
    private struct SequenceReading: Equatable {
        var elements: [AnyJSON] = []
        var dropped: [Int] = []
        var hasFailed = false
        var isTooLarge = false
    }

    /// Checks that the texts of a sequence, with or without a limit, do not depend on chunk sizes.
    func checkSequence() {
        guard isJSON != nil else { return }
        let forms: [JSONSequenceForm] = [.lines, .textSequence, .concatenated]
        for form in forms {
            for limit in [8, Int.max] {
                let whole = read(form, limit: limit) { _ in .max }
                let cut = read(form, limit: limit) { 1 + Int((bytes[$0] ^ settings.selector) % 23) }
                expect(whole == cut, "\(form) in chunks is \(cut), and as a whole \(whole)")
            }
        }
    }

    /// Reads the document as a sequence, in chunks whose sizes depend on their offsets.
    private func read(_ form: JSONSequenceForm, limit: Int, _ size: (Int) -> Int) -> SequenceReading {
        var reader = WaybillJSONDecoder.ElementReader<AnyJSON>(
            settings.decoder,
            sequence: form,
            passesBrokenTexts: settings.selector >> 6 & 1 == 1
        )
        reader.limitElements(to: limit)
        var reading = SequenceReading()
        func take() throws {
            while let result = try reader.nextResult() {
                switch result {
                case .success(let element): reading.elements.append(element)
                case .failure(let failure):
                    reading.dropped.append(failure.index)
                    _ = diagnosed { throw failure.error }
                }
            }
        }
        let error = diagnosed {
            var start = 0
            while start < bytes.count {
                let end = start + min(bytes.count - start, size(start))
                reader.append(bytes[start..<end])
                try take()
                start = end
            }
            reader.endSequence()
            try take()
            try reader.finish()
        }.error
        reading.hasFailed = error != nil
        reading.isTooLarge = error is ElementTooLarge
        return reading
    }
}
