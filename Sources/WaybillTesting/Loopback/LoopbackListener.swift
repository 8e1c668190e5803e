/// The acceptor of a server's connections, which owns their threads.
struct LoopbackListener: Sendable {
    let socket: Socket
    let context: LoopbackContext
    /// A waker that a connection's thread wakes before it ends.
    let ended: Waker

    private let finished = Monitor<[Int]>([])

    /// Accepts until the server stops, and returns when every connection's thread has ended.
    func run() {
        var threads: [Int: JoinableThread] = [:]
        var isListening = true
        while true {
            let isFull = threads.count >= context.maximumConnections
            let ready = Descriptor.wait(
                [(context.stop.signal, .reading), (ended.signal, .reading)]
                    + (isListening && !isFull ? [(socket.descriptor, .reading)] : []),
                // Without a free descriptor or thread, the connection waits until others have ended.
                milliseconds: isListening ? nil : 10
            )
            if ready[0] { break }
            if ready[1] { join(&threads) }
            isListening = ready.count < 3 || !ready[2] || accept(&threads)
        }
        for thread in threads.values { thread.join() }
    }

    private func join(_ threads: inout [Int: JoinableThread]) {
        ended.reset()
        let numbers = finished.update { numbers in
            defer { numbers = [] }
            return numbers
        }
        for number in numbers { threads.removeValue(forKey: number)?.join() }
    }

    /// Accepts waiting connections up to the limit, and returns false if the system has no more room for connections.
    private func accept(_ threads: inout [Int: JoinableThread]) -> Bool {
        do {
            while threads.count < context.maximumConnections, let descriptor = try socket.acceptConnection() {
                let number = context.connections.update { connections in
                    connections.accepted += 1
                    connections.open += 1
                    return connections.accepted
                }
                do {
                    threads[number] = try JoinableThread { serve(descriptor, number: number) }
                } catch {
                    Socket.discard(descriptor)
                    context.connections.update { $0.open -= 1 }
                }
            }
            return true
        } catch {
            return false
        }
    }

    private func serve(_ descriptor: Int32, number: Int) {
        LoopbackConnection.serve(Socket(descriptor), number: number, context: context)
        context.connections.update { $0.open -= 1 }
        finished.update { $0.append(number) }
        ended.wake()
    }
}
