import Foundation
import Testing

@testable import WaybillJSON

/// A document around a value, with a type that decodes all or part of it.
struct Surroundings: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: String
    let after: String
    let read: @Sendable (Data) throws -> Void

    private init<T: Decodable & SendableMetatype>(_ name: String, _ before: String, _ after: String, as type: T.Type) {
        (testDescription, self.before, self.after) = (name, before, after)
        read = { _ = try WaybillJSONDecoder().decode(type, from: $0) }
    }

    func document(_ value: [UInt8], padding: Int = 0) -> Data {
        Data(Array(repeating: 0x20, count: padding) + Array(before.utf8) + value + Array(after.utf8))
    }

    static let all: [Self] = [
        Self("the whole document, nothing read", "", "", as: Ignored.self),
        Self("the whole document, all read", "", "", as: Everything.self),
        Self("the whole document, what fails read as nothing", "", "", as: Lenient.self),
        Self("a member before the one that is read", #"{"unread":"#, #","v":1}"#, as: OneMember.self),
        Self("a member behind the one that is read", #"{"v":1,"unread":"#, "}", as: OneMember.self),
        Self("an element behind the one that is read", "[1,", "]", as: FirstElement.self),
        Self("an element before others", "[", ",1,2]", as: Ignored.self),
        Self("three deep, not read", #"{"v":1,"a":[{"b":[0,"#, #"]}]}"#, as: OneMember.self),
        Self("three deep, read", #"{"a":[{"b":"#, #"}],"c":[]}"#, as: Everything.self),
        Self(
            "a string's worth behind",
            #"{"unread":"#,
            #","more":"\#(String(repeating: "x", count: 70))"}"#,
            as: Ignored.self
        ),
    ]

    /// A type that decodes nothing.
    struct Ignored: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// A type that decodes everything, accepting a number in any form.
    struct Everything: Decodable {
        init(from decoder: any Decoder) throws {
            if let object = try? decoder.container(keyedBy: AnyKey.self) {
                for key in object.allKeys { _ = try object.decode(Everything.self, forKey: key) }
            } else if var array = try? decoder.unkeyedContainer() {
                while !array.isAtEnd { _ = try array.decode(Everything.self) }
            } else {
                let value = try decoder.singleValueContainer()
                if value.decodeNil() || (try? value.decode(Bool.self)) != nil { return }
                if (try? value.decode(Double.self)) == nil { _ = try? value.decode(String.self) }
            }
        }
    }

    /// A type that treats every failure as a missing value.
    struct Lenient: Decodable {
        init(from decoder: any Decoder) throws {
            _ = try? decoder.container(keyedBy: AnyKey.self).decode(Lenient.self, forKey: "a")
            if var array = try? decoder.unkeyedContainer() { _ = try? array.decode(Lenient.self) }
            _ = try? decoder.singleValueContainer().decode(String.self)
            _ = try? decoder.singleValueContainer().decode(Double.self)
        }
    }

    struct OneMember: Decodable {
        let v: Int
    }

    struct FirstElement: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            _ = try container.decode(Int.self)
        }
    }
}

/// Expects our decoder to accept a document, without comparing it to another decoder.
func expectAccepted(_ data: Data, _ read: (Data) throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
    do { try read(data) } catch {
        Issue.record("\(shown(data)) was rejected: \(error)", sourceLocation: sourceLocation)
    }
}

/// Expects our decoder to reject a document with `dataCorrupted`, whatever type is decoded.
func expectRejected(_ data: Data, _ read: (Data) throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
    let complaint: String
    do {
        try read(data)
        complaint = "was accepted"
    } catch DecodingError.dataCorrupted {
        return
    } catch {
        complaint = "was rejected as \(Outcome.words(for: error))"
    }
    Issue.record("\(shown(data)) \(complaint)", sourceLocation: sourceLocation)
}

/// Returns a printable form of a document: its ASCII text, with other bytes in hexadecimal.
func shown(_ data: Data) -> String {
    let text = data.map { byte in
        (0x20..<0x7F).contains(byte) ? String(UnicodeScalar(byte)) : "<\(String(byte, radix: 16, uppercase: true))>"
    }
    return text.count > 200 ? text.prefix(200).joined() + "… (\(data.count) bytes)" : text.joined()
}
