import Foundation
import TestSupport
import Testing
@testable import WaybillFiles

@testable import Waybill

@Suite("xxHash")
struct XXHashTests {
    @Test(
        "xxHash of known inputs matches the reference implementation",
        arguments: [
            ("", 0xEF46_DB37_51D8_E999 as UInt64), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
        ]
    )
    func known(_ text: String, _ expected: UInt64) {
        var hash = XXHash()
        Data(text.utf8).withUnsafeBytes { hash.add($0) }
        #expect(hash.value == expected)
    }

    @Test("The hash does not depend on how the bytes are split, and changes with any byte")
    func pieces() {
        let bytes = Data.sample(count: 150)
        func hash(_ pieces: [Data]) -> UInt64 {
            var hash = XXHash()
            for piece in pieces { piece.withUnsafeBytes { hash.add($0) } }
            return hash.value
        }
        for count in 0...bytes.count {
            let whole = Data(bytes.prefix(count))
            for cut in 0...count {
                let middle = cut + (count - cut) / 2
                let pieces = [whole[..<cut], whole[cut..<middle], whole[middle...]].map { Data($0) }
                #expect(hash(pieces) == hash([whole]))
            }
            for index in 0..<count {
                var other = whole
                other[index] ^= 1
                #expect(hash([other]) != hash([whole]))
            }
        }
    }
}
