import Foundation
import Waybill

/// The advice in the error for a link to an origin that the client rejects.
package let proxyAdvice =
    "behind a proxy, configure the server to trust X-Forwarded-Proto and X-Forwarded-Host, or declare Route.Links(to:"
    + " .baseOrigin)"

/// The textual representations of a value in Swift, and the secrets in them.
package enum Texts {
    /// Returns every textual representation of a value.
    package static func all(of value: Any) -> [(way: String, text: String)] {
        var texts = dumps(of: value)
        texts += [
            ("interpolation", "\(value)"), ("reflecting", String(reflecting: value)),
            ("mirror", mirrored(value, depth: 4)),
        ]
        if let error = value as? any Error {
            texts.append(("localizedDescription", error.localizedDescription))
            #if canImport(Darwin)
                let bridged = error as NSError
                texts.append(("NSError", "\(bridged) \(bridged.userInfo)"))
            #endif
        }
        if let value = value as? any Encodable, let data = try? JSONEncoder().encode(value) {
            texts.append(("JSON", String(decoding: data, as: UTF8.self)))
        }
        return texts
    }

    /// Returns the dump of a value, which contains its description and those of its parts.
    package static func dumps(of value: Any) -> [(way: String, text: String)] {
        var dumped = ""
        dump(value, to: &dumped)
        return [("dump", dumped)]
    }

    /// Returns the secrets that a text contains: verbatim, percent-encoded, escaped, or in Base64.
    ///
    /// Bytes are compared: in a debug build, that is many times as fast as comparing characters.
    package static func leaked(_ secrets: [String], in text: String) -> [String] {
        var text = text
        return text.withUTF8 { text in
            secrets.filter { secret in forms(of: secret).contains { contains(text, $0) } }
        }
    }

    private static func forms(of secret: String) -> [String] {
        let base64 = Data(secret.utf8).base64EncodedString().prefix { $0 != "=" }
        return [
            secret, secret.decomposedStringWithCanonicalMapping, PercentEncoding.encode(secret),
            PercentEncoding.encode(PercentEncoding.encode(secret)),
            String(String(reflecting: secret).dropFirst().dropLast()), String(base64),
        ]
    }

    private static func contains(_ text: UnsafeBufferPointer<UInt8>, _ form: String) -> Bool {
        var form = form
        return form.withUTF8 { form in
            guard var start = text.baseAddress, let other = form.baseAddress else { return form.isEmpty }
            var rest = text.count
            while rest >= form.count, let found = memchr(start, Int32(other.pointee), rest - form.count + 1) {
                let place = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
                if memcmp(place, other, form.count) == 0 { return true }
                rest -= place - start + 1
                start = place + 1
            }
            return false
        }
    }

    private static func mirrored(_ value: Any, depth: Int) -> String {
        guard depth > 0 else { return "" }
        var mirror: Mirror? = Mirror(reflecting: value)
        var text = ""
        while let current = mirror {
            for child in current.children {
                text += "\(child.label ?? ""): \(child.value) " + mirrored(child.value, depth: depth - 1)
            }
            mirror = current.superclassMirror
        }
        return text
    }
}
