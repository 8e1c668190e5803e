import Dispatch
import WaybillSystem

/// The file of a jar: the cookies as JSON, in a directory that is the user's alone.
final class CookieFile: Sendable {
    private struct Content: Codable {
        let version: Int
        let cookies: [CookieJar.Cookie]
    }

    private static let version = 1
    private static let mostBytes = 64_000_000
    private static let (name, unfinishedName) = ("cookies.json", "cookies.unfinished")

    let url: URL
    let keepsSessionCookies: Bool
    private let directory: DirectoryDescriptor
    // File operations block: they are kept off the threads on which tasks run, and in order.
    private let queue = DispatchQueue(label: "waybill.cookies")

    init(_ url: URL, keepsSessionCookies: Bool) throws(DirectoryError) {
        self.url = url
        self.keepsSessionCookies = keepsSessionCookies
        directory = try DirectoryDescriptor(url)
        directory.remove(Self.unfinishedName)
    }

    /// Reads the cookies; none if there is no file yet.
    func read() throws(DirectoryError) -> [CookieJar.Cookie] {
        guard let bytes = directory.read(Self.name, upTo: Self.mostBytes) else {
            guard directory.exists(Self.name) else { return [] }
            throw DirectoryError(url, .unreadableFile(Self.name))
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: bytes), content.version == Self.version else {
            throw DirectoryError(url, .unreadableFile(Self.name))
        }
        return content.cookies
    }

    /// Writes the cookies of a jar, unless the file has them.
    func write(_ state: Locked<CookieJar.State>) async throws(DirectoryError) {
        let failure = await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: write(state)) }
        }
        if let failure { throw DirectoryError(url, .fileSystem(code: failure)) }
    }

    private func write(_ state: Locked<CookieJar.State>) -> Int32? {
        let (cookies, changes, isWritten) = state.withLock { state in
            (state.ordered, state.changes, state.changes == state.writtenChanges)
        }
        guard !isWritten else { return nil }
        let kept = keepsSessionCookies ? cookies : cookies.filter { $0.expires != nil }
        guard let bytes = try? JSONEncoder().encode(Content(version: Self.version, cookies: kept)) else { return EIO }
        if let failure = directory.write(bytes, as: Self.name, unfinished: Self.unfinishedName) { return failure }
        state.withLock { $0.writtenChanges = changes }
        return nil
    }
}

extension CookieJar {
    /// Returns a jar whose cookies are kept in a file, so that they outlive the process.
    ///
    /// ```swift
    /// let jar = try CookieJar.onDisk(at: directory)
    /// ```
    ///
    /// The file is not encrypted: its directory is created with mode 0700 and the file with 0600, and a directory that
    /// belongs to another user, that others can write, or that is a symbolic link is rejected. A call whose response
    /// changes a cookie ends when the file is written. If it cannot be written, the call succeeds, the jar has the
    /// cookie in memory, and the next change writes it too; ``save()`` throws the error.
    ///
    /// One jar at a time uses a directory: two of them would replace each other's cookies.
    ///
    /// - Parameters:
    ///   - directory: the directory of the file.
    ///   - keepsSessionCookies: whether cookies without a date of their end are kept too.
    ///   - publicSuffixes: the domains below which others have domains of their own, such as `co.uk` or `.co.uk`.
    /// - Returns: the jar.
    /// - Throws: ``DirectoryError`` for such a directory, and for a file that is damaged.
    public static func onDisk(
        at directory: URL,
        keepsSessionCookies: Bool = false,
        publicSuffixes: Set<String> = []
    ) throws(DirectoryError) -> CookieJar {
        let file = try CookieFile(directory, keepsSessionCookies: keepsSessionCookies)
        return CookieJar(try file.read(), publicSuffixes: publicSuffixes, file: file)
    }

    /// Writes the cookies to the jar's file if they have changed, and waits until it is written.
    ///
    /// Calls do it by themselves. It is for changes of the app's own, and to find out why a file cannot be written. A
    /// jar in memory does nothing.
    ///
    /// - Throws: ``DirectoryError`` if the file cannot be written.
    public func save() async throws(DirectoryError) { try await file?.write(state) }
}
