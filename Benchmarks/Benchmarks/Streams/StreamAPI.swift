import Foundation
import Waybill
import WaybillTransfers

/// The API of the ``StreamServer``.
struct StreamAPI: API {
    let client: Client

    init(_ url: URL) { client = Client(url) }

    /// The response to an upload: the number of bytes received, and whether they end like a complete form.
    struct Receipt: Decodable, Sendable, Equatable {
        let bytes: Int
        let isComplete: Bool
    }

    struct Nothing: Decodable, Sendable {}

    var ready: Endpoint<Nothing> { endpoint { GET("ready") } }

    func upload(_ file: URL) -> Endpoint<Receipt> {
        endpoint {
            POST("multipart")
            Multipart { Multipart.Part("file", file: file) }
        }
    }

    var file: Endpoint<Data> { endpoint { GET("download") } }

    func list<Element: Decodable & Sendable>(_ task: StreamTask, of type: Element.Type) -> Endpoint<[Element]> {
        endpoint {
            GET("\(task.rawValue)")
            Envelope("data")
        }
    }

    var changes: Endpoint<Events<ListedProduct>> {
        endpoint {
            GET("events")
            Events.Reconnection.none
        }
    }
}
