import Foundation
import Observation
import Testing
import Waybill
import WaybillTesting

/// The files of Editing.md.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private enum Page {
    struct Product: Entity, Equatable {
        let id: Int
        var name: String
    }

    struct Shop: API {
        let client: Client

        var products: Resource<Product, ReadWrite> { resource("products") }
    }

    @MainActor @Observable
    final class ProductEditor {
        var draft: Product
        private(set) var theirs: Product?  // the server's version, if it differs
        private(set) var isSaved = false
        private(set) var failure: APIError?
        private var version: Response<Product>?  // the version that the draft was made of
        private let shop: Shop

        init(_ product: Product, in shop: Shop) {
            draft = product
            self.shop = shop
        }

        var canSave: Bool { version != nil && theirs == nil }

        var hasFailed: Bool {
            get { failure != nil }
            set { if !newValue { failure = nil } }
        }

        func load() async {
            guard version == nil else { return }  // the draft stays if the view reappears
            let shown = draft
            do throws(APIError) {
                let read = try await shop.products.endpoints.read(shown.id).response()
                version = read
                if draft == shown {
                    draft = read.value
                } else if read.value != shown {
                    theirs = read.value  // the user has edited another version meanwhile
                }
            } catch {
                report(error)
            }
        }

        func save() async {
            guard let version else { return }
            do throws(APIError) {
                try await shop.products.with { IfMatch(version) }.update(draft)
                isSaved = true
            } catch {
                if error.lostUpdate != nil { await compare() } else { report(error) }
            }
        }

        /// Reads the server's current version, which the next save requires.
        private func compare() async {
            do throws(APIError) {
                let read = try await shop.products.endpoints.read(draft.id).response()
                version = read
                if read.value == draft {
                    isSaved = true  // an earlier save succeeded, but its response was lost
                } else {
                    theirs = read.value
                }
            } catch {
                report(error)
            }
        }

        func keepMine() async {
            theirs = nil
            await save()
        }

        func takeTheirs() {
            if let theirs { draft = theirs }
            theirs = nil
        }

        private func report(_ error: APIError) {
            switch error {
            case .cancelled: break
            default: failure = error
            }
        }
    }
}

#if canImport(SwiftUI)
    import SwiftUI

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension Page {
        struct ProductForm: View {
            @State var editor: ProductEditor
            @Environment(\.dismiss) private var dismiss

            var body: some View {
                Form {
                    TextField("Name", text: $editor.draft.name)
                    if let theirs = editor.theirs {
                        Section("Changed in the meantime") {
                            LabeledContent("Theirs", value: theirs.name)
                            LabeledContent("Yours", value: editor.draft.name)
                            Button("Take theirs") { editor.takeTheirs() }
                            Button("Keep mine") {
                                Task { await editor.keepMine() }
                            }
                        }
                    }
                    Button("Save") {
                        Task { await editor.save() }
                    }
                    .disabled(!editor.canSave)
                }
                .task { await editor.load() }
                .onChange(of: editor.isSaved) { dismiss() }
                .alert("Not saved", isPresented: $editor.hasFailed, presenting: editor.failure) { _ in
                    Button("OK") {}
                } message: { error in
                    Text(error.localizedDescription)
                }
            }
        }
    }
#endif

@MainActor
@Suite("Editing.md")
struct EditingSamples {
    private nonisolated static func version(_ name: String, _ tag: String) -> StubResponse {
        .json(#"{"id":7,"name":"\#(name)"}"#).header("ETag", #""\#(tag)""#)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private func editor(_ stub: StubTransport) -> Page.ProductEditor {
        let shop = Page.Shop(client: Client(Sample.url, transport: stub))
        return Page.ProductEditor(Page.Product(id: 7, name: ""), in: shop)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A draft is saved on the condition that the read version is current")
    func save() async {
        let stub = StubTransport([
            "GET products/{}": .sequence([Self.version("Lamp", "1")]),
            "PUT products/{}": .sequence([Self.version("Desk lamp", "2")]),
        ])
        let editor = editor(stub)
        #expect(!editor.canSave)
        await editor.save()
        #expect(stub.requests.isEmpty)

        await editor.load()
        #expect(editor.draft.name == "Lamp")
        #expect(editor.canSave)
        editor.draft.name = "Desk lamp"
        await editor.load()
        #expect(editor.draft.name == "Desk lamp")
        await editor.save()

        #expect(editor.isSaved)
        #expect(stub.requests.map { $0.headerFields[.ifMatch] } == [nil, #""1""#])
        #expect(stub.requests.last?.text == #"{"id":7,"name":"Desk lamp"}"#)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test(
        "Text typed while the product loads stays, and a version unknown to the user is shown beside it",
        arguments: ["", "Lamp"]
    )
    func typing(_ read: String) async {
        let gate = Gate()
        let stub = StubTransport([
            "GET products/{}": .sequence([Self.version(read, "1").held(by: gate)]),
            "PUT products/{}": .sequence([Self.version("Desk lamp", "2")]),
        ])
        let editor = editor(stub)
        async let loading: Void = editor.load()
        await stub.waitForRequests(count: 1)
        editor.draft.name = "Desk lamp"
        gate.open()
        await loading

        #expect(editor.draft.name == "Desk lamp")
        #expect(editor.theirs?.name == (read.isEmpty ? nil : read))
        await editor.keepMine()
        #expect(editor.isSaved)
        #expect(stub.requests.last?.headerFields[.ifMatch] == #""1""#)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A lost update shows both versions, and the draft is saved over the shown one but never over a third")
    func keepMine() async {
        let stub = StubTransport([
            "GET products/{}": .sequence([
                Self.version("Lamp", "1"), Self.version("Floor lamp", "2"), Self.version("Red lamp", "3"),
            ]),
            "PUT products/{}": .sequence([.status(412), .status(412), Self.version("Desk lamp", "4")]),
        ])
        let editor = editor(stub)
        await editor.load()
        editor.draft.name = "Desk lamp"

        await editor.save()
        #expect(editor.theirs?.name == "Floor lamp")
        #expect(editor.draft.name == "Desk lamp")
        #expect(!editor.canSave)
        await editor.keepMine()
        #expect(editor.theirs?.name == "Red lamp")
        await editor.keepMine()

        #expect(editor.isSaved)
        #expect(editor.theirs == nil)
        let writes = stub.requests.filter { $0.method == .put }
        #expect(writes.map { $0.headerFields[.ifMatch] } == [#""1""#, #""2""#, #""3""#])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("The server's version replaces the draft, and the next save requires it")
    func takeTheirs() async {
        let stub = StubTransport([
            "GET products/{}": .sequence([Self.version("Lamp", "1"), Self.version("Floor lamp", "2")]),
            "PUT products/{}": .sequence([.status(412), Self.version("Floor lamp!", "3")]),
        ])
        let editor = editor(stub)
        await editor.load()
        editor.draft.name = "Desk lamp"
        await editor.save()

        editor.takeTheirs()
        #expect(editor.draft.name == "Floor lamp")
        editor.draft.name += "!"
        await editor.save()

        #expect(editor.isSaved)
        #expect(stub.requests.last?.headerFields[.ifMatch] == #""2""#)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("Repeating a save whose response was lost is not a conflict")
    func lostResponse() async {
        let stub = StubTransport([
            "GET products/{}": .sequence([Self.version("Lamp", "1"), Self.version("Desk lamp", "2")]),
            "PUT products/{}": .sequence([.failure(TransportError(.connectionLost)), .status(412)]),
        ])
        let editor = editor(stub)
        await editor.load()
        editor.draft.name = "Desk lamp"

        await editor.save()
        #expect(editor.failure?.localizedDescription == "The connection to the server was lost.")
        editor.hasFailed = false
        await editor.save()

        #expect(editor.isSaved)
        #expect(editor.theirs == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A product deleted before the save is reported as missing")
    func gone() async {
        let stub = StubTransport([
            "GET products/{}": .sequence([Self.version("Lamp", "1"), .status(404)]), "PUT products/{}": .status(412),
        ])
        let editor = editor(stub)
        await editor.load()
        await editor.save()
        #expect(editor.failure?.localizedDescription == "This item does not exist.")
        #expect(!editor.isSaved)
    }
}
