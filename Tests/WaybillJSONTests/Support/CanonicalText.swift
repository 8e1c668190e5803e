import Foundation

/// Returns a text that is the same for two values only if they are equal to the last bit and scalar; unordered
/// collections are sorted.
func canonicalText(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    // This is checked first because an optional can also be cast to the type that it wraps.
    if mirror.displayStyle == .optional {
        return mirror.children.first.map { "some(\(canonicalText(of: $0.value)))" } ?? "nil"
    }
    switch value {
    case let string as String:
        return "\"" + string.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
    case let date as Date:
        return "Date(\(date.timeIntervalSinceReferenceDate))"
    case let data as Data:
        return "Data(\(data.map { String($0, radix: 16) }.joined(separator: " ")))"
    case is URL, is UUID, is Decimal:
        return "\(type(of: value))(\(value))"
    case let key as any CodingKey:
        return Outcome.words(for: [key])
    case let number as any Numeric:
        return "\(number)"
    default:
        break
    }
    let children = mirror.children.map { child in
        (child.label.map { $0 + ": " } ?? "") + canonicalText(of: child.value)
    }
    switch mirror.displayStyle {
    case .collection: return "[" + children.joined(separator: ", ") + "]"
    case .set: return "{" + children.sorted().joined(separator: ", ") + "}"
    case .dictionary:
        let entries = mirror.children.map { entry in
            Mirror(reflecting: entry.value).children.map { canonicalText(of: $0.value) }.joined(separator: ": ")
        }
        return "[" + entries.sorted().joined(separator: ", ") + "]"
    case .enum where children.isEmpty: return "\(value)"
    case .tuple: return "(" + children.joined(separator: ", ") + ")"
    case .struct where !children.isEmpty, .enum, .class:
        let inherited = mirror.superclassMirror?.children.map { canonicalText(of: $0.value) } ?? []
        return "\(type(of: value))(" + (inherited + children).joined(separator: ", ") + ")"
    default: return "\(value)"
    }
}
