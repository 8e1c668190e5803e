// The views, modifiers and property wrappers of SwiftUI that the samples use, as their documentation declares them,
// with the isolation and the closures of its interface. What came with macOS 13 or earlier has no @available.

// developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View

    @ViewBuilder @MainActor @preconcurrency
    var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

// developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder
public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
        ConditionalContent()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
        ConditionalContent()
    }
}

/// A view without a body.
public protocol Primitive: View where Body == Never {}

extension Primitive {
    public var body: Never { fatalError() }
}

// developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView: Primitive {
    public nonisolated init() {}
}

// developer.apple.com/documentation/swiftui/tupleview
public struct TupleView<Content>: Primitive {
    nonisolated init() {}
}

// `_ConditionalContent`, the result of `buildEither` of ViewBuilder.
public struct ConditionalContent<First: View, Second: View>: Primitive {
    nonisolated init() {}
}

/// The result of each modifier, which its documentation gives as `some View`.
public struct Modified<Content: View>: Primitive {
    nonisolated init() {}
}

// developer.apple.com/documentation/swiftui/localizedstringkey
public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
}

// developer.apple.com/documentation/swiftui/text
public struct Text: Primitive {
    public nonisolated init(_ key: LocalizedStringKey) {}

    @_disfavoredOverload
    public nonisolated init(_ content: some StringProtocol) {}
}

// developer.apple.com/documentation/swiftui/button
public struct Button<Label: View>: Primitive {
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
}

// developer.apple.com/documentation/swiftui/buttonrole
public struct ButtonRole: Equatable, Sendable {
    public static let destructive = ButtonRole()
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
}

// developer.apple.com/documentation/swiftui/textfield
public struct TextField<Label: View>: Primitive {}

extension TextField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
}

// developer.apple.com/documentation/swiftui/labeledcontent
public struct LabeledContent<Label: View, Content: View>: Primitive {}

extension LabeledContent where Label == Text, Content == Text {
    public init(_ titleKey: LocalizedStringKey, value: some StringProtocol) {}
}

// developer.apple.com/documentation/swiftui/progressview
public struct ProgressView: Primitive {
    public init() {}
}

// developer.apple.com/documentation/swiftui/group
public struct Group<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}
}

// developer.apple.com/documentation/swiftui/form
public struct Form<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}
}

// developer.apple.com/documentation/swiftui/section
public struct Section<Parent: View, Content: View, Footer: View>: Primitive {}

extension Section where Parent == Text, Footer == EmptyView {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
}

// developer.apple.com/documentation/swiftui/list
public struct List<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}

    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}
}

// developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: Primitive {}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

// developer.apple.com/documentation/swiftui/alignment
public struct Alignment: Equatable, Sendable {
    public static let center = Alignment()
}

// developer.apple.com/documentation/swiftui/searchfieldplacement
public struct SearchFieldPlacement: Sendable {
    public static let automatic = SearchFieldPlacement()
}

extension View {
    // developer.apple.com/documentation/swiftui/view/badge(_:)
    public nonisolated func badge(_ label: Text?) -> some View { Modified<Self>() }

    // developer.apple.com/documentation/swiftui/view/disabled(_:)
    public nonisolated func disabled(_ disabled: Bool) -> some View { Modified<Self>() }

    // developer.apple.com/documentation/swiftui/view/overlay(alignment:content:)
    public nonisolated func overlay<Content: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content
    ) -> some View { Modified<Self>() }

    // developer.apple.com/documentation/swiftui/view/task(priority:_:)
    public nonisolated func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { Modified<Self>() }

    // developer.apple.com/documentation/swiftui/view/task(id:priority:_:)
    public nonisolated func task<ID: Equatable>(
        id value: ID,
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { Modified<Self>() }

    // developer.apple.com/documentation/swiftui/view/refreshable(action:)
    public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View { Modified<Self>() }

    // developer.apple.com/documentation/swiftui/view/searchable(text:placement:prompt:)
    public nonisolated func searchable(
        text: Binding<String>,
        placement: SearchFieldPlacement = .automatic,
        prompt: Text? = nil
    ) -> some View { Modified<Self>() }

    // developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public nonisolated func onChange(
        of value: some Equatable,
        initial: Bool = false,
        _ action: @escaping () -> Void
    ) -> some View { Modified<Self>() }

    // developer.apple.com/documentation/swiftui/view/alert(_:ispresented:presenting:actions:message:)
    public nonisolated func alert<Value>(
        _ titleKey: LocalizedStringKey,
        isPresented: Binding<Bool>,
        presenting data: Value?,
        @ViewBuilder actions: (Value) -> some View,
        @ViewBuilder message: (Value) -> some View
    ) -> some View { Modified<Self>() }
}

// developer.apple.com/documentation/swiftui/state
@propertyWrapper
public struct State<Value> {
    public init(wrappedValue value: Value) { wrappedValue = value }

    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }

    public var projectedValue: Binding<Value> { Binding(get: { fatalError() }, set: { _ in }) }
}

extension State: Sendable where Value: Sendable {}

// developer.apple.com/documentation/swiftui/binding
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value,
        set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}

    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }

    public var projectedValue: Binding<Value> { self }

    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(get: { fatalError() }, set: { _ in })
    }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

// developer.apple.com/documentation/swiftui/environment
@propertyWrapper
public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}

    public var wrappedValue: Value { fatalError() }
}

extension Environment: Sendable where Value: Sendable {}

// developer.apple.com/documentation/swiftui/environmentvalues
public struct EnvironmentValues {
    // developer.apple.com/documentation/swiftui/environmentvalues/dismiss
    public var dismiss: DismissAction { fatalError() }
}

// developer.apple.com/documentation/swiftui/dismissaction
@MainActor @preconcurrency
public struct DismissAction {
    public func callAsFunction() {}
}

// developer.apple.com/documentation/swiftui/preview(_:traits:_:body:)
// The copy has a constant in the place of this macro.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
public struct Preview {
    @MainActor
    public init(_ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View) {}
}
