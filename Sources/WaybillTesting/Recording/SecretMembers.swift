import Foundation
import Waybill

/// The removal of the values of secret keys from JSON, of which everything else stays as it is.
///
/// The text need not be one document: it may be a stream of them, or events that have JSON in them.
enum SecretMembers {
    /// Returns the text without the values of secret keys: texts become marks and numbers 0, so that the types stay.
    static func removed(from text: String, _ names: SecretNameSet) -> String {
        var reader = Reader(bytes: Array(text.utf8), names: names)
        return reader.removed()
    }

    private struct Reader {
        let bytes: [UInt8]
        let names: SecretNameSet
        var place = 0
        var kept: [UInt8] = []

        mutating func removed() -> String {
            while place < bytes.count {
                guard bytes[place] == UInt8(ascii: "\"") else {
                    kept.append(bytes[place])
                    place += 1
                    continue
                }
                let start = place
                skipString()
                kept += bytes[start..<place]
                let key = bytes[start..<place]
                let afterKey = place
                skipSpace()
                guard place < bytes.count, bytes[place] == UInt8(ascii: ":"), isSecret(key) else {
                    place = afterKey
                    continue
                }
                place += 1
                skipSpace()
                kept += bytes[afterKey..<place]
                removeValue()
            }
            return String(decoding: kept, as: UTF8.self)
        }

        /// Whether a string literal is a secret key.
        private func isSecret(_ literal: ArraySlice<UInt8>) -> Bool {
            let inner = String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
            guard inner.utf8.contains(UInt8(ascii: "\\")) else { return names.contains(inner) }
            let key = try? JSONDefaults.decoder.decode(String.self, from: Data(literal))
            return names.contains(key ?? inner)
        }

        /// Replaces the scalars of a value, which ends where its containers are closed.
        private mutating func removeValue() {
            var depth = 0
            var isKey = false
            var objects: [Bool] = []
            repeat {
                guard place < bytes.count else { return }
                switch bytes[place] {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    objects.append(bytes[place] == UInt8(ascii: "{"))
                    isKey = objects.last ?? false
                    depth += 1
                    keepByte()
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    guard depth > 0 else { return }
                    objects.removeLast()
                    depth -= 1
                    isKey = false
                    keepByte()
                case UInt8(ascii: "\""):
                    let start = place
                    skipString()
                    kept += isKey ? Array(bytes[start..<place]) : Array("\"\(Redaction.mark)\"".utf8)
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    skipWord()
                    kept.append(UInt8(ascii: "0"))
                case UInt8(ascii: ","):
                    isKey = objects.last ?? false
                    keepByte()
                case UInt8(ascii: ":"):
                    isKey = false
                    keepByte()
                case UInt8(ascii: "a")...UInt8(ascii: "z"):
                    // true, false and null reveal nothing that the type does not.
                    let start = place
                    skipWord()
                    kept += bytes[start..<place]
                default: keepByte()
                }
            } while depth > 0
        }

        private mutating func keepByte() {
            kept.append(bytes[place])
            place += 1
        }

        private mutating func skipString() {
            place += 1
            while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
            }
            place = min(place + 1, bytes.count)
        }

        private mutating func skipWord() {
            while place < bytes.count, !Self.ends(bytes[place]) { place += 1 }
        }

        private mutating func skipSpace() {
            while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
        }

        /// Whether a byte ends a number or a word.
        private static func ends(_ byte: UInt8) -> Bool { byte <= 0x20 || ",]}:\"[{".utf8.contains(byte) }
    }
}
