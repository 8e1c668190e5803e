import Foundation
import Testing
import WaybillJSON

@Suite("Strategies converted from Foundation's")
struct FoundationStrategyTests {
    struct Item: Codable, Equatable {
        var madeAt = Date(timeIntervalSince1970: 1_777_636_800)
        var rawBytes = Data([1, 250])
        var someRatio = Double.infinity
    }

    static let formatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "yyyy-MM-dd"
        return formatter
    }()

    static let settings: [(JSONEncoder, JSONDecoder)] = {
        func coders(
            _ dates: (JSONEncoder.DateEncodingStrategy, JSONDecoder.DateDecodingStrategy),
            _ keys: (JSONEncoder.KeyEncodingStrategy, JSONDecoder.KeyDecodingStrategy) = (
                .useDefaultKeys, .useDefaultKeys
            ),
            data: (JSONEncoder.DataEncodingStrategy, JSONDecoder.DataDecodingStrategy) = (.base64, .base64)
        ) -> (JSONEncoder, JSONDecoder) {
            let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
            encoder.outputFormatting = .sortedKeys
            (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = dates
            (encoder.keyEncodingStrategy, decoder.keyDecodingStrategy) = keys
            (encoder.dataEncodingStrategy, decoder.dataDecodingStrategy) = data
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "+",
                negativeInfinity: "-",
                nan: "?"
            )
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "+",
                negativeInfinity: "-",
                nan: "?"
            )
            return (encoder, decoder)
        }
        return [
            coders((.deferredToDate, .deferredToDate)),
            coders((.secondsSince1970, .secondsSince1970), (.convertToSnakeCase, .convertFromSnakeCase)),
            coders((.millisecondsSince1970, .millisecondsSince1970), data: (.deferredToData, .deferredToData)),
            coders(
                (.iso8601, .iso8601),
                (
                    .custom { AnyKey(stringValue: "x" + ($0.last?.stringValue ?? "")) },
                    .custom { AnyKey(stringValue: String(($0.last?.stringValue ?? "").dropFirst())) }
                )
            ),
            coders((.formatted(formatter), .formatted(formatter))),
            coders(
                (
                    .custom { try Int($0.timeIntervalSince1970).encode(to: $1) },
                    .custom { Date(timeIntervalSince1970: TimeInterval(try Int(from: $0))) }
                ),
                data: (
                    .custom { bytes, encoder in try bytes.map { Int($0) }.encode(to: encoder) },
                    .custom { Data(try [UInt8](from: $0)) }
                )
            ),
        ]
    }()

    @Test("A strategy converted from Foundation's encodes and decodes like the original", arguments: settings.indices)
    func conversions(index: Int) throws {
        let (foundationEncoder, foundationDecoder) = Self.settings[index]
        let encoder = WaybillJSONEncoder {
            $0.outputFormatting = .sortedKeys
            $0.dateEncodingStrategy = .init(foundationEncoder.dateEncodingStrategy)
            $0.keyEncodingStrategy = .init(foundationEncoder.keyEncodingStrategy)
            $0.dataEncodingStrategy = .init(foundationEncoder.dataEncodingStrategy)
            $0.nonConformingFloatEncodingStrategy = .init(foundationEncoder.nonConformingFloatEncodingStrategy)
        }
        let text = try encoder.text(of: Item())
        #expect(try text == foundationEncoder.text(of: Item()))
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = .init(foundationDecoder.dateDecodingStrategy)
        decoder.keyDecodingStrategy = .init(foundationDecoder.keyDecodingStrategy)
        decoder.dataDecodingStrategy = .init(foundationDecoder.dataDecodingStrategy)
        decoder.nonConformingFloatDecodingStrategy = .init(foundationDecoder.nonConformingFloatDecodingStrategy)
        let item = try decoder.decode(Item.self, from: Data(text.utf8))
        #expect(try item == foundationDecoder.decode(Item.self, from: Data(text.utf8)))
    }
}
