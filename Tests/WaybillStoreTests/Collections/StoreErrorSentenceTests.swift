import Foundation
import Testing
import Waybill

@testable import WaybillStore

@Suite("Store errors as sentences for users")
struct StoreErrorSentenceTests {
    private static let call = APIError.cancelled(
        APIError.CancelledFailure(call: APIError.FailedCall(method: .get, template: "a", url: "https://shop.example/a"))
    )

    @Test(
        "localizedDescription is a sentence without IDs, paths, or type names",
        arguments: [
            (StoreError.missingRow(id: "7"), "This item does not exist."),
            (.pendingWrites(id: "7"), "Some changes have not been sent yet."),
            (.unsentWrites(2), "Some changes have not been sent yet."),
            (.otherUser("ada"), "You are not allowed to do this."),
            (.changedOnServer(id: "7"), "This was changed in the meantime. Load it again and repeat your change."),
            (.missingEntry(3), "The request could not be made."), (.cancelled, "The request was cancelled."),
            (.corrupt("a page"), "The stored data cannot be used."), (.call(call), "The request was cancelled."),
        ]
    )
    func sentence(error: StoreError, sentence: String) {
        #expect(error.localizedDescription == sentence)
    }
}
