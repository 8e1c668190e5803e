import Foundation
import WaybillHTTP
import WaybillTransports

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session delegate that passes each event to its transfer.
///
/// It never blocks: on Linux, a blocked callback blocks all sessions in the process.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let queue: DispatchQueue
    /// Keyed by object, because task identifiers are only unique within a session.
    private let transfersByTask = Locked<[ObjectIdentifier: Transfer]>([:])
    #if !canImport(FoundationNetworking)
        private let challengeHandler: URLSessionTransport.ChallengeHandler?
    #endif

    /// Creates a delegate.
    ///
    /// - Parameters:
    ///   - queue: the serial queue on which tasks are cancelled.
    ///   - settings: the settings of the transport.
    init(queue: DispatchQueue, settings: URLSessionSettings) {
        self.queue = queue
        #if !canImport(FoundationNetworking)
            challengeHandler = settings.challengeHandler
        #endif
    }

    /// The transfers in flight.
    var transfers: [Transfer] { transfersByTask.withLock { Array($0.values) } }

    /// Starts passing a task's events to a transfer.
    func expect(_ transfer: Transfer, for task: URLSessionTask) {
        transfersByTask.withLock { $0[ObjectIdentifier(task)] = transfer }
    }

    /// Stops passing a task's events to its transfer.
    func forget(_ task: URLSessionTask) {
        transfersByTask.withLock { $0[ObjectIdentifier(task)] = nil }
    }

    private func transfer(of task: URLSessionTask) -> Transfer? {
        transfersByTask.withLock { $0[ObjectIdentifier(task)] }
    }
}

extension TransferDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let transfer = transfer(of: task)
        transfer?.touch()
        transfer?.counter?.setSent(Int(clamping: totalBytesSent))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfer(of: task)?.complete(error, response: task.response)
    }

    /// Rejects the redirect, which then becomes the response.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // Replying for a cancelled task crashes the process. On the queue that cancels tasks, the reply is either
            // sent before the cancellation or not at all.
            let transfer = transfer(of: task)
            queue.async {
                if let transfer, !transfer.hasEnded { completionHandler(nil) }
            }
        #else
            completionHandler(nil)
        #endif
    }

    #if !canImport(FoundationNetworking)
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            guard let measured = transfer(of: task)?.metrics, let metrics = TransferOptions.Report.Metrics(metrics)
            else {
                return
            }
            measured.withLock { $0 = metrics }
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            completionHandler(transfer(of: task)?.newBodyStream())
        }

        /// Calls the challenge handler for the certificates of the server and the client.
        ///
        /// Challenges with status 401 or 407 are not passed to the handler, because they arrive as ordinary responses.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let method = challenge.protectionSpace.authenticationMethod
            guard let challengeHandler, let subject = ChallengeSubject(authenticationMethod: method) else {
                return completionHandler(.performDefaultHandling, nil)
            }
            let transfer = transfer(of: task)
            Task {
                let (disposition, credential) = await challengeHandler(challenge)
                transfer?.touch()
                if disposition == .cancelAuthenticationChallenge || disposition == .rejectProtectionSpace {
                    // The transfer is stopped first, because the session reports a cancellation, which would be
                    // mistaken for the caller's.
                    transfer?.stop(subject.rejection(host: challenge.protectionSpace.host))
                }
                completionHandler(disposition, credential)
            }
        }
    #endif

    #if canImport(FoundationNetworking)
        /// Completes the transfer with the received 401 response.
        ///
        /// Without a reply, the task would hang, and any reply that ends the task makes it fail.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            transfer(of: task)?.complete(nil, response: task.response)
            queue.async { completionHandler(.cancelAuthenticationChallenge, nil) }
        }

        /// Fails a request that libcurl is about to resend.
        ///
        /// libcurl resends a request if the server closes a reused connection without a response. It requests the body
        /// again, but would then send none. For a request without a body, this method is called when the request is
        /// first sent.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
        ) {
            if let transfer = transfer(of: task), transfer.request.httpBody != nil {
                transfer.stop(
                    TransportError(.connectionLost, "\(transfer.host) closed it without a response")
                )
            }
            completionHandler(nil)
        }
    #endif
}

/// The subject of a TLS challenge.
enum ChallengeSubject {
    case serverCertificate, clientCertificate

    /// Creates the subject of a TLS challenge; returns nil for any other challenge.
    ///
    /// - Parameter authenticationMethod: the authentication method of the protection space.
    init?(authenticationMethod: String) {
        switch authenticationMethod {
        case "NSURLAuthenticationMethodServerTrust": self = .serverCertificate
        case "NSURLAuthenticationMethodClientCertificate": self = .clientCertificate
        default: return nil
        }
    }

    /// Returns the error for a challenge rejected by the app.
    func rejection(host: String) -> TransportError {
        let message =
            switch self {
            case .serverCertificate: "\(host): the challenge handler rejected the server's certificate"
            case .clientCertificate: "\(host): the challenge handler provided no client certificate"
            }
        return TransportError(.secureConnectionFailed, message)
    }
}
