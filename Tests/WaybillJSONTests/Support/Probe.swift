import Foundation
import Testing

/// A comparison of both decoders: decoding the same bytes as the same type must have the same outcome.
struct Probe: Sendable, CustomTestStringConvertible {
    let name: String
    let outcome: @Sendable (DecoderSide) -> Outcome

    /// The path of the value if the probe concerns a single value.
    private(set) var place: String?

    var testDescription: String { name }

    /// Decodes a document as a type.
    init<T: Decodable & SendableMetatype>(
        _ name: String,
        _ json: String,
        as type: T.Type,
        _ settings: DecoderSettings = .init()
    ) {
        self.name = name
        outcome = { side in
            Outcome { try side.decode(type, from: Data(json.utf8), settings) }
        }
    }

    /// Decodes a document with a script, and compares what the script logs.
    init(_ name: String, _ json: String, _ settings: DecoderSettings = .init(), _ script: @escaping Script.Body) {
        self.name = name
        outcome = { side in
            var settings = settings
            if let key = Script.key { settings.userInfo[key] = script }
            do {
                let script = try side.decode(Script.self, from: Data(json.utf8), settings)
                return .value(script.log.lines.joined(separator: "; "))
            } catch {
                return .failure(Outcome.words(for: error))
            }
        }
    }

    /// Returns one probe for each of several documents, all decoded as the same type; the relevant value has the same
    /// path in each.
    static func each<T: Decodable & SendableMetatype>(
        _ documents: [String],
        as type: T.Type,
        _ remark: String = "",
        _ settings: DecoderSettings = .init(),
        at place: String? = nil
    ) -> [Self] {
        documents.map { json in
            var probe = Self("\(type) from \(json)" + (remark.isEmpty ? "" : ", \(remark)"), json, as: type, settings)
            probe.place = place
            return probe
        }
    }

    /// Compares the decoders with each other, or ours with its deliberate difference.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let ours = outcome(.waybill)
        let foundations = outcome(.foundation)
        let difference = DeliberateDifferences.all[name]
        let expected = difference?.expected ?? DeliberateDifferences.located(foundations, at: place)
        #expect(ours == expected, "\(name): \(difference?.reason ?? "")", sourceLocation: sourceLocation)
        #if os(Linux)
            #expect(difference?.expected != foundations, "\(name): no difference", sourceLocation: sourceLocation)
        #endif
    }
}
