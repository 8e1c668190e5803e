import Dispatch
import Waybill
@_exported import WaybillFiles
import WaybillSystem

/// The file of a cookie jar, which stores the cookies as JSON in a directory accessible only to the user.
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
    // File operations block. The queue keeps them in order and off the concurrency runtime's threads.
    private let queue = DispatchQueue(label: "waybill.cookies")

    init(_ url: URL, keepsSessionCookies: Bool) throws(DirectoryError) {
        self.url = url
        self.keepsSessionCookies = keepsSessionCookies
        directory = try DirectoryDescriptor(url)
        directory.remove(Self.unfinishedName)
    }

    /// Reads the cookies; returns an empty array if there is no file yet.
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

    /// Writes the cookies of a jar if they have changed since the last write.
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
    /// Creates a jar that persists its cookies across launches in a file.
    ///
    /// ```swift
    /// let jar = try CookieJar.onDisk(at: directory)
    /// ```
    ///
    /// The file is not encrypted. The directory is created with mode 0700 and the file with 0600. A directory is
    /// rejected if it belongs to another user, if others can write to it, or if it is a symbolic link. A call whose
    /// response changes a cookie waits until the file has been written. If writing fails, the call still succeeds, the
    /// cookie remains in memory, and the next write includes it; only ``save()`` throws the error.
    ///
    /// Use a directory for only one jar at a time; two would overwrite each other's cookies.
    ///
    /// - Parameters:
    ///   - directory: the directory of the file.
    ///   - keepsSessionCookies: whether to also store cookies without an expiry date.
    ///   - publicSuffixes: domains whose subdomains belong to different owners, such as `co.uk` or `.co.uk`.
    /// - Returns: the jar.
    /// - Throws: `DirectoryError` if the directory is rejected or inaccessible, or if the file is damaged.
    public static func onDisk(
        at directory: URL,
        keepsSessionCookies: Bool = false,
        publicSuffixes: Set<String> = []
    ) throws(DirectoryError) -> CookieJar {
        let file = try CookieFile(directory, keepsSessionCookies: keepsSessionCookies)
        return CookieJar(try file.read(), publicSuffixes: publicSuffixes, file: file)
    }

    /// Writes the cookies to the jar's file if they have changed, and waits until they are written.
    ///
    /// Calls do this automatically. Call this method after changing cookies directly, or to learn why the file cannot
    /// be written. For a jar in memory, it does nothing.
    ///
    /// - Throws: `DirectoryError` if the file cannot be written.
    public func save() async throws(DirectoryError) { try await file?.write(state) }
}
