import WaybillJSON

extension Body {
    /// The format of all request bodies in a scope; ``Envelope`` is its counterpart for responses.
    ///
    /// ```swift
    /// Body.Format(under: "product")                        // {"product":{…}}
    /// Body.Format(item: "product", list: "products")       // another key for a batch
    /// Body.Format(as: .form)                               // application/x-www-form-urlencoded
    /// Body.Format(as: .form(arrays: .brackets))            // tag[]=a&tag[]=b
    /// Body.Format(nils: .null)                             // an optional without a value is sent as null
    /// Body.Format.none                                     // JSON without keys, whatever outer scopes declare
    /// ```
    ///
    /// The format applies to every write of a resource, including patches. A form has its own strategies; the encoder
    /// in scope (see ``Encode``) does not affect it.
    public struct Format: Setting {
        /// The clause's name in declarations.
        public static var clauseName: String { "Body.Format" }

        /// The syntax of a value, which determines the content type.
        public struct Syntax: Sendable {
            package enum Kind: String, Sendable { case json, form }

            package let kind: Kind
            package let style: FormStyle

            /// JSON, or the format of the encoder in scope.
            public static let json = Syntax(kind: .json, style: FormStyle())

            /// `application/x-www-form-urlencoded`, with nested keys in brackets.
            public static let form = Syntax(kind: .form, style: FormStyle())

            /// Returns `application/x-www-form-urlencoded` with the given strategies.
            ///
            /// Omitted strategies are inherited from the outer scope.
            ///
            /// - Parameters:
            ///   - arrays: how the elements of arrays become items; ``Query/ArrayStyle/repeated`` by default.
            ///   - dates: the format of dates; ISO 8601 with milliseconds by default. Seconds and milliseconds are
            ///     written as whole numbers.
            ///   - keys: the strategy for property names; dictionary keys are unchanged.
            ///   - nulls: the text of null; ``Query/NullStyle/empty`` by default.
            ///   - empties: how empty arrays and objects are written; see ``Query/EmptyStyle``.
            /// - Returns: the syntax.
            public static func form(
                arrays: Query.ArrayStyle? = nil,
                dates: WaybillJSONEncoder.DateEncodingStrategy? = nil,
                keys: WaybillJSONEncoder.KeyEncodingStrategy? = nil,
                nulls: Query.NullStyle? = nil,
                empties: Query.EmptyStyle? = nil
            ) -> Syntax {
                let style = FormStyle(arrays: arrays, dates: dates, keys: keys, nulls: nulls, empties: empties)
                return Syntax(kind: .form, style: style)
            }

            fileprivate func merged(over outer: Syntax) -> Syntax {
                Syntax(kind: kind, style: style.merged(over: outer.style))
            }

            fileprivate var summary: String {
                style.summary.isEmpty ? kind.rawValue : "\(kind.rawValue) (\(style.summary))"
            }
        }

        /// The treatment of nil optionals.
        public enum NilStyle: String, Sendable, Hashable {
            /// The member is omitted.
            case omitted
            /// The member is sent as `null`. In a form, it is written as declared with ``Query/NullStyle``.
            case null
        }

        package let itemKeys: [String]?
        package let listKeys: [String]?
        package let syntax: Syntax?
        package let nils: NilStyle?

        /// Whether all declarations from outer scopes are discarded.
        private let replacesOuter: Bool

        /// JSON with neither wrapping keys nor nil members, even if an outer scope declares otherwise.
        public static let none = Self(itemKeys: nil, listKeys: nil, syntax: nil, nils: nil, replacesOuter: true)

        /// Wraps every value in keys.
        ///
        /// If no keys are given, values are not wrapped, even if an outer scope declares keys.
        ///
        /// - Parameters:
        ///   - keys: the keys, outermost first.
        ///   - syntax: the syntax; nil to inherit it from the outer scope.
        ///   - nils: the treatment of nil; nil to inherit it from the outer scope.
        public init(under keys: String..., as syntax: Syntax? = nil, nils: NilStyle? = nil) {
            self.init(itemKeys: keys, listKeys: keys, syntax: syntax, nils: nils)
        }

        /// Wraps a single item in one key and a list in another.
        ///
        /// - Parameters:
        ///   - item: the key around a single item.
        ///   - list: the key around a list.
        ///   - syntax: the syntax; nil to inherit it from the outer scope.
        ///   - nils: the treatment of nil; nil to inherit it from the outer scope.
        public init(item: String, list: String, as syntax: Syntax? = nil, nils: NilStyle? = nil) {
            self.init(itemKeys: [item], listKeys: [list], syntax: syntax, nils: nils)
        }

        /// Declares the syntax.
        ///
        /// The keys around values are inherited from the outer scope.
        ///
        /// - Parameters:
        ///   - syntax: the syntax.
        ///   - nils: the treatment of nil; nil to inherit it from the outer scope.
        public init(as syntax: Syntax, nils: NilStyle? = nil) {
            self.init(itemKeys: nil, listKeys: nil, syntax: syntax, nils: nils)
        }

        /// Declares the treatment of nil.
        ///
        /// Everything else is inherited from the outer scope.
        ///
        /// - Parameter nils: the treatment of nil.
        public init(nils: NilStyle) { self.init(itemKeys: nil, listKeys: nil, syntax: nil, nils: nils) }

        private init(
            itemKeys: [String]?,
            listKeys: [String]?,
            syntax: Syntax?,
            nils: NilStyle?,
            replacesOuter: Bool = false
        ) {
            self.itemKeys = itemKeys
            self.listKeys = listKeys
            self.syntax = syntax
            self.nils = nils
            self.replacesOuter = replacesOuter
        }

        /// Returns this clause merged over the outer scope's.
        ///
        /// - Parameter outer: the clause of the outer scope.
        /// - Returns: the merged clause.
        public func merged(over outer: Format) -> Format {
            if replacesOuter { return self }
            return Format(
                itemKeys: itemKeys ?? outer.itemKeys,
                listKeys: listKeys ?? outer.listKeys,
                syntax: outer.syntax.map { outer in syntax?.merged(over: outer) ?? outer } ?? syntax,
                nils: nils ?? outer.nils,
                replacesOuter: outer.replacesOuter
            )
        }

        /// Returns the keys around a value.
        package func keys(of value: any Encodable) -> [String]? { value is any _ListValue ? listKeys : itemKeys }

        /// The syntax, the keys and the treatment of nil.
        public var summary: String {
            var parts = [syntax?.summary].compactMap { $0 }
            if let itemKeys, let listKeys {
                parts.append(
                    itemKeys == listKeys
                        ? "under \(itemKeys.joined(separator: "."))"
                        : "item under \(itemKeys.joined(separator: ".")), list under \(listKeys.joined(separator: "."))"
                )
            }
            if let nils { parts.append("nils \(nils.rawValue)") }
            return parts.isEmpty && replacesOuter ? "none" : parts.joined(separator: ", ")
        }
    }
}
