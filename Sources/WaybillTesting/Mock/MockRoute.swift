import Waybill
import WaybillDescription

/// The operations with the same method and path, or the same method and call name; a request selects one of them.
struct MockRoute: Sendable {
    /// The method, and the template or the name of the calls.
    let key: String
    private(set) var operations: [MockOperation]

    /// Groups operations by method and template, and those with a name also by method and name.
    static func all(_ operations: [MockOperation]) -> [MockRoute] {
        var routes: [MockRoute] = []
        for operation in operations {
            let names = [operation.path, operation.callName].compactMap { $0 }.uniqued
            for name in names {
                let key = "\(operation.method) \(name)"
                if let index = routes.firstIndex(where: { $0.key == key }) {
                    routes[index].operations.append(operation)
                } else {
                    routes.append(MockRoute(key: key, operations: [operation]))
                }
            }
        }
        return routes
    }

    /// Returns the operation that matches a request.
    func selection(for request: ReceivedRequest) -> MockSelection.Outcome {
        MockSelection(request, among: operations.filter { $0.pathValues(request) != nil }).outcome
    }
}
