import Dispatch
import WaybillSystem

#if os(Linux)
    internal import CWaybill
#endif
#if canImport(Network)
    import Network
#endif

extension NetworkMonitor {
    /// The monitor of the system's network, which begins to watch at its first use.
    ///
    /// On Apple's platforms it is that of the Network framework. On Linux there is a network if the kernel has a route
    /// to another machine over a link that is up; the kernel reports changes (rtnetlink). There always is one if a
    /// sandbox forbids that, and on other systems.
    public static let system: NetworkMonitor = {
        let monitor = NetworkMonitor(isConnected: true)
        SystemNetwork.watch(for: monitor)
        return monitor
    }()
}

/// The source of the system's monitor.
private enum SystemNetwork {
    private static let queue = DispatchQueue(label: "waybill.network")

    #if canImport(Network)
        private static let path = NWPathMonitor()

        static func watch(for monitor: NetworkMonitor) {
            path.pathUpdateHandler = { monitor.update(isConnected: $0.status == .satisfied) }
            path.start(queue: queue)
            // Its first report comes later; until then, the path that it has counts.
            monitor.update(isConnected: path.currentPath.status != .unsatisfied)
        }
    #elseif os(Linux)
        private static let source = Locked<(any DispatchSourceRead)?>(nil)

        static func watch(for monitor: NetworkMonitor) {
            let socket = waybill_network_open()
            guard socket >= 0 else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
            source.setEventHandler {
                waybill_network_drain(socket)
                monitor.update(isConnected: waybill_network_has_route() != 0)
            }
            source.resume()
            self.source.withLock { $0 = source }
            // After the socket is open, so that no change is missed, and before the next one is handled.
            queue.sync { monitor.update(isConnected: waybill_network_has_route() != 0) }
        }
    #else
        static func watch(for monitor: NetworkMonitor) {}
    #endif
}
