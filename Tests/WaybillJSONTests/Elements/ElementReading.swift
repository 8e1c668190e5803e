import Foundation

@testable import WaybillJSON

/// The result of reading a document element by element.
struct ElementReading<Element: Decodable> {
    var elements: [Element] = []
    var error: (any Error)?
    /// The largest number of bytes buffered at any time.
    var heldByteCount = 0
    var reader: WaybillJSONDecoder.ElementReader<Element>

    /// Reads a document in chunks of a given size.
    init(_ reader: WaybillJSONDecoder.ElementReader<Element>, _ document: some Collection<UInt8>, by size: Int) {
        self.reader = reader
        var rest = Data(document)[...]
        do {
            while !rest.isEmpty {
                self.reader.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let element = try self.reader.next() {
                    elements.append(element)
                    heldByteCount = max(heldByteCount, self.reader.parser.heldByteCount)
                }
                heldByteCount = max(heldByteCount, self.reader.parser.heldByteCount)
            }
            try self.reader.finish()
        } catch {
            self.error = error
        }
    }

    /// The diagnosis of the error.
    var diagnosis: WaybillJSONDecoder.Diagnosis? {
        (error as? DecodingError).flatMap { WaybillJSONDecoder.Diagnosis($0) }
    }

    /// The line and column of the error.
    var place: String? { diagnosis.map { "\($0.line ?? 0):\($0.column ?? 0)" } }
}

extension WaybillJSONDecoder {
    /// Returns the result of decoding an array in one call.
    func whole<Element: Decodable>(
        _ type: Element.Type,
        _ document: some Collection<UInt8>,
        at path: [EnvelopeKey]
    ) -> (elements: [Element]?, diagnosis: WaybillJSONDecoder.Diagnosis?) {
        do {
            return (try decode([Element].self, from: Data(document), at: path), nil)
        } catch {
            return (nil, (error as? DecodingError).flatMap { WaybillJSONDecoder.Diagnosis($0) })
        }
    }
}
