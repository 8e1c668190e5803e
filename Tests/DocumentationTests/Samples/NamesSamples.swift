import Waybill

/// The code of Names.md.
enum NamesSamples {
    struct Lamp: Waybill.Entity {
        let id: Int
    }

    struct UserAgent: Waybill.Middleware {
        func handle(_ request: Self.Request, of call: Call, next: Next) async throws(APIError) -> Self.Response {
            var request = request
            request.headerFields[.userAgent] = "shop/1.0"
            return try await next(request)
        }
    }

    #if compiler(>=6.3)
        func named(_ name: String) -> Waybill::Query { Waybill::Query("name", name) }
    #endif

    typealias Entity = Waybill.Entity
    typealias Resource = Waybill.Resource
}

#if canImport(SwiftUI)
    import SwiftUI

    struct RenameView: View {
        let client: Client

        var body: some View { Text("Rename") }

        func rename(_ name: String) -> Endpoint<Void> {
            client.endpoint {
                PUT("name")
                Waybill.Body(["name": name])
            }
        }
    }
#endif
