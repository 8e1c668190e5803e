import Foundation
import WaybillHTTP
import WaybillTransports

/// The body of a request in the form in which `URLSession` sends it.
///
/// `URLSession` on Linux treats a stream without bytes at the moment as ended, and sends one request's stream with
/// another request, so bodies are in memory there. On Apple's platforms streams are read while they are sent.
enum OutgoingBody: Sendable {
    case none
    case bytes(Data)
    case stream(Upload)

    /// The number of bytes; nil if it is not known.
    var length: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .stream(let upload): upload.length
        }
    }

    /// Whether the body has no bytes.
    var isEmpty: Bool { length == 0 }

    /// The bytes that are read while they are sent; nil if they are in memory.
    var upload: Upload? { if case .stream(let upload) = self { upload } else { nil } }
}
