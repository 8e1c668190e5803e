import Foundation
import WaybillJSON

/// The number of values of each kind in a document, for comparing decoders.
struct DocumentTally: Hashable, Sendable {
    private(set) var objects = 0
    private(set) var members = 0
    private(set) var arrays = 0
    private(set) var strings = 0
    private(set) var stringBytes = 0
    private(set) var numbers = 0
    /// The sum of the integers that every decoder represents exactly.
    private(set) var sumOfIntegers = 0
    private(set) var trues = 0
    private(set) var falses = 0
    private(set) var nulls = 0

    init() {}

    init(_ value: JSONValue) { add(value) }

    /// Creates the tally of an object from `JSONSerialization`.
    init(object: Any) { add(object: object) }

    mutating func add(_ value: JSONValue) {
        switch value {
        case .null: nulls += 1
        case .bool(let isTrue): add(bool: isTrue)
        case .integer, .number, .double, .numeral: add(number: value.doubleValue ?? .nan)
        case .string(let text): add(text: text)
        case .array(let elements):
            arrays += 1
            for element in elements { add(element) }
        case .object(let object):
            objects += 1
            for (key, member) in object {
                add(key: key)
                add(member)
            }
        }
    }

    mutating func add(object value: Any) {
        switch value {
        case let elements as [Any]:
            arrays += 1
            for element in elements { add(object: element) }
        case let object as [String: Any]:
            objects += 1
            for (key, member) in object {
                add(key: key)
                add(object: member)
            }
        case let text as String: add(text: text)
        case let number as NSNumber:
            // Foundation represents Booleans as numbers of the C type `char`.
            let isBool = String(cString: number.objCType) == "c"
            if isBool { add(bool: number.boolValue) } else { add(number: number.doubleValue) }
        default: nulls += 1
        }
    }

    private mutating func add(key: String) {
        members += 1
        stringBytes += key.utf8.count
    }

    private mutating func add(text: String) {
        strings += 1
        stringBytes += text.utf8.count
    }

    private mutating func add(bool isTrue: Bool) { if isTrue { trues += 1 } else { falses += 1 } }

    private mutating func add(number: Double) {
        numbers += 1
        if abs(number) < 9_007_199_254_740_992, number == number.rounded() { sumOfIntegers &+= Int(number) }
    }
}
