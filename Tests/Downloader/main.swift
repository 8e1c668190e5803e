import Foundation
import Waybill
import WaybillTransfers

// A process that downloads or uploads a file, for tests that kill it midway. Its arguments are the server's URL and the
// file's path; for an upload, also the path of the file that stores the upload's token.
private struct Server: API {
    let client: Client

    var file: Endpoint<Data> { endpoint { GET("files/1") } }

    func upload(_ file: URL) -> Endpoint<Void> {
        endpoint {
            POST("files")
            Body(file: file, contentType: "application/octet-stream")
            Resumable(.tus)
        }
    }
}

private let arguments = CommandLine.arguments
guard (3...4).contains(arguments.count), let url = URL(string: arguments[1]) else {
    print("usage: downloader <url> <path> [<path of a token>]")
    exit(2)
}
do throws(APIError) {
    let server = Server(client: Client(url))
    let file = URL(fileURLWithPath: arguments[2])
    if arguments.count == 4 {
        let place = URL(fileURLWithPath: arguments[3])
        let saved = try? JSONDecoder().decode(Resumable.Token.self, from: Data(contentsOf: place))
        try await server.upload(file).send(resuming: saved) { token in
            try? JSONEncoder().encode(token).write(to: place, options: .atomic)
        }
    } else {
        print(try await server.file.download(to: file).bytesResumed)
    }
} catch {
    print(error)
    exit(1)
}
