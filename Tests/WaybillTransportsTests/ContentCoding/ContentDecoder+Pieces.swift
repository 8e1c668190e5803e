#if os(Linux)
    import Foundation

    @testable import Waybill
    @testable import WaybillCurl

    extension ContentDecoder {
        /// Returns the complete decoded content of the chunks.
        static func decode(
            _ chunks: some Sequence<Data>,
            _ codings: [ContentCoding],
            limit: Int = .max
        ) throws(TransportError) -> Data {
            let decoder = try ContentDecoder(codings, limit: limit)
            var decoded = Data()
            for chunk in chunks {
                decoder.feed(chunk)
                while let piece = try decoder.next() { decoded += piece }
            }
            try decoder.finish()
            return decoded
        }
    }

    extension Data {
        /// Returns the bytes in chunks of a size; the last one may be shorter.
        func chunks(of size: Int) -> [Data] {
            stride(from: 0, to: count, by: size).map { dropFirst($0).prefix(size) }
        }
    }
#endif
