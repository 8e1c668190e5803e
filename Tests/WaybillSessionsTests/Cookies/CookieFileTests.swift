import Foundation
import TestSupport
import Testing
import Waybill
import WaybillFiles
import WaybillSessions
import WaybillTesting

@Suite("Cookies on disk")
struct CookieFileTests {
    private let url: URL

    init() throws { url = try #require(URL(string: "https://shop.example")) }

    @Test("Persistent cookies outlive the jar, and session cookies do if requested", arguments: [false, true])
    func outlive(keepsSessionCookies: Bool) async throws {
        let directory = TemporaryDirectory()
        let place = directory.url.appending(path: "Cookies")
        let jar = try CookieJar.onDisk(at: place, keepsSessionCookies: keepsSessionCookies)
        let stub = StubTransport([
            "GET a": .status(204).header("Set-Cookie", "long=1; Max-Age=1000; Path=/").header(
                "Set-Cookie",
                "short=2; Path=/"
            )
        ])
        let client = Client(url, transport: stub) { Cookies(jar) }
        let endpoint: Endpoint<Void> = client.endpoint { GET("a") }
        try await endpoint.send()
        // The call has ended, so the file has been written.
        let next = try CookieJar.onDisk(at: place, keepsSessionCookies: keepsSessionCookies)
        #expect(next.cookies.map(\.name) == (keepsSessionCookies ? ["long", "short"] : ["long"]))
        next.removeAll()
        try await next.save()
        #expect(try CookieJar.onDisk(at: place).cookies.isEmpty)
    }

    @Test("Only the owner can access the file and its directory")
    func permissions() async throws {
        let directory = TemporaryDirectory()
        let place = directory.url.appending(path: "Cookies")
        let jar = try CookieJar.onDisk(at: place)
        jar.insert(CookieJar.Cookie("a", "1", domain: "shop.example", expires: Date().addingTimeInterval(31_536_000)))
        try await jar.save()
        let permissions = try ["", "cookies.json"].map { name in
            let path = name.isEmpty ? place.path : place.appending(path: name).path
            return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(permissions == [0o700, 0o600])
    }

    @Test("A damaged file is an error that names its directory, and the file is kept")
    func damaged() async throws {
        let directory = TemporaryDirectory()
        let place = directory.url.appending(path: "Cookies")
        let jar = try CookieJar.onDisk(at: place)
        jar.insert(CookieJar.Cookie("a", "1", domain: "shop.example", expires: Date().addingTimeInterval(31_536_000)))
        try await jar.save()
        let file = place.appending(path: "cookies.json")
        let whole = try Data(contentsOf: file)
        for damaged in [Data(), whole.dropLast(3), Data(#"{"version":2,"cookies":[]}"#.utf8)] {
            try damaged.write(to: file)
            let error = #expect(throws: DirectoryError.self) { _ = try CookieJar.onDisk(at: place) }
            #expect(error?.reason == .unreadableFile("cookies.json"))
            #expect("\(try #require(error))".contains(place.path))
            #expect(try Data(contentsOf: file) == damaged)
        }
        try whole.write(to: file)
        #expect(try CookieJar.onDisk(at: place).cookies.map(\.value) == ["1"])
    }

    @Test("A directory writable by others is rejected")
    func writableByOthers() throws {
        let directory = TemporaryDirectory()
        let place = directory.url.appending(path: "Open")
        try FileManager.default.createDirectory(
            at: place,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o777]
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place.path)
        let error = #expect(throws: DirectoryError.self) { _ = try CookieJar.onDisk(at: place) }
        #expect(error?.reason == .writableByOthers(mode: 0o777))
    }

    @Test("A call succeeds even if its cookies cannot be written, and saving throws")
    func unwritable() async throws {
        let directory = TemporaryDirectory()
        let place = directory.url.appending(path: "Cookies")
        let jar = try CookieJar.onDisk(at: place, keepsSessionCookies: true)
        try FileManager.default.removeItem(at: place)
        let stub = StubTransport(["GET a": .status(204).header("Set-Cookie", "a=1")])
        let client = Client(url, transport: stub) { Cookies(jar) }
        let endpoint: Endpoint<Void> = client.endpoint { GET("a") }
        try await endpoint.send()
        #expect(jar.value(of: "a", for: url) == "1")
        await #expect(throws: DirectoryError.self) { try await jar.save() }
    }
}
