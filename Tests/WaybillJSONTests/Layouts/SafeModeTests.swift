import Foundation
import Testing

@testable import WaybillJSON

/// A run of the tests uses one mode; the gate runs them in both modes.
@Suite("Safe mode")
struct SafeModeTests {
    /// A part of the decoder or the encoder that relies on a memory layout of the standard library.
    private enum Part: CaseIterable {
        case smallStrings, typeMetadata, boxesForDecoding, boxesForEncoding
        /// The parts that a session uses for a document.
        case assembledStrings, stringsReadAsWords, keysAsBytesInDecoding, reusedBoxesInDecoding, keysAsBytesInEncoding
        case reusedBoxesInEncoding
    }

    /// Whether this run should be in safe mode; not read from `SafeMode`, which is under test.
    private static let isSafeRun = !["", "0"].contains(
        ProcessInfo.processInfo.environment["WAYBILL_JSON_SAFE"] ?? ""
    )

    private struct Node: Codable, Equatable {
        let name: String
        let next: [Node]

        enum CodingKeys: CodingKey { case name, next }
    }

    /// Returns the available parts and those that this thread uses to encode and decode a value.
    private static func partsInUse() throws -> [Part] {
        let node = Node(name: "a", next: [Node(name: "b", next: []), Node(name: "c", next: [])])
        let data = try WaybillJSONEncoder().encode(node)
        #expect(try WaybillJSONDecoder().decode(Node.self, from: data) == node)
        let (decoding, encoding) = (DecodingSession.pool.take(), EncodingSession.pool.take())
        return try withExtendedLifetime((decoding, encoding)) {
            let keys = ObjectIdentifier(Node.CodingKeys.self)
            let decodingKeys = try #require(decoding.state.pointee.keyTypes.find(keys)).pointee
            let encodingKeys = try #require(encoding.state.pointee.keyTypes.find(keys)).pointee
            return Part.allCases.filter { part in
                switch part {
                case .smallStrings: SmallString.isAvailable
                case .typeMetadata: TypeMetadata.isAvailable
                case .boxesForDecoding: ContainerBox.isAvailable
                case .boxesForEncoding: EncodingBox.isAvailable
                case .assembledStrings: decoding.state.pointee.makesSmallStrings
                case .stringsReadAsWords: encoding.state.pointee.readsSmallStrings
                case .keysAsBytesInDecoding: decodingKeys.pointee.isEnumeration
                case .reusedBoxesInDecoding: decodingKeys.pointee.cursorCount > 0
                case .keysAsBytesInEncoding: encodingKeys.pointee.isEnumeration
                case .reusedBoxesInEncoding: encodingKeys.pointee.cursorCount > 0
                }
            }
        }
    }

    @Test("In safe mode, no layout-dependent part is used", .enabled(if: isSafeRun))
    func safe() throws { #expect(try Self.partsInUse() == []) }

    @Test("Outside safe mode, every layout-dependent part is used", .enabled(if: !isSafeRun))
    func fast() throws { #expect(try Self.partsInUse() == Part.allCases) }

    @Test(
        "The environment variable enables safe mode unless it is empty or 0",
        arguments: [(nil, false), ("", false), ("0", false), ("1", true), ("yes", true)] as [(String?, Bool)]
    )
    func variable(value: String?, isOn: Bool) {
        var environment = ["OTHER": "1"]
        environment["WAYBILL_JSON_SAFE"] = value
        #expect(SafeMode.isRequested(by: environment) == isOn)
    }
}
