import Foundation

// The decoder under libFuzzer. `.ci/fuzz` compiles this folder and the sources of WaybillJSON as one module; no target
// of the package contains it.

/// Decodes one libFuzzer input in several ways, and traps if two results disagree.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = UnsafeBufferPointer(start: start, count: count)
    FuzzedDocument(selector: input[0], Array(input.dropFirst())).check()
    return 0
}

/// A document and the settings for decoding it: the remaining bytes of an input, and its first byte.
struct FuzzedDocument {
    let bytes: [UInt8]
    let data: Data
    let settings: FuzzedSettings
    /// Whether the slow parser that explains errors accepts the document; nil if the document may be UTF-16 or UTF-32.
    let isJSON: Bool?
    /// Whether the document contains a lone surrogate.
    ///
    /// Foundation's decoder rejects one in any key of an object that a type decodes; this decoder, only in the type's
    /// keys.
    let hasLoneSurrogate: Bool

    init(selector: UInt8, _ bytes: [UInt8]) {
        self.bytes = bytes
        data = Data(bytes)
        settings = FuzzedSettings(selector)
        (isJSON, hasLoneSurrogate) = Self.verdict(on: data)
    }

    private static func verdict(on data: Data) -> (isJSON: Bool?, hasLoneSurrogate: Bool) {
        guard !data.prefix(4).contains(0), ![[0xFE, 0xFF], [0xFF, 0xFE]].contains(Array(data.prefix(2))) else {
            return (nil, false)
        }
        var tokens = JSONText(data).tokens
        do throws(JSONSyntaxError) {
            while try tokens.next() != nil { if tokens.depth > 512 { return (false, false) } }
            return (true, tokens.loneSurrogate != nil)
        } catch {
            return (false, false)
        }
    }

    /// Checks that the document is accepted or rejected correctly, then decodes it as one type and in one other way,
    /// both chosen by its bytes.
    ///
    /// Running every check on each document would cover only a tenth as many documents.
    func check() {
        checkVerdict()
        let chosen = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
        let types = typeChecks
        types[chosen % types.count]()
        let ways = [
            checkLossy, checkTree, checkElements, checkResults, checkSequence, checkPaths, checkKept, checkReentry,
            checkEncoding,
        ]
        ways[chosen / types.count % ways.count]()
    }

    /// Checks that the decoder accepts a document exactly if the grammar allows it, and that Foundation's decoder then
    /// accepts it too.
    private func checkVerdict() {
        let verdict = diagnosed { try settings.decoder.decode(FuzzedTypes.Unread.self, from: data) }
        guard let isJSON else { return }
        expect((verdict.value != nil) == isJSON, "the grammar has it otherwise")
        guard isJSON else { return }
        let foundations = try? settings.foundation.decode(FuzzedTypes.Unread.self, from: data)
        expect(foundations != nil, "Foundation rejects it")
    }

    /// Returns the value or the error of one decoding.
    func outcome<Value>(_ decode: () throws -> Value) -> (value: Value?, error: (any Error)?) {
        do { return (try decode(), nil) } catch { return (nil, error) }
    }

    /// Returns the value or the error of one decoding, after reading every part of the error's diagnosis.
    func diagnosed<Value>(_ decode: () throws -> Value) -> (value: Value?, error: (any Error)?) {
        let outcome = outcome(decode)
        if let error = outcome.error { diagnose(error) }
        return outcome
    }

    private func diagnose(_ error: any Error) {
        guard let error = error as? DecodingError, let diagnosis = WaybillJSONDecoder.Diagnosis(error) else { return }
        expect(!diagnosis.description.isEmpty, "a diagnosis says nothing")
        _ = diagnosis.redacting(["id", "name"]).description
        if let line = diagnosis.line {
            expect((1...(bytes.count { $0 == 0x0A || $0 == 0x0D } + 1)).contains(line), "there is no line \(line)")
        }
        if let column = diagnosis.column { expect((1...(bytes.count + 1)).contains(column), "no column \(column)") }
    }

    /// Ends the process with a report if a condition is false.
    func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        guard !condition else { return }
        fatalError("\(message()), \(settings): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
}
