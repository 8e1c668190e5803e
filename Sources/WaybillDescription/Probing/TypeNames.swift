/// The names of definitions: those of their types, without modules, each of them once.
final class TypeNames {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let probe: ObjectIdentifier
    }

    private var names: [Key: String] = [:]
    private var taken: Set<String> = []

    /// Returns the name of a type's definition, which has only letters, digits, dots, hyphens and underscores.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - probe: the probe, because a type has another schema by the rules of another decoder.
    /// - Returns: the name.
    func name(of type: Any.Type, in probe: TypeProbe) -> String {
        let key = Key(type: ObjectIdentifier(type), probe: ObjectIdentifier(probe))
        if let known = names[key] { return known }
        let base = Self.base(of: type)
        var name = base
        var number = 2
        while taken.contains(name) {
            name = "\(base)\(number)"
            number += 1
        }
        taken.insert(name)
        names[key] = name
        return name
    }

    /// Returns the name of a type with those of the types around it: `Shop.Product` and `Page_Product`.
    private static func base(of type: Any.Type) -> String {
        var text = String(reflecting: type)
        // A local type's context is an address, which differs from run to run.
        while let start = text.range(of: "(unknown context at ") {
            guard let end = text[start.upperBound...].range(of: ").") else { break }
            text.removeSubrange(start.lowerBound..<end.upperBound)
        }
        var names: [String] = []
        for qualified in text.split(whereSeparator: { "<>, ".contains($0) }) {
            let parts = qualified.split(separator: ".")
            names.append(parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: "."))
        }
        let name = names.joined(separator: "_")
        return String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }
}

extension StringProtocol {
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
