import Testing
import Waybill

/// Records an error of another kind than the test expects, or its absence.
package func unexpected(_ error: APIError?, _ location: SourceLocation = #_sourceLocation) {
    Issue.record("\(String(describing: error))", sourceLocation: location)
}
