import Dispatch
import Waybill
import WaybillSystem

#if os(Linux)
    internal import CWaybill
#endif
#if canImport(Network)
    import Network
#endif

extension NetworkMonitor {
    /// The monitor of the system's network, which starts on first use.
    ///
    /// On Apple platforms, it uses the Network framework. On Linux, the network is available if the kernel has a route
    /// to another machine over an active link; the kernel reports changes through rtnetlink. If a sandbox prevents
    /// this, or on other systems, the network is always considered available.
    public static let system: NetworkMonitor = {
        let monitor = NetworkMonitor(isConnected: true)
        SystemNetwork.watch(for: monitor)
        return monitor
    }()
}

/// The source of updates to the system monitor.
private enum SystemNetwork {
    private static let queue = DispatchQueue(label: "waybill.network")

    #if canImport(Network)
        private static let path = NWPathMonitor()

        static func watch(for monitor: NetworkMonitor) {
            path.pathUpdateHandler = { monitor.update(isConnected: $0.status == .satisfied) }
            path.start(queue: queue)
            // The first report arrives later. Use the current path until then.
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
            // Read the state after opening the socket so that no change is missed, and on the queue so that updates
            // stay in order.
            queue.sync { monitor.update(isConnected: waybill_network_has_route() != 0) }
        }
    #else
        static func watch(for monitor: NetworkMonitor) {}
    #endif
}
