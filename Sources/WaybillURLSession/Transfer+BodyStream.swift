#if !canImport(FoundationNetworking)
    import Foundation
    import WaybillHTTP
    import WaybillTransports

    extension Transfer {
        /// Returns a stream that reads the body from its start.
        ///
        /// `URLSession` needs one to send the request, and another to resend the request after the connection was
        /// lost. Resending is allowed if the method is idempotent (RFC 9110, section 9.2.2) and the body can be read
        /// again; otherwise the transfer ends.
        func newBodyStream() -> InputStream? {
            guard let upload, !hasEnded else { return nil }
            let previous = bodyStream.withLock { $0.take() }
            previous?.close()
            guard previous == nil || (method.isIdempotent && upload.rewind()) else {
                let reason = method.isIdempotent ? "its body cannot be read again" : "\(method) is not idempotent"
                stop(TransportError(.connectionLost, "\(host) closed it; the request was not resent: \(reason)"))
                return nil
            }
            let stream = UploadStream(upload) { [weak self] progress in
                switch progress {
                case .moved: self?.touch()
                case .failed(let error): self?.stop(error)
                }
            }
            guard let stream else { return nil }
            bodyStream.withLock { $0 = stream }
            if previous == nil { upload.start { [weak self] in self?.bodyStream.withLock { $0 }?.wake() } }
            return stream.input
        }

        /// Closes the body's stream after the task has ended or been cancelled.
        func closeBodyStream() {
            upload?.stop()
            bodyStream.withLock { $0.take() }?.close()
        }
    }
#endif
