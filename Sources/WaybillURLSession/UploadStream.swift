#if !canImport(FoundationNetworking)
    import Foundation
    import WaybillHTTP
    import WaybillTransports

    /// A bound pair of streams that feeds a request body to `URLSession`.
    ///
    /// `URLSession` reads from `input`; the upload is written to `output` whenever it has space.
    ///
    /// `@unchecked Sendable`: `writer` and `isClosed` are only accessed on `queue`; all other properties are constants.
    final class UploadStream: NSObject, StreamDelegate, @unchecked Sendable {
        /// The readable end, which `URLSession` opens.
        let input: InputStream

        private let output: OutputStream
        private let queue = DispatchQueue(label: "Waybill.URLSessionTransport.upload", qos: .userInitiated)
        private let report: @Sendable (Progress) -> Void
        private var writer: UploadWriter
        private var isClosed = false

        /// A progress report for the transfer.
        enum Progress {
            case moved
            case failed(TransportError)
        }

        /// Creates a stream and opens its writable end; returns nil if the pair of streams cannot be created.
        ///
        /// - Parameters:
        ///   - upload: the bytes, from the upload's current position.
        ///   - report: called on the stream's queue when bytes may have been moved, and when the upload fails.
        init?(_ upload: Upload, report: @escaping @Sendable (Progress) -> Void) {
            var readable: InputStream?
            var writable: OutputStream?
            Stream.getBoundStreams(withBufferSize: 64 * 1024, inputStream: &readable, outputStream: &writable)
            guard let input = readable, let output = writable else { return nil }
            self.input = input
            self.output = output
            self.report = report
            writer = UploadWriter(upload)
            super.init()
            output.delegate = self
            CFWriteStreamSetDispatchQueue(output as CFWriteStream, queue)
            output.open()
        }

        /// Continues after the upload had no bytes available.
        func wake() { queue.async { [self] in move() } }

        /// Closes the stream.
        func close() {
            queue.async { [self] in
                guard !isClosed else { return }
                isClosed = true
                output.delegate = nil
                CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
                output.close()
            }
        }

        func stream(_ stream: Stream, handle event: Stream.Event) {
            switch event {
            case .openCompleted, .hasSpaceAvailable: move()
            // The session has closed its end, and reports the reason separately.
            case .errorOccurred, .endEncountered: close()
            default: break
            }
        }

        private func move() {
            guard !isClosed else { return }
            switch writer.write(to: output) {
            case .waiting: report(.moved)
            case .ended, .closed: close()
            // The stream stays open, because the session would treat its end as the end of the body.
            case .failed(let error): report(.failed(error))
            }
        }
    }
#endif
