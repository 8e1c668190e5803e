import Foundation
import Waybill

/// The task of a benchmark's candidates: decoding the value of a document in an envelope.
struct DecodingTask: Sendable {
    let name: String
    let document: Document
    let envelope: Envelope
    let isJSONLines: Bool

    /// Returns the envelope's path to a value of a type.
    func path<Value>(to type: Value.Type) -> [EnvelopeKey] {
        Shape.isList(Value.self) ? envelope.list : envelope.item
    }

    /// Returns the failure of a candidate that cannot decode the document, or `CancellationError` in a cancelled task.
    func error<Value: Decodable>(
        _ error: any Error,
        decoding type: Value.Type,
        by candidate: String,
        _ decoder: any ResponseDecoder,
        from data: Data
    ) -> any Error {
        if error is CancellationError || Task.isCancelled { return CancellationError() }
        let path = path(to: type)
        let reason: DecodingBenchmark.Failure.Reason =
            Self.lacks(path, data, decoder)
            ? .missingValue(decoder: candidate, path: path.pathDescription)
            : .undecodable(
                decoder: candidate,
                type: "\(Value.self)",
                diagnosis: Self.diagnosis(of: error, by: decoder, in: data)
            )
        return DecodingBenchmark.Failure(reason, of: name)
    }

    /// Returns the work to measure for a candidate: a closure that decodes the document.
    func decoding<Value: Decodable & Sendable>(
        _ type: Value.Type,
        by candidate: String,
        _ decoder: some ResponseDecoder
    ) -> @Sendable (Data) throws -> Value {
        if isJSONLines, let list = type as? any LineDecodable.Type {
            let splitLines = SplitLines()
            return { data in
                let value = try list.decode(lines: splitLines.lines(of: data), with: decoder) { error, number, line in
                    let diagnosis = Self.diagnosis(of: error, by: decoder, in: line)
                    return DecodingBenchmark.Failure(
                        .undecodable(decoder: candidate, type: "\(type)", diagnosis: "in line \(number): \(diagnosis)"),
                        of: name
                    )
                }
                guard let value = value as? Value else { throw DecodingError.typeMismatch(type, .unexpectedList) }
                return value
            }
        }
        let path = path(to: type)
        let extraction = Extraction(path: path)
        return { data in
            do {
                // Skips the extraction if there is no envelope: its cost is noticeable for small documents.
                return path.isEmpty
                    ? try decoder.decode(type, from: data)
                    : try extraction.decode(type, from: data, with: decoder).value
            } catch {
                throw self.error(error, decoding: type, by: candidate, decoder, from: data)
            }
        }
    }

    /// Whether a document is readable but has no value at a path.
    private static func lacks(_ path: [EnvelopeKey], _ data: Data, _ decoder: any ResponseDecoder) -> Bool {
        func canDecode(at path: [EnvelopeKey]) -> Bool {
            (try? Extraction(path: path).decode(IgnoredValue.self, from: data, with: decoder)) != nil
        }
        return !path.isEmpty && !canDecode(at: path) && canDecode(at: [])
    }

    private static func diagnosis(of error: any Error, by decoder: any ResponseDecoder, in data: Data) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let located = WaybillJSONDecoder.Diagnosis(error)
        guard located != nil || decoder is JSONDecoder else { return "\(error)" }
        // Foundation's errors do not contain the location in the document.
        let diagnosis = located ?? WaybillJSONDecoder.Diagnosis(of: error, inEncoded: data)
        return diagnosis.redacting(SecretNameSet.usual.names).description
    }
}

/// A list that can be decoded from lines with one element each.
private protocol LineDecodable: SendableMetatype {
    static func decode(
        lines: [SplitLines.Line],
        with decoder: some ResponseDecoder,
        failure: (any Error, Int, Data) -> any Error
    ) throws -> Self
}

/// The lines of a document, split on first use: during the comparison of results, before measuring.
private final class SplitLines: Sendable {
    struct Line: Sendable {
        let number: Int
        let bytes: Data
    }

    private let split = Locked<[Line]?>(nil)

    /// Returns the document's nonblank lines.
    func lines(of document: Data) -> [Line] {
        split.withLock { split in
            if let split { return split }
            let pieces = document.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let lines = pieces.enumerated().filter { $0.element.contains { $0 > 0x20 } }
                .map { Line(number: $0.offset + 1, bytes: Data($0.element)) }
            split = lines
            return lines
        }
    }
}

extension Array: LineDecodable where Element: Decodable {
    fileprivate static func decode(
        lines: [SplitLines.Line],
        with decoder: some ResponseDecoder,
        failure: (any Error, Int, Data) -> any Error
    ) throws -> [Element] {
        var elements: [Element] = []
        for line in lines {
            do {
                elements.append(try decoder.decode(Element.self, from: line.bytes))
            } catch {
                throw failure(error, line.number, line.bytes)
            }
        }
        return elements
    }
}

extension DecodingError.Context {
    fileprivate static var unexpectedList: Self {
        Self(codingPath: [], debugDescription: "the list has a different type")
    }
}
