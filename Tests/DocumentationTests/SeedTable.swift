import Testing

/// The abilities of the libraries before Waybill, each with the tests that state it.
///
/// The numbers are those of Predecessors.md.
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
                    "Operations of a resource make the requests of the table, and decode their responses"
                ),
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A resource creates an entity, and a singleton creates its own"
                ),
            ]
        ),
        Line(
            number: 2,
            ability: "Create several",
            tests: [
                Test(
                    "WaybillTests/Resources/BatchCountTests",
                    "As many items as were sent are returned"
                ),
                Test(
                    "WaybillTests/Resources/BatchCountTests",
                    "A response with another number of items says how many were sent and came back"
                ),
            ]
        ),
        Line(
            number: 3,
            ability: "Read a singleton, one, and all",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A singleton, one entity and a whole list are read"
                )
            ]
        ),
        Line(
            number: 4,
            ability: "Read a page by its number, with its totals",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A page has its number, size and total from header fields, and whether there are more"
                ),
                Test(
                    "WaybillTests/Pagination/PagePositionTests",
                    "A page number and an offset request one page, of a resource too"
                ),
                Test(
                    "WaybillTests/Pagination/PagePositionTests",
                    "A scheme that starts at a later number or offset skips what is before it, and walks on"
                ),
                Test(
                    "WaybillTests/Pagination/ReplacedPositionTests",
                    "It is a declaration error in every scope, and nothing is sent"
                ),
                Test(
                    "DocumentationTests/Samples/PaginationSamples",
                    "The page numbers in Pagination.md are requested, and the table has those to choose from"
                ),
            ]
        ),
        Line(
            number: 5,
            ability: "Update a singleton, one, and several",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A singleton, one entity and several are updated"
                )
            ]
        ),
        Line(
            number: 6,
            ability: "Delete a singleton, and one",
            tests: [
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "Operations of a resource make the requests of the table, and decode their responses"
                )
            ]
        ),
        Line(
            number: 7,
            ability: "Capabilities per repository",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A resource has the operations that are chosen, and each needs only its own conformances"
                )
            ]
        ),
        Line(
            number: 8,
            ability: "Defaults replaced for one, or for all",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A default is replaced for one resource, or for all at once"
                )
            ]
        ),
        Line(
            number: 9,
            ability: "Compound and custom endpoints",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "Nested resources and endpoints of an API's own are declared"
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
                    "Operations of a resource make the requests of the table, and decode their responses"
                )
            ]
        ),
        Line(
            number: 11,
            ability: "Entities inside an envelope",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "Entities come in an envelope, with metadata beside them"
                )
            ]
        ),
        Line(
            number: 12,
            ability: "Pages by links in the body",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "Pages are followed by next and previous links in the body"
                )
            ]
        ),
        Line(
            number: 13,
            ability: "Errors told apart, and an app's own",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "Failures are told apart, and an app may use an error type of its own"
                ),
                Test(
                    "WaybillTests/Failures/OwnErrorTests",
                    "An own error with the response's status keeps status and isNotFound"
                ),
                Test(
                    "DocumentationTests/Samples/ErrorsSamples",
                    "The function in Errors.md takes a closure of the main actor"
                ),
                Test(
                    "DocumentationTests/Samples/ErrorsSamples",
                    "The errors of an app's own type in Errors.md keep their status"
                ),
            ]
        ),
        Line(
            number: 14,
            ability: "A replaceable backend, a base URL, default header fields",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A client has a transport that can be replaced, a base URL and header fields for all requests"
                )
            ]
        ),
        Line(
            number: 15,
            ability: "Logs of numbered requests",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "Numbered requests and responses are logged by the app's own function, if it is declared"
                )
            ]
        ),
        Line(
            number: 16,
            ability: "A credential for each request",
            tests: [
                Test(
                    "WaybillTests/Authentication/AuthorizationTests",
                    "A credential's source is asked for each call, and Authorization.none sends none"
                )
            ]
        ),
        Line(
            number: 17,
            ability: "Repositories are tested",
            tests: [
                Test(
                    "WaybillTests/Seeds/JaymeSeedTests",
                    "A resource is tested by the request that is sent, its success and its failures"
                )
            ]
        ),
        Line(
            number: 18,
            ability: "Invalid items of a list",
            tests: [
                Test(
                    "WaybillTests/Responses/DropInvalidItemsTests",
                    "Items that cannot be decoded are dropped on request, and reported"
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
                    "Entities are created, listed, read by id, updated and deleted"
                )
            ]
        ),
        Line(
            number: 21,
            ability: "Responses merged over what was sent",
            tests: [
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "A response with some fields is merged over what was sent, if that is declared"
                )
            ]
        ),
        Line(
            number: 22,
            ability: "Dictionaries with an id under a named key",
            tests: [
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "A record is a JSON object with its id under a named key"
                ),
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "The id of a record is printed as a path has it, alone and in a text"
                ),
            ]
        ),
        Line(
            number: 23,
            ability: "A patch of the difference",
            tests: [
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "A difference is recursive, has arrays whole, and uses the encoder's keys"
                ),
                Test(
                    "WaybillTests/Declaring/WriteFormatTests",
                    "A patch is encoded as declared"
                ),
                Test(
                    "WaybillTests/Resources/ResourceTests",
                    "A response with some fields is merged over what was sent, if that is declared"
                ),
            ]
        ),
        Line(
            number: 24,
            ability: "Operations in a row",
            tests: [
                Test(
                    "DocumentationTests/Samples/PredecessorsSamples",
                    "Changes, deletions and reports are today's code for those of RepositoryKit"
                )
            ]
        ),
        Line(
            number: 25,
            ability: "Header fields of a request",
            tests: [
                Test(
                    "WaybillTests/Seeds/RepositoryKitSeedTests",
                    "A request has header fields of its own"
                ),
                Test(
                    "WaybillHTTPTests/HTTPValueTests",
                    "A header field is set and removed by the text of its name; a text that is no token changes nothing"
                ),
            ]
        ),
        Line(
            number: 26,
            ability: "A network and a storage in step",
            tests: [
                Test(
                    "WaybillStoreTests/Synchronizing/MockedServerTests",
                    "A write waits without a connection, and is sent when there is one again"
                ),
                Test(
                    "DocumentationTests/Samples/StoringSamples",
                    "The samples of Storing.md write, read, observe, and go to the server first"
                ),
                Test(
                    "DocumentationTests/Samples/StoringSamples",
                    "The store in Storing.md is closed, and opens again at once"
                ),
            ]
        ),
        Line(
            number: 27,
            ability: "Unsynchronized entities in one request",
            tests: [
                Test(
                    "WaybillStoreTests/Sending/BatchTests",
                    "New items go out in one request to the collection's endpoint, and get their ids by its order"
                )
            ]
        ),
        Line(
            number: 28,
            ability: "Local search, and work in the background",
            tests: [
                Test(
                    "WaybillStoreTests/Queries/QueryTests",
                    "A predicate is a condition like a closure"
                ),
                Test(
                    "WaybillStoreTests/Writing/ManyWritesTests",
                    "The rows of a query are changed in parts, with progress"
                ),
            ]
        ),
        Line(
            number: 29,
            ability: "One configuration, with changeable header fields",
            tests: [
                Test(
                    "WaybillTests/Declaring/ReadHeaderTests",
                    "Each call reads the value anew, in every scope"
                ),
                Test(
                    "DocumentationTests/Samples/PredecessorsSamples",
                    "Clients are today's code for a backend and a configuration"
                ),
            ]
        ),
        Line(
            number: 30,
            ability: "Operations chosen per model",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A model has the operations that are chosen, or all five"
                )
            ]
        ),
        Line(
            number: 31,
            ability: "Read by id, and refresh",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "An entity is read by its id, and refreshed without being changed"
                )
            ]
        ),
        Line(
            number: 32,
            ability: "A path for each operation",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "An operation has a path of its own"
                )
            ]
        ),
        Line(
            number: 33,
            ability: "Keys around the object and the list",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "The object stands under one key, and the list under another"
                )
            ]
        ),
        Line(
            number: 34,
            ability: "Members without a value",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "Members without a value are left out, or sent as null if that is declared"
                )
            ]
        ),
        Line(
            number: 35,
            ability: "Success without a value",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A request whose response does not matter returns nothing"
                )
            ]
        ),
        Line(
            number: 36,
            ability: "Raw JSON, one object, an array",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "JSON is read raw, as one object or as an array"
                ),
                Test(
                    "DocumentationTests/Samples/DecodingSamples",
                    "The wrapper in Decoding.md reads numbers and texts with numbers, and no other text"
                ),
            ]
        ),
        Line(
            number: 37,
            ability: "Pause, resume, cancel",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A request is paused and resumed"
                ),
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A request in flight is cancelled"
                ),
            ]
        ),
        Line(
            number: 38,
            ability: "Lists of errors in a failed response",
            tests: [
                Test(
                    "WaybillTests/Seeds/CRUDEFuturesSeedTests",
                    "A list of errors in the body of a failed response reaches the caller"
                )
            ]
        ),
    ]
}
