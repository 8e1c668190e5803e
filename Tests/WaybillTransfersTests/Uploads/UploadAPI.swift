import CallSupport
import Foundation
import Waybill
import WaybillTransfers

/// The protocols for which the suites run.
enum TestedProtocol: String, Sendable, CaseIterable {
    case draft, tus

    var declared: Resumable.UploadProtocol { self == .draft ? .draft : .tus }

    /// Whether an upload over a transport is created with its content.
    func createsWithContent(over carrier: Carrier) -> Bool {
        self == .draft && !carrier.deviations.contains(.hidesInterimResponses)
    }
}

/// An API that takes files.
struct UploadAPI: API {
    struct Receipt: Decodable, Sendable, Hashable {
        let id: Int
    }

    let client: Client

    /// An upload whose response does not matter.
    func upload(_ body: HTTPBody, by resumable: Resumable) -> Endpoint<Void> {
        endpoint {
            POST("files")
            Body(body, contentType: "video/mp4")
            resumable
        }
    }

    /// An upload with the response of the resource.
    func receipt(_ body: HTTPBody, by resumable: Resumable) -> Endpoint<Receipt> {
        endpoint {
            POST("files")
            Body(body, contentType: "video/mp4")
            resumable
        }
    }
}

extension HTTPBody {
    /// A body in pieces that can be read from any of its bytes on.
    static func seekable(_ bytes: Data) -> HTTPBody {
        HTTPBody(length: bytes.count) { Chunks(Data(bytes.dropFirst($0)), size: 50_001) }
    }
}
