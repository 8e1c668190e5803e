import Foundation
import Waybill

/// The recorded fault of a transport, or the place where a reader left a body.
struct RecordedFault: Sendable, Hashable {
    /// The kind; nil for a body that was not read further.
    var kind: TransportError.Kind?
    var phase: TransportError.Phase?
    var timeout: TransportError.Timeout?
    var message = ""

    /// The error that a replay throws.
    var error: TransportError {
        guard let kind else {
            return TransportError(.other, "the recording ends here, because its reader read no further")
        }
        return TransportError(kind, message, phase: phase, timeout: timeout)
    }
}

extension RecordedFault {
    init(_ error: TransportError, message: String) {
        self.init(kind: error.kind, phase: error.phase, timeout: error.timeout, message: message)
    }

    /// The name of the kind in the file of a body that was not read to its end.
    private static let unread = "unread"

    /// The members of the file.
    var json: JSONValue {
        var members: [String: JSONValue] = ["kind": .string(kind.map { "\($0)" } ?? Self.unread)]
        if let phase { members["phase"] = .string("\(phase)") }
        if let timeout { members["timeout"] = .string("\(timeout)") }
        if !message.isEmpty { members["message"] = .string(message) }
        return .object(members)
    }
}

extension RecordedFault: Decodable {
    init(from decoder: any Decoder) throws {
        let members = try HARMembers(decoder, ["kind", "phase", "timeout", "message"])
        let name = try members.value("kind", String.self)
        let kinds = TransportError.Kind.allCases
        if name != Self.unread {
            kind = try members.choice("kind", name, kinds, others: [Self.unread])
        }
        if let name = try members.optional("phase", String.self) {
            phase = try members.choice("phase", name, TransportError.Phase.allCases)
        }
        if let name = try members.optional("timeout", String.self) {
            timeout = try members.choice("timeout", name, TransportError.Timeout.allCases)
        }
        message = try members.optional("message", String.self) ?? ""
    }
}
