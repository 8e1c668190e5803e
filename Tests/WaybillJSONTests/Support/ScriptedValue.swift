import Foundation
import WaybillJSON

/// A value whose `encode(to:)` runs a closure.
struct ScriptedValue: Encodable {
    let body: (any Encoder) throws -> Void

    init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }

    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

extension WaybillJSONEncoder {
    /// Creates an encoder and configures it with a closure.
    init(_ change: (inout WaybillJSONEncoder) -> Void) {
        self.init()
        change(&self)
    }

    /// Returns the encoded document of a value as text.
    func text(of value: some Encodable) throws -> String { String(decoding: try encode(value), as: UTF8.self) }
}

extension JSONEncoder {
    /// Returns the encoded document of a value as text.
    func text(of value: some Encodable) throws -> String { String(decoding: try encode(value), as: UTF8.self) }
}

/// Returns the document that a closure encodes.
func text(encoding body: @escaping (any Encoder) throws -> Void) throws -> String {
    try WaybillJSONEncoder().text(of: ScriptedValue(body))
}

/// Returns the error that encoding throws; nil if it succeeds.
func encodingError(
    _ encoder: WaybillJSONEncoder = WaybillJSONEncoder(),
    encoding value: some Encodable
) -> (path: String, reason: String)? {
    do {
        _ = try encoder.encode(value)
        return nil
    } catch EncodingError.invalidValue(_, let context) {
        return (context.codingPath.map { $0.stringValue }.joined(separator: "/"), context.debugDescription)
    } catch {
        return ("", "\(error)")
    }
}
