import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

struct Photo: Entity {
    let id: Int
}

private struct Meta: RequestContent {
    let album: Int
}

struct Photos: API {
    let client: Client

    func upload(_ photo: URL, title: String) -> Endpoint<Photo> {
        endpoint {
            POST("photos")
            Multipart {
                Multipart.Part("title", title)
                Multipart.Part("meta", json: Meta(album: 7))
                Multipart.Part("photo", file: photo, contentType: "image/jpeg")
            }
        }
    }
}

struct Videos: API {
    let client: Client

    func upload(_ video: URL) -> Endpoint<Void> {
        endpoint {
            POST("files")
            Body(file: video, contentType: "video/mp4")
            Resumable(.tus(metadata: ["filename": video.lastPathComponent]))
            Retry(attempts: 5)
        }
    }
}

/// The same declaration outside of the main actor.
nonisolated private struct PlainPhotos: API {
    struct Photo: Entity {
        let id: Int
    }

    let client: Client

    func upload(_ photo: URL, title: String) -> Endpoint<Photo> {
        endpoint {
            POST("photos")
            Multipart { Multipart.Part("photo", file: photo, contentType: "image/jpeg") }
        }
    }
}

@Suite("Uploads.md")
struct UploadsSamples {
    private struct Filter: RequestContent { let tags: [String] }

    private struct Bar { func update(_ fraction: Double) {} }

    /// Returns a new temporary file.
    nonisolated private func file() throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("waybill-\(UUID().uuidString).jpg")
        try Data("dawn".utf8).write(to: file)
        return file
    }

    @Test("The upload with progress in Uploads.md sends the form")
    func uploading() async throws {
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport(["POST photos": .json(#"{"id":7}"#)])
        let photos = Photos(client: Client(Sample.url, transport: stub))
        let bar = Bar()
        let control = TransferControl()
        async let photo = photos.upload(file, title: "Dawn").send(controlledBy: control)
        for await progress in control.progress { bar.update(progress.fractionSent ?? 0) }
        print(try await photo.id)
        #expect(stub.requests.first?.text.contains("name=\"title\"\r\n\r\nDawn\r\n") == true)
        #expect(stub.requests.first?.text.contains("\r\n\r\n{\"album\":7}\r\n") == true)
    }

    @MainActor
    private final class MainBar {
        var fractions: [Double] = []
        func update(_ fraction: Double) async { fractions.append(fraction) }
    }

    @Test("The progress beside a typed error in Uploads.md compiles on the main actor and sends the form")
    @MainActor
    func progressOnMainActor() async throws {
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport(["POST photos": .json(#"{"id":7}"#)])
        let photos = Photos(client: Client(Sample.url, transport: stub))
        let bar = MainBar()
        do throws(APIError) {
            let control = TransferControl()
            Task { for await progress in control.progress { await bar.update(progress.fractionSent ?? 0) } }
            let photo = try await photos.upload(file, title: "Dawn").send(controlledBy: control)
            print(photo.id)
        } catch {
            print(error)
        }
        #expect(stub.requests.count == 1)
    }

    @Test("The progress beside a typed error in Uploads.md compiles outside an actor and sends the form")
    nonisolated func progressOnNoActor() async throws {
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport(["POST photos": .json(#"{"id":7}"#)])
        let photos = PlainPhotos(client: Client(Sample.url, transport: stub))
        let bar = MainBar()
        do throws(APIError) {
            let control = TransferControl()
            Task { for await progress in control.progress { await bar.update(progress.fractionSent ?? 0) } }
            let photo = try await photos.upload(file, title: "Dawn").send(controlledBy: control)
            print(photo.id)
        } catch {
            print(error)
        }
        #expect(stub.requests.count == 1)
    }

    @Test("The explanation lists the parts in Uploads.md")
    func parts() throws {
        let (title, place, photos) = ("Dawn", nil as String?, [try file()])
        defer { try? FileManager.default.removeItem(at: photos[0]) }
        let (filter, png, log) = (Filter(tags: ["a"]), Data([1]), HTTPBody(Data("one".utf8)))
        let form: Endpoint<Void> = Client(Sample.url).endpoint {
            POST("photos")
            Multipart {
                Multipart.Part("title", title)
                Multipart.Part("place", place)  // nothing if it is nil
                Multipart.Part("filter", formEncoding: filter, arrays: .brackets)  // filter[tags][]=…
                for photo in photos { Multipart.Part("photo", file: photo, contentType: "image/jpeg") }
                Multipart.Part("preview", png, fileName: "preview.png", contentType: "image/png")
                Multipart.Part("log", log, fileName: "log.txt", contentType: "text/plain")  // an HTTPBody
            }
        }
        let explanation = try form.explanation
        for part in [
            "title: 4 bytes", "filter[tags][]: 1 bytes", "preview: preview.png, 1 bytes of image/png",
            "log: log.txt, 3 bytes of text/plain",
        ] {
            #expect(explanation.contains("Part \(part)"))
        }
    }

    @Test("The resumable upload in Uploads.md saves a token that lets the next call resend nothing")
    func resuming() async throws {
        let (video, place) = (try file(), try file())
        defer { for file in [video, place] { try? FileManager.default.removeItem(at: file) } }
        let created = StubResponse.status(201).header("Location", "/uploads/1")
        let stub = StubTransport([
            "POST files": .response(created),
            "PATCH files": .response(.status(204).header("Upload-Offset", "4")),
            "HEAD files": .response(.status(200).header("Upload-Offset", "4")),
        ])
        let videos = Videos(client: Client(Sample.url, transport: stub))
        for requests in [2, 3] {
            let control = TransferControl()
            let saved = try? JSONDecoder().decode(Resumable.Token.self, from: Data(contentsOf: place))
            try await videos.upload(video).send(resuming: saved, controlledBy: control) { token in
                try? JSONEncoder().encode(token).write(to: place)
            }
            #expect(stub.requests.count == requests)
        }
    }

    private struct Blob: Sendable {
        nonisolated let count = 3_000_000

        nonisolated func chunks(from offset: Int) -> AsyncStream<Data> {
            AsyncStream { continuation in
                continuation.yield(Data(count: count - offset))
                continuation.finish()
            }
        }
    }

    @Test("The body with a source in Uploads.md is read from an offset")
    func seeking() async throws {
        let blob = Blob()
        let body = HTTPBody(length: blob.count) { offset in blob.chunks(from: offset) }
        let rest = body.remainder(from: 1_000_000)  // without the first million bytes
        #expect(try await rest?.collect().count == 2_000_000)
    }
}
