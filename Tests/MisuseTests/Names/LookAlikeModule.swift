import Foundation

/// A stand-in module that declares names of a framework or package.
struct LookAlikeModule: Sendable {
    let name: String
    let source: String

    /// Whether the modules can be built on this system; Apple platforms have the real frameworks.
    static let canBeBuilt: Bool = {
        #if os(Linux)
            true
        #else
            false
        #endif
    }()

    /// Builds modules into a new folder, in order; each may import only earlier ones.
    static func build(_ modules: [LookAlikeModule]) async throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("names-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for module in modules {
            let file = folder.appendingPathComponent("\(module.name).swift")
            try Data(module.source.utf8).write(to: file)
            let output = try await SwiftCompiler.emitModule(
                named: module.name,
                of: file,
                arguments: ["-I", folder.path],
                output: folder.appendingPathComponent("output.txt")
            )
            guard output.isEmpty else { throw Failure(module: module.name, output: output) }
        }
        return folder
    }

    /// The error of a module that does not compile.
    struct Failure: Error {
        let module: String
        let output: String
    }
}

extension LookAlikeModule {
    /// Every module, listed after the modules that it imports.
    static let all = [
        combine, swiftUI, swiftData, realityKit, composableArchitecture, httpTypes, openAPIRuntime, hummingbirdCore,
        hummingbird, vapor, fluentKit, grdb, get,
    ]

    private static let combine = LookAlikeModule(
        name: "Combine",
        source: """
            public protocol Publisher<Output, Failure> {
                associatedtype Output
                associatedtype Failure: Error
            }
            public struct Record<Output, Failure: Error>: Publisher { public init(output: [Output]) {} }
            public protocol ObservableObject: AnyObject {}
            """
    )

    private static let swiftUI = LookAlikeModule(
        name: "SwiftUI",
        source: """
            @_exported import Combine

            @MainActor @preconcurrency public protocol View {
                associatedtype Body: View
                @ViewBuilder var body: Body { get }
            }
            extension Never: View { public var body: Never { fatalError() } }
            @resultBuilder public enum ViewBuilder {
                public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
            }
            public struct Text: View {
                public init(_ text: String) {}
                public var body: Never { fatalError() }
            }
            public struct List<Content: View>: View {
                public init<Data: RandomAccessCollection>(
                    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
                ) where Data.Element: Identifiable {}
                public var body: Never { fatalError() }
            }
            @propertyWrapper public struct State<Value> {
                public var wrappedValue: Value {
                    get { fatalError() }
                    nonmutating set {}
                }
                public init(wrappedValue: Value) {}
            }
            extension View {
                nonisolated public func task(
                    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
                ) -> some View { self }
            }
            """
    )

    // The macro expands to nothing, because it uses the implementation of a standard library macro.
    private static let swiftData = LookAlikeModule(
        name: "SwiftData",
        source: """
            public protocol PersistentModel: AnyObject, Identifiable {}
            public struct Query<Element, Result> {}
            @attached(accessor, names: named(willSet))
            public macro Query() = #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")
            @attached(accessor, names: named(willSet))
            public macro Query<Value: Comparable, Element: PersistentModel>(sort: KeyPath<Element, Value>) =
                #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")
            """
    )

    private static let realityKit = LookAlikeModule(
        name: "RealityKit",
        source: """
            public protocol Resource: AnyObject, Sendable {}
            @MainActor open class Entity {
                public var name = ""
                public init() {}
            }
            """
    )

    private static let composableArchitecture = LookAlikeModule(
        name: "ComposableArchitecture",
        source: """
            @resultBuilder public enum ReducerBuilder {
                public static func buildBlock<Child: Reducer>(_ child: Child) -> Child { child }
            }
            public protocol Reducer<State, Action> {
                associatedtype State
                associatedtype Action
                associatedtype Body
                @ReducerBuilder var body: Body { get }
            }
            extension Never: Reducer {
                public typealias State = Never
                public typealias Action = Never
                public var body: Never { fatalError() }
            }
            public struct Scope<State, Action, Child: Reducer>: Reducer {
                public init(
                    state: WritableKeyPath<State, Child.State>,
                    action: (Child.Action) -> Action,
                    @ReducerBuilder child: () -> Child
                ) {}
                public var body: Never { fatalError() }
            }
            """
    )

    private static let httpTypes = LookAlikeModule(
        name: "HTTPTypes",
        source: """
            public struct HTTPField: Sendable {
                public struct Name: Sendable { public static var accept: Self { .init() } }
                public var name: Name
                public var value: String
                public init(name: Name, value: String) {
                    self.name = name
                    self.value = value
                }
            }
            public struct HTTPFields: Sendable {
                public init() {}
                public subscript(name: HTTPField.Name) -> String? {
                    get { nil }
                    set {}
                }
            }
            public struct HTTPRequest: Sendable { public var headerFields = HTTPFields() }
            public struct HTTPResponse: Sendable {
                public struct Status: Sendable { public static var ok: Self { .init() } }
                public var status: Status
            }
            """
    )

    private static let openAPIRuntime = LookAlikeModule(
        name: "OpenAPIRuntime",
        source: "public final class HTTPBody: Sendable { public init() {} }"
    )

    private static let hummingbirdCore = LookAlikeModule(
        name: "HummingbirdCore",
        source: """
            import HTTPTypes

            public struct Request: Sendable { public let head: HTTPRequest }
            public struct Response: Sendable { public init(status: HTTPResponse.Status) {} }
            """
    )

    private static let hummingbird = LookAlikeModule(
        name: "Hummingbird",
        source: """
            @_exported import struct HTTPTypes.HTTPFields
            @_exported import struct HTTPTypes.HTTPRequest
            @_exported import struct HTTPTypes.HTTPResponse
            @_exported import struct HummingbirdCore.Request
            @_exported import struct HummingbirdCore.Response

            public struct Context: Sendable {}
            public struct Router {
                public init() {}
                public func get(
                    _ path: String, use handler: @escaping @Sendable (Request, Context) async throws -> Response
                ) {}
            }
            """
    )

    private static let vapor = LookAlikeModule(
        name: "Vapor",
        source: """
            public final class Request: Sendable {}
            public final class Response: Sendable { public init() {} }
            public final class Route: Sendable {}
            public protocol Client: Sendable {}
            public protocol Middleware: Sendable {}
            """
    )

    private static let fluentKit = LookAlikeModule(
        name: "FluentKit",
        source: """
            public struct Page<T> { public let items: [T] }
            public struct PageRequest: Decodable, Sendable {}
            """
    )

    private static let grdb = LookAlikeModule(
        name: "GRDB",
        source: """
            public struct Row {}
            public struct Database {}
            open class Record { public init() {} }
            public protocol Cursor<Element>: AnyObject { associatedtype Element }
            public protocol FetchableRecord { init(row: Row) throws }
            extension FetchableRecord {
                public static func fetchAll(_ database: Database) throws -> [Self] { [] }
            }
            """
    )

    private static let get = LookAlikeModule(
        name: "Get",
        source: """
            public struct Request<Response> { public init(path: String) {} }
            public struct Response<T> { public var value: T }
            public enum APIError: Error { case unacceptableStatusCode(Int) }
            """
    )
}
