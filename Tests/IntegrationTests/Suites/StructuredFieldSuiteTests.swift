import Foundation
import Testing
import Waybill
import WaybillHTTP

@Suite("httpwg/structured-field-tests")
struct StructuredFieldSuiteTests {
    @Test("Every case is parsed, rejected, and serialized as the suite specifies")
    func cases() throws {
        guard let suite = SharedSuite("structured-fields") else { return }
        let manager = FileManager.default
        var counts = (parsed: 0, written: 0)
        for folder in ["", "serialisation-tests/"] {
            let names = try manager.contentsOfDirectory(atPath: suite.folder.appending(path: folder).path)
            for name in names.sorted() where name.hasSuffix(".json") {
                for test in try suite.document(folder + name).arrayValue ?? [] {
                    if test["raw"] != nil { counts.parsed += try parse(test, name) ? 1 : 0 }
                    if test["must_fail"]?.boolValue != true || test["raw"] == nil {
                        counts.written += write(test, name) ? 1 : 0
                    }
                }
            }
        }
        print("cases of httpwg/structured-field-tests: \(counts.parsed) parsed, \(counts.written) written")
        #expect(counts == (1_591, 1_271))
    }

    private func parse(_ test: JSONValue, _ file: String) throws -> Bool {
        let text = (test["raw"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
        let name = "\(file): \(test["name"]?.stringValue ?? "")"
        let read: JSONValue? =
            switch test["header_type"]?.stringValue {
            case "item": StructuredField.item(text).map(json)
            case "list": StructuredField.list(text).map { .array($0.map(json)) }
            default:
                StructuredField.dictionary(text).map { .array($0.entries.map { [.string($0.key), json($0.member)] }) }
            }
        if test["must_fail"]?.boolValue == true {
            #expect(read == nil, "\(name)")
        } else if read != nil || test["can_fail"]?.boolValue != true {
            #expect(read == test["expected"], "\(name)")
        }
        return true
    }

    private func write(_ test: JSONValue, _ file: String) -> Bool {
        guard let expected = test["expected"] else { return false }
        let name = "\(file): \(test["name"]?.stringValue ?? "")"
        // A JSON value does not distinguish 1 from 1.0, so cases with raw text are parsed from it.
        let raw = test["raw"]?.arrayValue?.compactMap(\.stringValue).joined(separator: ", ")
        let text: String? =
            switch test["header_type"]?.stringValue {
            case "item": (raw.map { StructuredField.item($0) } ?? item(expected)).flatMap { StructuredField.text($0) }
            case "list":
                (raw.map { StructuredField.list($0) } ?? (expected.arrayValue ?? []).compactMap(member))
                    .flatMap { StructuredField.text($0) }
            default:
                (raw.map { StructuredField.dictionary($0) } ?? dictionary(expected))
                    .flatMap { StructuredField.text($0) }
            }
        // The parser rejected a text that the case allows either to accept or to reject.
        if text == nil, raw != nil, test["can_fail"]?.boolValue == true { return false }
        if test["must_fail"]?.boolValue == true {
            #expect(text == nil, "\(name)")
        } else {
            let lines = (test["canonical"] ?? test["raw"])?.arrayValue ?? []
            #expect(text == lines.compactMap(\.stringValue).joined(separator: ", "), "\(name)")
        }
        return true
    }
}

// Values in the suite's JSON form.
extension StructuredFieldSuiteTests {
    private func json(_ member: StructuredField.Member) -> JSONValue {
        switch member {
        case .item(let item): json(item)
        case .innerList(let items, let parameters): [.array(items.map(json)), json(parameters)]
        }
    }

    private func json(_ item: StructuredField.Item) -> JSONValue { [json(item.value), json(item.parameters)] }

    private func json(_ parameters: [StructuredField.Parameter]) -> JSONValue {
        .array(parameters.map { [.string($0.key), json($0.value)] })
    }

    private func json(_ value: StructuredField.Value) -> JSONValue {
        func typed(_ type: JSONValue, _ value: JSONValue) -> JSONValue { ["__type": type, "value": value] }
        return switch value {
        case .integer(let number): .integer(number)
        case .decimal(let number): JSONValue(number)
        case .string(let text): .string(text)
        case .token(let text): typed("token", .string(text))
        case .bytes(let data): typed("binary", .string(Base32.text(data)))
        case .boolean(let isTrue): .bool(isTrue)
        case .date(let seconds): typed("date", .integer(seconds))
        case .displayString(let text): typed("displaystring", .string(text))
        }
    }

    private func dictionary(_ expected: JSONValue) -> StructuredField.Members? {
        var members = StructuredField.Members()
        for entry in expected.arrayValue ?? [] {
            guard let key = entry[0]?.stringValue, let member = entry[1].flatMap(member) else { return nil }
            members[key] = member
        }
        return members
    }

    private func member(_ expected: JSONValue) -> StructuredField.Member? {
        guard let items = expected[0]?.arrayValue else { return item(expected).map { .item($0) } }
        return .innerList(items.compactMap(item), parameters(expected[1]))
    }

    private func item(_ expected: JSONValue) -> StructuredField.Item? {
        expected[0].flatMap(value).map { StructuredField.Item($0, parameters(expected[1])) }
    }

    private func parameters(_ expected: JSONValue?) -> [StructuredField.Parameter] {
        (expected?.arrayValue ?? []).compactMap { entry in
            entry[1].flatMap(value).map { StructuredField.Parameter(entry[0]?.stringValue ?? "", $0) }
        }
    }

    private func value(_ expected: JSONValue) -> StructuredField.Value? {
        if case .integer(let number) = expected { return .integer(number) }
        if let number = expected.doubleValue { return .decimal(number) }
        if let isTrue = expected.boolValue { return .boolean(isTrue) }
        if let text = expected.stringValue { return .string(text) }
        let text = expected["value"]?.stringValue ?? ""
        switch expected["__type"]?.stringValue {
        case "token": return .token(text)
        case "binary": return .bytes(Base32.data(text))
        case "date": return expected["value"]?.intValue.map { .date($0) }
        case "displaystring": return .displayString(text)
        default: return nil
        }
    }
}

/// The encoding that the suite uses for bytes (RFC 4648, section 6).
private enum Base32 {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    static func text(_ data: Data) -> String {
        var (text, bits, count) = ("", 0, 0)
        for byte in data {
            (bits, count) = (bits << 8 | Int(byte), count + 8)
            while count >= 5 {
                count -= 5
                text.append(alphabet[bits >> count & 31])
            }
        }
        if count > 0 { text.append(alphabet[bits << (5 - count) & 31]) }
        while !text.count.isMultiple(of: 8) { text.append("=") }
        return text
    }

    static func data(_ text: String) -> Data {
        var (data, bits, count) = (Data(), 0, 0)
        for character in text {
            guard let digit = alphabet.firstIndex(of: character) else { break }
            (bits, count) = (bits << 5 | digit, count + 5)
            if count >= 8 {
                count -= 8
                data.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return data
    }
}
