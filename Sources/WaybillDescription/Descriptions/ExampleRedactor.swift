import Waybill
import WaybillSystem

/// A redactor of secrets in examples and schemas.
///
/// A secret string becomes a redaction mark, or a generated value if its schema has a format or lists values. A secret
/// number becomes 1.
struct ExampleRedactor {
    private let names: SecretNameSet
    private let document: JSONSchema.Document

    /// Creates a redactor.
    ///
    /// - Parameters:
    ///   - names: the secret names and values of a call.
    ///   - definitions: the definitions of referenced schemas.
    init(_ names: SecretNameSet, _ definitions: [String: JSONSchema] = [:]) {
        self.names = names
        document = JSONSchema.Document(definitions: definitions)
    }

    /// Returns the example of a named value, without secrets; nil if the value is secret.
    func redacting(_ value: JSONValue?, named name: String) -> JSONValue? {
        guard let value, !names.contains(name, of: value.stringValue ?? "") else { return nil }
        return redacting(value, JSONSchema(.any))
    }

    /// Returns the definitions without the examples and defaults of secret members.
    func redacting(_ definitions: [String: JSONSchema]) -> [String: JSONSchema] {
        let secret = definitions.values.reduce(into: Set<String>()) { addReferences(of: $1, isSecret: false, to: &$0) }
        return Dictionary(
            uniqueKeysWithValues: definitions.map { name, schema in
                (name, redacting(schema, isSecret: secret.contains(name)))
            }
        )
    }

    /// Returns an example without secrets.
    ///
    /// - Parameters:
    ///   - value: the example.
    ///   - schema: the schema of the example, which specifies the formats of secret strings.
    ///   - isSecret: whether the whole value is secret.
    /// - Returns: the example with all secrets replaced.
    func redacting(_ value: JSONValue, _ schema: JSONSchema, isSecret: Bool = false) -> JSONValue {
        let schema = document.resolving(schema) ?? schema
        switch value {
        case .object(let members):
            var redacted: [String: JSONValue] = [:]
            for (key, member) in members {
                let isSecret = isSecret || names.contains(key, of: member.stringValue ?? "")
                redacted[key] = redacting(member, self.schema(of: key, in: schema), isSecret: isSecret)
            }
            return .object(redacted)
        case .array(let elements):
            let element = if case .array(let element, _) = schema.form { element } else { JSONSchema(.any) }
            return .array(elements.map { redacting($0, element, isSecret: isSecret) })
        case .string(let text): return isSecret ? placeholder(schema) : .string(redacting(text))
        case .integer, .number, .double, .numeral: return isSecret ? 1 : value
        case .bool, .null: return value
        }
    }

    private func placeholder(_ schema: JSONSchema) -> JSONValue {
        switch schema.form {
        case .string(format: .some), .base64, .enumeration:
            var plain = schema
            plain.examples = []
            plain.defaultValue = nil
            return JSONSchema.Document(root: plain, definitions: [:]).example(of: plain)
        default: return .string(Redaction.mark)
        }
    }

    private func redacting(_ text: String) -> String {
        let text = Redaction.removing(names.longValues, from: text)
        return SecretMembers.mayHaveSecrets(text) ? SecretMembers.removed(from: text, names) : text
    }

    private func schema(of key: String, in schema: JSONSchema) -> JSONSchema {
        switch schema.form {
        case .object(let properties): properties.first { $0.key == key }?.schema ?? JSONSchema(.any)
        case .dictionary(let value, _): value
        default: JSONSchema(.any)
        }
    }

    /// Returns a schema without the examples and defaults of secret members, or without any if the schema is secret.
    func redacting(_ schema: JSONSchema, isSecret: Bool = false) -> JSONSchema {
        var redacted = schema
        if isSecret {
            redacted.examples = []
            redacted.defaultValue = nil
        } else {
            redacted.examples = schema.examples.map { redacting($0, schema) }
            redacted.defaultValue = schema.defaultValue.map { redacting($0, schema) }
        }
        func inner(_ schema: JSONSchema) -> JSONSchema { redacting(schema, isSecret: isSecret) }
        switch schema.form {
        case .array(let element, let isUnique): redacted.form = .array(inner(element), hasUniqueElements: isUnique)
        case .tuple(let schemas): redacted.form = .tuple(schemas.map(inner))
        case .object(let properties):
            redacted.form = .object(
                properties.map { property in
                    var property = property
                    let isSecret = isSecret || isSecretName(property.key)
                    property.schema = redacting(property.schema, isSecret: isSecret)
                    return property
                }
            )
        case .dictionary(let value, let keys): redacted.form = .dictionary(inner(value), keys: keys)
        case .oneOf(let schemas): redacted.form = .oneOf(schemas.map(inner))
        case .anyOf(let schemas): redacted.form = .anyOf(schemas.map(inner))
        case .any, .null, .boolean, .integer, .number, .string, .base64, .enumeration, .reference: break
        }
        return redacted
    }

    /// Whether a schema hides all values of a member, even those that do not look like tokens.
    private func isSecretName(_ name: String) -> Bool { names.contains(name) || names.hasTokens(name) }

    /// Adds the names of definitions referenced by secret members.
    private func addReferences(of schema: JSONSchema, isSecret: Bool, to found: inout Set<String>) {
        switch schema.form {
        case .reference(let name): if isSecret { found.insert(name) }
        case .array(let element, _): addReferences(of: element, isSecret: isSecret, to: &found)
        case .dictionary(let value, _): addReferences(of: value, isSecret: isSecret, to: &found)
        case .tuple(let schemas), .oneOf(let schemas), .anyOf(let schemas):
            for schema in schemas { addReferences(of: schema, isSecret: isSecret, to: &found) }
        case .object(let properties):
            for property in properties {
                let isSecret = isSecret || isSecretName(property.key)
                addReferences(of: property.schema, isSecret: isSecret, to: &found)
            }
        case .any, .null, .boolean, .integer, .number, .string, .base64, .enumeration: break
        }
    }
}
