import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Document syntax")
struct SyntaxTests {
    /// Numbers of spaces, chosen around the widths of vectors and words.
    static let paddings = [0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 63, 64]

    @Test("The tables of valid and invalid documents agree with an independent implementation of RFC 8259")
    func tablesAreRight() {
        for surroundings in Surroundings.all {
            for value in Documents.accepted {
                #expect(JSONText(surroundings.document(value)).syntaxError() == nil)
            }
            for value in Documents.rejected.values.joined() {
                let document = surroundings.document(value)
                #expect(JSONText(document).syntaxError() != nil, "\(shown(document)) \(surroundings.testDescription)")
            }
        }
    }

    @Test("A value that RFC 8259 allows is accepted in every position", arguments: Surroundings.all)
    func accept(surroundings: Surroundings) {
        for value in Documents.accepted {
            for padding in Self.paddings {
                expectAccepted(surroundings.document(value, padding: padding), surroundings.read)
            }
        }
    }

    @Test(
        "A value that RFC 8259 does not allow is rejected in every position",
        arguments: Thoroughness.some(Surroundings.all, oneIn: 3)
    )
    func reject(surroundings: Surroundings) {
        for values in Documents.rejected.values {
            for value in values {
                for padding in Self.paddings {
                    expectRejected(surroundings.document(value, padding: padding), surroundings.read)
                }
            }
        }
    }

    @Test("A document truncated at any byte is rejected", arguments: Surroundings.all)
    func cut(surroundings: Surroundings) {
        let document = surroundings.document(Array(#"{"a":[true,-1.5e+1,"x\u00e9\n\uD83D\uDE00é😀",{}],"b":null}"#.utf8))
        for length in 0..<document.count {
            expectRejected(document.prefix(length), surroundings.read)
        }
        expectAccepted(document, surroundings.read)
    }

    @Test("Skipped parts of a document are validated")
    func rejectBesideThePath() {
        for values in Documents.rejected.values {
            for value in values {
                let (before, after) = (Array(#"{"a":["#.utf8), Array(#",{"b":1}],"c":"#.utf8))
                for document in [before + [0x30] + after + value + [0x7D], before + value + after + [0x30, 0x7D]] {
                    expectRejected(Data(document)) {
                        _ = try WaybillJSONDecoder().decode(Int.self, from: $0, at: "a", 1, "b")
                    }
                }
            }
        }
    }

    @Test("Bytes beyond a data slice are not read")
    func slices() throws {
        let data = Data(#"xx[1,2]]]"#.utf8)
        #expect(try WaybillJSONDecoder().decode([Int].self, from: data[2..<7]) == [1, 2])
        #expect(try WaybillJSONDecoder().decode([Int].self, from: data.dropFirst(2).prefix(5)) == [1, 2])
        expectRejected(data[2..<6]) { _ = try WaybillJSONDecoder().decode([Int].self, from: $0) }
        let number = Data("123456".utf8)
        #expect(try WaybillJSONDecoder().decode(Int.self, from: number[1..<4]) == 234)
    }
}
