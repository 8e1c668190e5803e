import Testing
import Waybill

/// Records an issue if an error is missing or is not of the expected kind.
package func unexpected(_ error: APIError?, _ location: SourceLocation = #_sourceLocation) {
    Issue.record("\(String(describing: error))", sourceLocation: location)
}
