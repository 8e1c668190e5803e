import Testing

/// The abilities of Waybill's predecessors, each with the tests that cover it.
///
/// The numbers match Predecessors.md.
nonisolated struct SeedTable {
    struct Line: Sendable, CustomTestStringConvertible {
        let number: Int
        let ability: String
        let tests: [Test]

        var testDescription: String { "\(number): \(ability)" }
    }

    typealias Test = NamedTest

    static let lines = [
        Line(
            number: 1,
            ability: "Create one entity, and a singleton",
            tests: [
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "Resource operations send the expected requests and decode the responses"
                ),
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A resource creates an entity, and a singleton creates its value"
                ),
            ]
        ),
        Line(
            number: 2,
            ability: "Create several",
            tests: [
                Test(
                    "WaybillTests/Resources/BatchCountTests",
                    "A response with one item for each sent item succeeds"
                ),
                Test(
                    "WaybillTests/Resources/BatchCountTests",
                    "A response with a different item count reports how many items were sent and returned"
                ),
            ]
        ),
        Line(
            number: 3,
            ability: "Read a singleton, one, and all",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A singleton, a single entity and a complete list can be read"
                )
            ]
        ),
        Line(
            number: 4,
            ability: "Read a page by its number, with its totals",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A page has its number, its total from a header field, and whether more pages follow"
                ),
                Test(
                    "WaybillTests/Pagination/PagePositionTests",
                    "A page number or an offset requests a single page, for a resource too"
                ),
                Test(
                    "WaybillTests/Pagination/PagePositionTests",
                    "A scheme that starts at a later number or offset skips earlier items and continues from there"
                ),
                Test(
                    "WaybillTests/Pagination/ReplacedPositionTests",
                    "A position that the scheme would replace is an error in every scope"
                ),
                Test(
                    "DocumentationTests/Samples/PaginationSamples",
                    "The page numbers in Pagination.md are requested, and the table has the available numbers"
                ),
            ]
        ),
        Line(
            number: 5,
            ability: "Update a singleton, one, and several",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A singleton, a single entity and several entities can be updated"
                )
            ]
        ),
        Line(
            number: 6,
            ability: "Delete a singleton, and one",
            tests: [
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "Resource operations send the expected requests and decode the responses"
                )
            ]
        ),
        Line(
            number: 7,
            ability: "Capabilities per repository",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A resource has only the chosen operations, and each operation requires only the conformances that it uses"
                )
            ]
        ),
        Line(
            number: 8,
            ability: "Defaults replaced for one, or for all",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A default can be replaced for one resource or for all resources"
                )
            ]
        ),
        Line(
            number: 9,
            ability: "Compound and custom endpoints",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "Nested resources and custom endpoints can be declared"
                ),
                Test(
                    "DocumentationTests/Samples/ResourcesSamples",
                    "The repository and the shared object in Resources.md work"
                ),
            ]
        ),
        Line(
            number: 10,
            ability: "Create without an id",
            tests: [
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "Resource operations send the expected requests and decode the responses"
                )
            ]
        ),
        Line(
            number: 11,
            ability: "Entities inside an envelope",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "Entities in an envelope are read along with the metadata beside them"
                )
            ]
        ),
        Line(
            number: 12,
            ability: "Pages by links in the body",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "Pagination follows next and previous links in the body"
                )
            ]
        ),
        Line(
            number: 13,
            ability: "Errors told apart, and an app's own",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "Kinds of failure are distinguished, and an app can use a custom error type"
                ),
                Test(
                    "WaybillTests/Failures/OwnErrorTests",
                    "An app-defined error that carries the response's status preserves status and isNotFound"
                ),
                Test(
                    "DocumentationTests/Samples/ErrorsSamples",
                    "The function in Errors.md accepts a closure on the main actor"
                ),
                Test(
                    "DocumentationTests/Samples/ErrorsSamples",
                    "The errors of a custom type in Errors.md keep their status"
                ),
            ]
        ),
        Line(
            number: 14,
            ability: "A replaceable backend, a base URL, default header fields",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A client has a replaceable transport, a base URL and header fields for all requests"
                )
            ]
        ),
        Line(
            number: 15,
            ability: "Logs of numbered requests",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A custom function logs numbered requests and responses if declared"
                )
            ]
        ),
        Line(
            number: 16,
            ability: "A credential for each request",
            tests: [
                Test(
                    "WaybillTests/Authentication/AuthorizationTests",
                    "A credential's source is called for each call, and Authorization.none sends no credential"
                )
            ]
        ),
        Line(
            number: 17,
            ability: "Repositories are tested",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A resource can be tested by its sent requests, successes and failures"
                )
            ]
        ),
        Line(
            number: 18,
            ability: "Invalid items of a list",
            tests: [
                Test(
                    "WaybillTests/Responses/DropInvalidItemsTests",
                    "With DropInvalidItems, items that fail to decode are dropped and reported"
                )
            ]
        ),
        Line(
            number: 19,
            ability: "No dependencies",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "The package has no dependencies"
                )
            ]
        ),
        Line(
            number: 20,
            ability: "Five operations of messages",
            tests: [
                Test(
                    "WaybillTests/Seeds/RepositoryKitSeedTests",
                    "Entities are created, listed, read by identifier, updated and deleted"
                )
            ]
        ),
        Line(
            number: 21,
            ability: "Responses merged over what was sent",
            tests: [
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "A partial response is merged over the sent entity if declared"
                )
            ]
        ),
        Line(
            number: 22,
            ability: "Dictionaries with an id under a named key",
            tests: [
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "A record is a JSON object with its identifier under a named key"
                ),
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "A record identifier prints as in a path, alone and within other values"
                ),
            ]
        ),
        Line(
            number: 23,
            ability: "A patch of the difference",
            tests: [
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "A difference is recursive, replaces arrays entirely and uses the encoder's keys"
                ),
                Test(
                    "WaybillTests/Declaring/WriteFormatTests",
                    "A patch is encoded as declared"
                ),
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "A partial response is merged over the sent entity if declared"
                ),
            ]
        ),
        Line(
            number: 24,
            ability: "Operations in a row",
            tests: [
                Test(
                    "DocumentationTests/Samples/PredecessorsSamples",
                    "Waybill's changes, deletions and reports replace those of RepositoryKit"
                )
            ]
        ),
        Line(
            number: 25,
            ability: "Header fields of a request",
            tests: [
                Test(
                    "WaybillTests/Seeds/RepositoryKitSeedTests",
                    "Each request can have custom header fields"
                ),
                Test(
                    "WaybillHTTPTests/HTTPValueTests",
                    "A header field is set and removed by its name as text; a name that is not a token has no effect"
                ),
            ]
        ),
        Line(
            number: 26,
            ability: "A network and a storage in step",
            tests: [
                Test(
                    "WaybillStoreTests/Synchronizing/MockedServerTests",
                    "A write waits while there is no connection, and then is sent"
                ),
                Test(
                    "DocumentationTests/Samples/StoringSamples",
                    "The samples in Storing.md write, read, observe and read through from the server"
                ),
                Test(
                    "DocumentationTests/Samples/StoringSamples",
                    "The store in Storing.md can be reopened immediately after it is closed"
                ),
            ]
        ),
        Line(
            number: 27,
            ability: "Unsynchronized entities in one request",
            tests: [
                Test(
                    "WaybillStoreTests/Sending/BatchTests",
                    "New items are sent in one request to the declared endpoint, and get their IDs in order"
                )
            ]
        ),
        Line(
            number: 28,
            ability: "Local search, and work in the background",
            tests: [
                Test(
                    "WaybillStoreTests/Queries/QueryTests",
                    "A predicate filters like a closure"
                ),
                Test(
                    "WaybillStoreTests/Writing/ManyWritesTests",
                    "A query's rows are changed in batches, with progress"
                ),
            ]
        ),
        Line(
            number: 29,
            ability: "One configuration, with changeable header fields",
            tests: [
                Test(
                    "WaybillTests/Declaring/ReadHeaderTests",
                    "Each call reads the current value, in every scope"
                ),
                Test(
                    "DocumentationTests/Samples/PredecessorsSamples",
                    "Waybill's clients replace a backend and a configuration"
                ),
            ]
        ),
        Line(
            number: 30,
            ability: "Operations chosen per model",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A model has either the chosen operations or all five"
                )
            ]
        ),
        Line(
            number: 31,
            ability: "Read by id, and refresh",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "An entity is read by its identifier, and refreshing it does not change the original"
                )
            ]
        ),
        Line(
            number: 32,
            ability: "A path for each operation",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "Each operation can have a custom path"
                )
            ]
        ),
        Line(
            number: 33,
            ability: "Keys around the object and the list",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A single object and a list are wrapped in different keys"
                )
            ]
        ),
        Line(
            number: 34,
            ability: "Members without a value",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "Members without a value are omitted, or sent as null if declared"
                )
            ]
        ),
        Line(
            number: 35,
            ability: "Success without a value",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A request whose response is irrelevant returns nothing"
                )
            ]
        ),
        Line(
            number: 36,
            ability: "Raw JSON, one object, an array",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "Raw JSON is read as any value, an object or an array"
                ),
                Test(
                    "DocumentationTests/Samples/DecodingSamples",
                    "The wrapper in Decoding.md reads numbers and numeric strings, but no other strings"
                ),
            ]
        ),
        Line(
            number: 37,
            ability: "Pause, resume, cancel",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A request can be paused and resumed"
                ),
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A request in flight can be cancelled"
                ),
            ]
        ),
        Line(
            number: 38,
            ability: "Lists of errors in a failed response",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A failed response's list of errors reaches the caller"
                )
            ]
        ),
    ]
}
