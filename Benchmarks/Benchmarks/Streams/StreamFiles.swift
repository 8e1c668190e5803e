import Foundation

/// The files of the suite `streams`, in a folder of their own.
struct StreamFiles: Sendable {
    /// The error of a file with other bytes than those that were sent.
    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    let folder: URL
    let size: StreamSize

    init(folder: URL, size: StreamSize) {
        self.folder = folder
        self.size = size
    }

    /// Reads ``arguments``.
    init?(_ arguments: some Collection<String>) {
        guard arguments.count == 2, let path = arguments.first,
            let megabytes = arguments.dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        self.init(folder: URL(fileURLWithPath: path), size: StreamSize(megabytes: megabytes))
    }

    /// The folder and the size as arguments of a program.
    var arguments: [String] { [folder.path, "\(size.megabytes)"] }

    /// The file that is uploaded and copied.
    var source: URL { folder.appendingPathComponent("source") }

    /// The file that a client writes.
    func target(_ client: StreamClient) -> URL { folder.appendingPathComponent(client.rawValue) }

    /// Writes the source.
    func writeSource() throws {
        let body = StreamBody(.download, size)
        try Data().write(to: source)
        let file = try FileHandle(forWritingTo: source)
        var block = body.block
        for number in 0..<body.count {
            block.number(number)
            try file.write(contentsOf: block)
        }
        // The system does not write it while something is measured.
        try file.synchronize()
        try file.close()
    }

    /// Checks that a file has all bytes of the source, and removes it.
    ///
    /// - Throws: ``Difference``.
    func checkAndRemove(_ url: URL) throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let body = StreamBody(.download, size)
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        var block = body.block
        for number in 0..<body.count {
            block.number(number)
            guard try file.read(upToCount: block.count) == block else {
                throw Difference(description: "\(url.lastPathComponent) differs in its block \(number)")
            }
        }
        guard try file.read(upToCount: 1)?.isEmpty ?? true else {
            throw Difference(description: "\(url.lastPathComponent) has more than \(body.length) bytes")
        }
    }
}

extension Data {
    /// Writes a number over the first 8 bytes.
    mutating func number(_ number: Int) {
        withUnsafeMutableBytes { $0.storeBytes(of: UInt64(number).littleEndian, as: UInt64.self) }
    }
}
