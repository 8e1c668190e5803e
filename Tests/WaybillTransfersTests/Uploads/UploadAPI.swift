import CallSupport
import Foundation
import Waybill
import WaybillTransfers

/// The protocols that the suites test.
enum TestedProtocol: String, Sendable, CaseIterable {
    case draft, tus

    var declared: Resumable.UploadProtocol { self == .draft ? .draft : .tus }

    /// Whether the request that creates the upload contains its content.
    func createsWithContent(over carrier: Carrier) -> Bool {
        self == .draft && !carrier.deviations.contains(.hidesInterimResponses)
    }
}

/// An API that accepts files.
struct UploadAPI: API {
    struct Receipt: Decodable, Sendable, Hashable {
        let id: Int
    }

    let client: Client

    /// Returns an upload that ignores the response.
    func upload(_ body: HTTPBody, by resumable: Resumable) -> Endpoint<Void> {
        endpoint {
            POST("files")
            Body(body, contentType: "video/mp4")
            resumable
        }
    }

    /// Returns an upload that decodes the resource's response.
    func receipt(_ body: HTTPBody, by resumable: Resumable) -> Endpoint<Receipt> {
        endpoint {
            POST("files")
            Body(body, contentType: "video/mp4")
            resumable
        }
    }
}

extension HTTPBody {
    /// Returns a body in chunks that can be read from any offset.
    static func seekable(_ bytes: Data) -> HTTPBody {
        HTTPBody(length: bytes.count) { Chunks(Data(bytes.dropFirst($0)), size: 50_001) }
    }
}
