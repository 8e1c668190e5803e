import Foundation
import Testing
import WaybillJSON

@Suite("Chunked sequences of JSON texts")
struct SequenceChunksTests {
    struct Sequence: Sendable, CustomTestStringConvertible {
        let form: JSONSequenceForm
        let text: String
        let count: Int
        /// The line and column of the error; nil without an error.
        var fault: [Int]?

        var testDescription: String { "\(form): \(text)" }
    }

    static let sequences = [
        Sequence(form: .lines, text: "", count: 0),
        Sequence(form: .lines, text: "\r\n \n", count: 0),
        Sequence(form: .lines, text: "1\n23\n\"a\\n\"\r\n\n[1, {}]\n{\"a\":null}\ntrue", count: 6),
        Sequence(form: .lines, text: "\u{FEFF}12\n-3.5e2", count: 2),
        Sequence(form: .lines, text: "[1]\n[2] [3]\n[4]\n", count: 2, fault: [2, 5]),
        Sequence(form: .lines, text: "{\"a\":1}\n{\"a\":1,}\n", count: 1, fault: [2, 8]),
        Sequence(form: .lines, text: "[1]\n[2", count: 1, fault: [2, 3]),
        Sequence(form: .lines, text: "1\nnul\n2", count: 1, fault: [2, 1]),
        Sequence(form: .concatenated, text: "{}[1]\"a\"\"b\" 12 3{}nulltrue\n7", count: 10),
        Sequence(form: .concatenated, text: "{}}", count: 1, fault: [1, 3]),
        Sequence(form: .textSequence, text: "\u{1E}{}\n\u{1E}[1]\u{1E}\u{1E}\"a\"\n\u{1E}12\n\u{1E}true\n", count: 5),
        Sequence(form: .textSequence, text: "\u{1E}1\n\u{1E}12", count: 1, fault: [2, 4]),
        Sequence(form: .textSequence, text: "\u{1E}1\n\u{1E}12\u{1E}3\n", count: 1, fault: [2, 4]),
        Sequence(form: .textSequence, text: "\u{1E}true", count: 0, fault: [1, 6]),
        Sequence(form: .textSequence, text: "\u{1E}false\u{1E}1\n", count: 0, fault: [1, 7]),
        Sequence(form: .textSequence, text: "\u{1E}1 \u{1E}null", count: 1, fault: [1, 9]),
        Sequence(form: .textSequence, text: "\u{1E}[true]\u{1E}{\"a\":null}\u{1E}\"a\"", count: 3),
        Sequence(form: .textSequence, text: "\u{1E}null \u{1E}true\r\u{1E}false\t", count: 3),
        Sequence(form: .textSequence, text: "\u{FEFF} \n\u{1E}1\n", count: 1),
        Sequence(form: .textSequence, text: " \n", count: 0),
        Sequence(form: .textSequence, text: "{}\n\u{1E}{}\n", count: 0, fault: [1, 1]),
        Sequence(form: .textSequence, text: "\n1", count: 0, fault: [2, 1]),
        Sequence(form: .textSequence, text: " x\u{1E}1\n", count: 0, fault: [1, 2]),
        Sequence(form: .textSequence, text: "\u{1E}{}\n{}", count: 1, fault: [2, 1]),
        Sequence(form: .textSequence, text: "\u{1E}[1\u{1E}[2]\n", count: 0, fault: [1, 4]),
    ]

    private func read(_ sequence: Sequence, _ chunks: [Data]) -> (count: Int, fault: [Int]?) {
        var reader = WaybillJSONDecoder.ElementReader<JSONValue>(WaybillJSONDecoder(), sequence: sequence.form)
        var count = 0
        do {
            for chunk in chunks {
                reader.append(chunk)
                while try reader.next() != nil { count += 1 }
            }
            reader.endSequence()
            while try reader.next() != nil { count += 1 }
            try reader.finish()
            return (count, nil)
        } catch {
            let diagnosis = (error as? DecodingError).flatMap { WaybillJSONDecoder.Diagnosis($0) }
            return (count, [diagnosis?.line ?? 0, diagnosis?.column ?? 0])
        }
    }

    @Test("A sequence split at any byte yields the same texts and an error at the same position", arguments: sequences)
    func halves(_ sequence: Sequence) {
        let bytes = Data(sequence.text.utf8)
        for cut in 0...bytes.count {
            let (count, fault) = read(sequence, [bytes.prefix(cut), Data(bytes.dropFirst(cut))])
            #expect(count == sequence.count, "cut at \(cut)")
            #expect(fault == sequence.fault, "cut at \(cut)")
        }
    }

    @Test("A sequence in one-byte chunks yields the same texts and an error at the same position", arguments: sequences)
    func pieces(_ sequence: Sequence) {
        let (count, fault) = read(sequence, sequence.text.utf8.map { Data([$0]) })
        #expect(count == sequence.count)
        #expect(fault == sequence.fault)
    }

    /// A sequence in which malformed texts are skipped.
    struct LossySequence: Sendable, CustomTestStringConvertible {
        let form: JSONSequenceForm
        let text: String
        let elements: [JSONValue]
        /// The index, line and column of each malformed text.
        let broken: [[Int]]
        var endsWithError = false

        var testDescription: String { "\(form): \(text)" }
    }

    static let lossySequences = [
        LossySequence(form: .lines, text: "1\nnul\n2\n", elements: [1, 2], broken: [[1, 2, 1]]),
        LossySequence(
            form: .lines,
            text: "{\"a\":1,}\n2\n{\"a\":\n3\n",
            elements: [2],
            broken: [[0, 1, 8]],
            endsWithError: true
        ),
        LossySequence(form: .lines, text: "[1\n[2]\n[3]\n", elements: [[2], [3]], broken: [[0, 2, 1]]),
        LossySequence(form: .lines, text: "1 x\n2\n", elements: [1, 2], broken: [[0, 1, 3]]),
        LossySequence(form: .lines, text: "x y z\r\n}{\n2", elements: [2], broken: [[0, 1, 1], [1, 2, 1]]),
        LossySequence(form: .lines, text: "\"é\\x\"\n\"ü\"\nx", elements: ["ü"], broken: [[0, 1, 4], [2, 3, 1]]),
        LossySequence(form: .lines, text: "1\n[2", elements: [1], broken: [], endsWithError: true),
        LossySequence(
            form: .textSequence,
            text: "\u{1E}1\n\u{1E}{\"a\":\u{1E}12\u{1E}3\n\u{1E}true\n",
            elements: [1, 3, true],
            broken: [[1, 2, 7], [2, 2, 10]]
        ),
        LossySequence(form: .textSequence, text: "x\n\u{1E}1\n", elements: [1], broken: [[0, 1, 1]]),
        LossySequence(form: .textSequence, text: "{}\n\u{1E}1\n", elements: [1], broken: [[0, 1, 1]]),
        LossySequence(
            form: .textSequence,
            text: "\u{1E}true\u{1E}null\n\u{1E}fal\u{1E}2\n\u{1E}true",
            elements: [.null, 2],
            broken: [[0, 1, 6], [2, 2, 2]],
            endsWithError: true
        ),
        LossySequence(form: .textSequence, text: "\u{1E}1\n\u{1E}2", elements: [1], broken: [], endsWithError: true),
        LossySequence(form: .concatenated, text: "1 x 2", elements: [1], broken: [], endsWithError: true),
    ]

    private func read(_ sequence: LossySequence, _ chunks: [Data]) -> (elements: [JSONValue], broken: [[Int]], Bool) {
        var reader = WaybillJSONDecoder.ElementReader<JSONValue>(
            WaybillJSONDecoder(),
            sequence: sequence.form,
            passesBrokenTexts: true
        )
        var elements: [JSONValue] = []
        var broken: [[Int]] = []
        func take() throws {
            while let result = try reader.nextResult() {
                switch result {
                case .success(let element): elements.append(element)
                case .failure(let item):
                    broken.append([item.index, item.diagnosis?.line ?? 0, item.diagnosis?.column ?? 0])
                }
            }
        }
        do {
            for chunk in chunks {
                reader.append(chunk)
                try take()
            }
            reader.endSequence()
            try take()
            try reader.finish()
            return (elements, broken, false)
        } catch {
            return (elements, broken, true)
        }
    }

    @Test(
        "After a malformed text, a lossy sequence resumes at the next separator, split at any byte",
        arguments: lossySequences
    )
    func lossy(_ sequence: LossySequence) {
        let bytes = Data(sequence.text.utf8)
        let cuts = (0...bytes.count).map { [bytes.prefix($0), Data(bytes.dropFirst($0))] }
        for chunks in cuts + [bytes.map { Data([$0]) }] {
            let (elements, broken, endsWithError) = read(sequence, chunks)
            #expect(elements == sequence.elements, "\(chunks.map(\.count))")
            #expect(broken == sequence.broken, "\(chunks.map(\.count))")
            #expect(endsWithError == sequence.endsWithError, "\(chunks.map(\.count))")
        }
    }

    @Test("A sequence in UTF-16 is an error, even if malformed texts are skipped")
    func utf16() {
        let sequence = LossySequence(form: .lines, text: "", elements: [], broken: [], endsWithError: true)
        for bytes in [Data([0xFE, 0xFF, 0, 0x31, 0, 0x0A]), Data([0x31, 0, 0x0A, 0])] {
            #expect(read(sequence, [bytes]).2)
        }
    }

    @Test("Each of many malformed lines in one chunk has its index, line and column")
    func manyBroken() {
        let lines = (0..<5000).map { $0.isMultiple(of: 2) ? "\($0)" : $0 % 4 == 1 ? "  x" : "{\"ü\":,}" }
        let sequence = LossySequence(form: .lines, text: "", elements: [], broken: [])
        let (elements, broken, endsWithError) = read(sequence, [Data(lines.joined(separator: "\n").utf8)])
        #expect(elements.count == 2500)
        #expect(broken == stride(from: 1, to: 5000, by: 2).map { [$0, $0 + 1, $0 % 4 == 1 ? 3 : 6] })
        #expect(!endsWithError)
    }
}
