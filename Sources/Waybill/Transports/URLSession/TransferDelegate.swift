import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The one delegate of a session, which passes what it is told on to the transfer that it is about.
///
/// Nothing here waits: on Linux a callback that blocks stops every session of the process.
///
/// `@unchecked Sendable`: `transfersByTask` is only touched while `lock` is held, and nothing else changes.
final class TransferDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let queue: DispatchQueue
    private let lock = NSLock()
    private var transfersByTask: [Int: Transfer] = [:]

    /// Creates a delegate.
    ///
    /// - Parameter queue: the serial queue on which tasks are cancelled.
    init(queue: DispatchQueue) { self.queue = queue }

    /// The transfers that are on their way.
    var transfers: [Transfer] { lock.withLock { Array(transfersByTask.values) } }

    /// Passes what is told about a task on to a transfer from now on.
    func expect(_ transfer: Transfer, for task: URLSessionTask) {
        lock.withLock { transfersByTask[task.taskIdentifier] = transfer }
    }

    /// Passes nothing on any more that is told about a task.
    func forget(_ task: URLSessionTask) {
        lock.withLock { transfersByTask[task.taskIdentifier] = nil }
    }

    private func transfer(of task: URLSessionTask) -> Transfer? {
        lock.withLock { transfersByTask[task.taskIdentifier] }
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
        transfer(of: task)?.touch()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfer(of: task)?.complete(error, response: task.response)
    }

    /// Refuses the redirect, so that it is the response.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // Answering for a task that has been cancelled crashes the process; on the queue on which tasks are
            // cancelled the answer comes before the cancelling, or not at all.
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
            guard let measured = transfer(of: task)?.metrics, let metrics = TransferMetrics(metrics) else { return }
            measured.withLock { $0 = metrics }
        }
    #endif

    #if canImport(FoundationNetworking)
        /// Takes the 401 that has arrived for the response: not answering would leave the task hanging, and every
        /// answer that ends it ends it with an error.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            transfer(of: task)?.complete(nil, response: task.response)
            queue.async { completionHandler(.cancelAuthenticationChallenge, nil) }
        }

        /// Fails a request that libcurl is about to send again: it asks for the body from its start, and would then
        /// send none.
        ///
        /// It does that when a server closes a connection which an earlier request had opened, before it answers. For a
        /// request without a body this is called when it is first sent.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
        ) {
            if let transfer = transfer(of: task), transfer.request.httpBody != nil {
                transfer.stop(
                    TransportError(.connectionLost, "\(transfer.host) closed the connection before it answered")
                )
            }
            completionHandler(nil)
        }
    #endif
}
